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
    if definition.builtin:
        scores: Array = definition.function(batch, **parameters)
        return scores
    from metaeval.measures import guests

    return guests.score(definition, batch, parameters)


def expand(matrix: np.ndarray[Any, Any]) -> tuple[Any, Any]:
    """Label vectors (class indices) that have this confusion matrix of whole counts."""
    true, pred = np.indices(matrix.shape).reshape(2, -1)
    times = matrix.ravel().astype(np.int64)
    return np.repeat(true, times), np.repeat(pred, times)
