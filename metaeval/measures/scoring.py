"""Scoring a whole stack with many metrics, chunk by chunk, on as many cores as pay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from metaeval.batch import Array
from metaeval.measures.metric import Metric
from metaeval.measures.registry import definitions, metric
from metaeval.stack import Stack, as_stack, batches, chunk_length, flatten

if TYPE_CHECKING:
    import pandas as pd

    from metaeval.execution import Jobs, Kind

Metrics = Sequence[str | Metric] | str | Metric | None

# A unit of scoring: so many chunks, whose borders are then those of the whole stack; or so many
# calls of a plain function, which may take milliseconds each.
CHUNKS_A_UNIT, CALLS_A_UNIT = 2, 256


def score_stack(
    stack: Stack, metrics: Sequence[Metric], chunk: int | None = None, jobs: Jobs = 1
) -> Array:
    """Scores of shape (metrics, B). The working space is that of one chunk a worker."""
    flat = flatten(stack)
    if jobs == 1:
        return score_part(Part(0, flat), metrics, chunk)
    kinds = [is_plain(scored) for scored in metrics]
    if len(set(kinds)) == 1:
        return _in_units(flat, metrics, chunk, kinds[0], jobs)
    scores = np.empty((len(metrics), len(flat)))
    for plain in (False, True):
        rows = [row for row, kind in enumerate(kinds) if kind is plain]
        scores[rows] = _in_units(flat, [metrics[row] for row in rows], chunk, plain, jobs)
    return scores


def _in_units(
    flat: Stack, metrics: Sequence[Metric], chunk: int | None, plain: bool, jobs: Jobs
) -> Array:
    from metaeval.execution import run

    parts = Parts(flat, unit_length(flat.shape[-1], plain))
    work = _Scoring(metrics, chunk, np.empty((len(metrics), len(flat))))
    kind: Kind = "foreign" if plain else "numpy"
    done = run(work, parts, jobs, name="scoring", kind=kind, size=parts.size(len(metrics)))
    for number, found in enumerate(done):
        if found.base is not work.scores:  # it comes from elsewhere
            work.scores[:, parts.where(number)] = found
    return work.scores


class _Scoring:
    """Scores parts, in this process straight to where they belong."""

    def __init__(self, metrics: Sequence[Metric], chunk: int | None, scores: Any) -> None:
        self.metrics, self.chunk, self.scores = metrics, chunk, scores

    def __call__(self, part: Part) -> Array:
        into = None
        if self.scores is not None:
            into = self.scores[:, part.start : part.start + len(part.matrices)]
        return score_part(part, self.metrics, self.chunk, into)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Scoring, (self.metrics, self.chunk, None)


@dataclass(frozen=True, eq=False)
class Part:
    """Matrices (or other rows) of a stack from a number on."""

    start: int
    matrices: Stack

    def __str__(self) -> str:
        return f"matrices {self.start} to {self.start + len(self.matrices) - 1}"


class Parts:
    """A stack in parts of a fixed length, cut when they are asked for."""

    def __init__(self, flat: Stack, length: int) -> None:
        self.flat, self.length = flat, length

    def __len__(self) -> int:
        return -(-len(self.flat) // self.length)

    def where(self, number: int) -> slice:
        """The matrices that a part covers."""
        return slice(number * self.length, min((number + 1) * self.length, len(self.flat)))

    def __getitem__(self, number: int, /) -> Part:
        return Part(number * self.length, self.flat[self.where(number)])

    def size(self, metrics: int) -> int:
        """Bytes that a part and its scores need."""
        return 8 * self.length * (2 * self.flat.shape[-1] ** 2 + metrics)


def score_part(
    part: Part, metrics: Sequence[Metric], chunk: int | None = None, into: Array | None = None
) -> Array:
    """Scores of shape (metrics, matrices of the part)."""
    scores = np.empty((len(metrics), len(part.matrices))) if into is None else into
    for where, batch in batches(part.matrices, chunk, part.start):
        for row, scored in zip(scores, metrics, strict=True):
            row[where] = scored.score_batch(batch)
    return scores


def is_plain(scored: Metric) -> bool:
    """Whether a metric is a function that is called once a matrix."""
    return scored.definition.takes in ("matrix", "labels")


def unit_length(classes: int, plain: bool) -> int:
    """How many matrices make a unit of work."""
    return CALLS_A_UNIT if plain else CHUNKS_A_UNIT * chunk_length(classes)


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


def score(matrices: ArrayLike, metrics: Metrics = None, jobs: Jobs = None) -> pd.DataFrame:
    """Score matrices (..., K, K): a frame with one row a matrix and one column a metric.

    Without `metrics`, all registered ones that can score that number of classes. `jobs` is a
    number of workers, 0 for all cores; by default all cores are used if it takes long. Plain
    functions are called in processes, and no result depends on any of it.
    """
    import pandas as pd

    stack = as_stack(matrices)
    chosen = choose(metrics, stack.shape[-1])
    scores = score_stack(stack, chosen, jobs=jobs)
    index: pd.Index
    if stack.ndim <= 3:
        index = pd.RangeIndex(scores.shape[1], name="matrix")
    else:
        index = pd.MultiIndex.from_product([range(n) for n in stack.shape[:-2]])
    return pd.DataFrame(scores.T, index=index, columns=[m.name for m in chosen])
