"""Scoring a whole stack with many metrics, chunk by chunk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from metaeval.batch import Array
from metaeval.measures.metric import Metric
from metaeval.measures.registry import definitions, metric
from metaeval.stack import Stack, as_stack, batches, flatten

if TYPE_CHECKING:
    import pandas as pd

Metrics = Sequence[str | Metric] | str | Metric | None


def score_stack(stack: Stack, metrics: Sequence[Metric], chunk: int | None = None) -> Array:
    """Scores of shape (metrics, B). The working space is that of one chunk."""
    flat = flatten(stack)
    scores = np.empty((len(metrics), len(flat)))
    for where, batch in batches(flat, chunk):
        for row, scored in zip(scores, metrics, strict=True):
            row[where] = scored.score_batch(batch)
    return scores


def choose(metrics: Metrics, classes: int | None = None) -> list[Metric]:
    """The metrics meant: the given ones, or all registered that can score so many classes."""
    if metrics is None:
        return [
            metric(key)
            for key, definition in definitions().items()
            if classes is None
            or definition.max_classes is None
            or classes <= definition.max_classes
        ]
    if isinstance(metrics, (str, Metric)):
        metrics = [metrics]
    return [metric(m) for m in metrics]


def score(matrices: ArrayLike, metrics: Metrics = None) -> pd.DataFrame:
    """Score matrices (..., K, K): a frame with one row a matrix and one column a metric.

    Without `metrics`, all registered ones that can score that number of classes.
    """
    import pandas as pd

    stack = as_stack(matrices)
    chosen = choose(metrics, stack.shape[-1])
    scores = score_stack(stack, chosen)
    index: pd.Index
    if stack.ndim <= 3:
        index = pd.RangeIndex(scores.shape[1], name="matrix")
    else:
        index = pd.MultiIndex.from_product([range(n) for n in stack.shape[:-2]])
    return pd.DataFrame(scores.T, index=index, columns=[m.name for m in chosen])
