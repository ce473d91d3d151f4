"""Calling a metric's function with what it takes: a batch, a stack, a matrix or labels.

Built-in metrics take a batch. The others let users register a plain function; it is called
once a matrix, which is slow but needs nothing from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from metaeval.batch import Array, Batch
from metaeval.errors import InputError

if TYPE_CHECKING:
    from metaeval.measures.registry import Definition


def call(definition: Definition, batch: Batch, parameters: Mapping[str, Any]) -> Array:
    """Scores of every matrix of the batch."""
    limit = definition.max_classes
    if limit is not None and batch.classes > limit:
        raise InputError(
            f"{definition.key} is exact and only for up to {limit} classes; got {batch.classes}"
        )
    if definition.takes == "batch":
        scores: Array = definition.function(batch, **parameters)
        return scores
    stack = np.moveaxis(batch.counts, -1, 0)
    if batch.whole.all():
        stack = stack.astype(np.int64)
    if definition.takes == "stack":
        return _numbers(definition, definition.function(stack, **parameters), batch.size)
    values = []
    for matrix in stack:
        arguments = [matrix.copy()] if definition.takes == "matrix" else expand(matrix)
        try:
            values.append(definition.function(*arguments, **parameters))
        except Exception as problem:
            said = " ".join(f"{type(problem).__name__}: {problem}".split())
            raise InputError(f"{definition.key} raised {said}, on {matrix.tolist()}") from problem
    return _numbers(definition, values, batch.size)


def expand(matrix: np.ndarray[Any, Any]) -> tuple[Any, Any]:
    """Label vectors (class indices) that have this confusion matrix."""
    if matrix.dtype.kind != "i":
        raise InputError("label vectors need whole counts; the matrix has fractions")
    true, pred = np.indices(matrix.shape).reshape(2, -1)
    return np.repeat(true, matrix.ravel()), np.repeat(pred, matrix.ravel())


def _numbers(definition: Definition, values: Any, size: int) -> Array:
    try:
        scores = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        scores = np.empty(0)
    if scores.shape != (size,):
        raise InputError(
            f"{definition.key} must return one number a matrix; got {str(values)[:80]}"
        )
    return scores
