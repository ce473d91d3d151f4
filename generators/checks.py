"""The one error of the package, and the checks that raise it."""

import difflib
import math
import operator
from collections.abc import Iterable, Sequence
from typing import Any, SupportsFloat, SupportsIndex, cast

import numpy as np
from numpy.typing import NDArray

# numpy's hypergeometric draws, which several families rest on, stop here
MOST_ITEMS = 10**9 - 1


class GeneratorError(ValueError):
    """What was asked for cannot be generated; the message says what, where and what is expected."""


def whole(name: str, value: object, low: int, high: float = math.inf) -> int:
    """``value`` as a whole number within ``low..high``."""
    try:
        number = operator.index(cast(SupportsIndex, value))
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or not low <= number <= high:
        expected = f"of at least {low}" if math.isinf(high) else f"from {low} to {high}"
        raise GeneratorError(f"{name} must be a whole number {expected}, got {value!r}")
    if number > MOST_ITEMS:
        raise GeneratorError(f"{name} must be at most {MOST_ITEMS}, got {value!r}")
    return number


def real(name: str, value: object, low: float = -math.inf, high: float = math.inf) -> float:
    """``value`` as a finite number within ``[low, high]``."""
    try:
        number = float(cast(SupportsFloat, value))
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if isinstance(value, str) or not math.isfinite(number) or not low <= number <= high:
        if math.isinf(low) and math.isinf(high):
            expected = "a finite number"
        elif math.isinf(high):
            expected = f"a finite number of at least {low:g}"
        else:
            expected = f"a number from {low:g} to {high:g}"
        raise GeneratorError(f"{name} must be {expected}, got {value!r}")
    return number


def table(values: object) -> NDArray[Any]:
    """``values`` as an array; of objects when they are ragged, which no check lets pass."""
    try:
        return np.asarray(values)
    except ValueError:
        return np.empty(0, dtype=object)


def counts(name: str, values: object, low: int = 2) -> NDArray[np.int64]:
    """``values`` as a vector of at least ``low`` non-negative whole numbers, not all zero."""
    array = table(values)
    if array.ndim != 1 or array.size < low or array.dtype.kind not in "iu" or array.min() < 0:
        raise GeneratorError(
            f"{name} must be a list of at least {low} non-negative whole numbers, got {values!r}"
        )
    if not 1 <= array.sum() <= MOST_ITEMS:
        raise GeneratorError(f"{name} must sum to 1..{MOST_ITEMS}, but sum to {array.sum()}")
    return array.astype(np.int64)


def choice(name: str, value: object, allowed: Sequence[str]) -> str:
    """``value`` if it is one of ``allowed``."""
    if value not in allowed:
        raise GeneratorError(f"{name} must be one of {listed(allowed)}, got {value!r}")
    return cast(str, value)


def listed(names: Iterable[str]) -> str:
    """Names as they stand in a sentence."""
    return ", ".join(names) or "none"


def nearest_name(name: object, known: Iterable[str]) -> str:
    """A hint at the known name that ``name`` looks like, empty when there is none."""
    close = difflib.get_close_matches(str(name), list(known), n=1)
    return f", did you mean {close[0]!r}?" if close else ""


def rounded(value: float) -> int:
    """The nearest whole number, halves upwards; 1e-9 absorbs what binary fractions lose."""
    return math.floor(value + 0.5 + 1e-9)
