"""Calling functions that users wrote: they may print, raise, return anything, spoil their input.

Whatever such a function does, the outcome is finite numbers (NaN where it has no value) or one
sentence that names the metric and the input. It gets copies, so it cannot change what others see.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from metaeval.batch import Array, Batch
from metaeval.errors import InputError
from metaeval.measures.adapters import expand
from metaeval.properties.calls import as_number

if TYPE_CHECKING:
    from metaeval.measures.registry import Definition

# Sums of a whole stack may be rounded in another order than those of one matrix.
ROUNDING = 1e-9

Matrix = np.ndarray[Any, Any]


def score(definition: Definition, batch: Batch, parameters: Mapping[str, Any]) -> Array:
    """Scores of every matrix of the batch."""
    stack = np.moveaxis(batch.counts, -1, 0)
    with _aside():
        if definition.takes in ("stack", "batch"):
            scores = _together(definition, stack, parameters)
        else:
            one = _single(definition, parameters)
            scores = np.array([one(matrix) for matrix in stack])
        again = _single(definition, parameters)(stack[0])
    if not np.isclose(scores[0], again, rtol=ROUNDING, atol=ROUNDING, equal_nan=True):
        raise InputError(
            f"{definition.key} is not the same for the same matrix, so it cannot be judged: first "
            f"{float(scores[0])!r}, then {again!r} on {_shown(stack[0])}"
        )
    return scores


def _single(definition: Definition, parameters: Mapping[str, Any]) -> Callable[[Matrix], float]:
    """The metric as a function of one matrix of floats."""

    def score_one(matrix: Matrix) -> float:
        if definition.takes == "labels" and (matrix != np.rint(matrix)).any():
            return np.nan  # there are no label vectors of fractions
        try:
            value = definition.function(*_given(definition, matrix), **parameters)
            if definition.takes in ("stack", "batch") and np.shape(value) == (1,):
                value = value[0]
        except InputError:
            raise
        except (Exception, SystemExit) as problem:
            said = " ".join(f"{type(problem).__name__}: {problem}".split())
            raise InputError(f"{definition.key} raised {said} on {_shown(matrix)}") from None
        number = as_number(value)
        if isinstance(number, str) or np.isinf(number):
            said = number if isinstance(number, str) else f"it returned {number}"
            raise InputError(
                f"{definition.key} must return one number a matrix, NaN where it has no value; on "
                f"{_shown(matrix)} {said}"
            )
        return number

    return score_one


def _together(definition: Definition, stack: Matrix, parameters: Mapping[str, Any]) -> Array:
    """All at once; if that goes wrong, one by one, to find out on which matrix."""
    given = (
        Batch(np.moveaxis(stack, 0, -1).copy()) if definition.takes == "batch" else _whole(stack)
    )
    try:
        scores = np.asarray(definition.function(given, **parameters))
        if scores.shape == (len(stack),) and scores.dtype.kind in "biuf":
            scores = scores.astype(np.float64)
            if not np.isinf(scores).any():
                return scores
        said = f"it returned an array of {scores.dtype}, shape {scores.shape}, for {len(stack)}"
    except (Exception, SystemExit) as problem:
        said = " ".join(f"it raised {type(problem).__name__}: {problem}".split())
    one = _single(definition, parameters)
    for matrix in stack:
        one(matrix)
    raise InputError(f"{definition.key} must return one number a matrix; {said}")


def _given(definition: Definition, matrix: Matrix) -> tuple[Any, ...]:
    if definition.takes == "batch":
        return (Batch(matrix[:, :, None].copy()),)
    if definition.takes == "stack":
        return (_whole(matrix[None]),)
    return (_whole(matrix),) if definition.takes == "matrix" else expand(_whole(matrix))


def _whole(counts: Matrix) -> Matrix:
    """A copy, of integers if every count is one."""
    whole: Matrix = np.ascontiguousarray(counts).astype(np.int64)
    return whole if (whole == counts).all() else np.array(counts, order="C")


def _shown(matrix: Matrix) -> str:
    text = str(_whole(matrix).tolist())
    return text if len(text) <= 300 else f"{text[:300]} ..."


class _Aside(contextlib.AbstractContextManager[None]):
    """While anybody is inside, what is printed goes to stderr; threads may come and go."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._stdout: TextIO | None = None

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._stdout, sys.stdout = sys.stdout, sys.stderr
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside and self._stdout is not None:
                sys.stdout, self._stdout = self._stdout, None


_ASIDE = _Aside()


@contextlib.contextmanager
def _aside() -> Iterator[None]:
    """No output among the results, and numpy's error state as it was."""
    with _ASIDE, np.errstate(all="ignore"):
        yield
