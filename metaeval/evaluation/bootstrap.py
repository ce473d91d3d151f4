"""The bootstrap over items within cases, the same items for all systems.

How often an item is drawn is a weight. The counts of a resample are then a matrix product of
weights with the systems' outputs, and because the items of one case and one gold class fill one
row of the confusion matrix, the product needs one column a system and predicted class.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from metaeval.analysis.resampling import Plan, in_blocks
from metaeval.batch import Array
from metaeval.evaluation.outputs import ITEMS, Outputs
from metaeval.evaluation.scores import Scores
from metaeval.execution import Kind
from metaeval.measures.scoring import CALLS_A_UNIT, is_plain, score_stack
from metaeval.tables import Labels

# Numbers in the working arrays of a block of resamples, and of one matrix product.
BLOCK = 1 << 22
MOST_RESAMPLES = 50

# Counts of single precision are exact up to 2**24 items a cell.
Small = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Resamples:
    """By resample: mean scores over cases, and how many cases were undefined.

    Both have the shape (replicates, metrics, systems).
    """

    means: Array
    undefined: Array


def bootstrap(outputs: Outputs, scores: Scores, plan: Plan) -> Resamples:
    """Mean scores on resampled items. Every resample has a stream of random numbers of its own."""
    items = _Items(outputs)
    root = np.random.SeedSequence(plan.seed, spawn_key=(ITEMS,))
    seeds = root.spawn(plan.replicates)
    cases, systems, classes = outputs.counts.shape[:3]

    def work(part: slice) -> Array:
        counts = items.counts([items.weights(seed) for seed in seeds[part]])
        found = score_stack(counts, scores.metrics)
        found = found.reshape(len(scores.metrics), -1, cases, systems)
        both = [scores.filled(found).mean(axis=2), (~np.isfinite(found)).sum(axis=2)]
        return np.moveaxis(np.stack(both), 2, 0)

    size = max(len(outputs.gold), cases * systems * max(classes**2, len(scores.metrics)))
    block = min(MOST_RESAMPLES, max(1, BLOCK // size))
    plain = any(is_plain(scored) for scored in scores.metrics)
    block = min(block, max(1, CALLS_A_UNIT // (cases * systems))) if plain else block
    kind: Kind = "foreign" if plain else "numpy"
    found = in_blocks(work, plan.replicates, block, plan.jobs, name="resampling items", kind=kind)
    return Resamples(found[:, 0], found[:, 1])


class _Items:
    """Items in the order of their cases and, within a case, of their gold classes."""

    def __init__(self, outputs: Outputs) -> None:
        self.order = np.lexsort((outputs.gold, outputs.groups))
        self.groups = outputs.groups[self.order]
        self.gold = outputs.gold[self.order]
        self.predictions: Labels = np.ascontiguousarray(outputs.predictions.T[self.order])
        self.cases, self.classes = len(outputs.cases), len(outputs.classes)
        sizes = np.bincount(self.groups, minlength=self.cases)
        self.size = sizes[self.groups].astype(np.float64)
        self.start = (np.cumsum(sizes) - sizes)[self.groups]

    def weights(self, seed: np.random.SeedSequence) -> Small:
        """How often each item occurs when every case draws as many of its items as it has."""
        rng = np.random.Generator(np.random.PCG64(seed))
        drawn = (rng.random(len(self.size)) * self.size).astype(np.int64) + self.start
        return np.bincount(drawn, minlength=len(drawn)).astype(np.float32)

    def counts(self, weights: list[Small]) -> NDArray[np.float32]:
        """Matrices (resamples x cases x systems, K, K), with the batch last in memory."""
        drawn = np.stack(weights)
        systems, classes = self.predictions.shape[1], self.classes
        shape = (classes, classes, len(drawn), self.cases, systems)
        counts = np.zeros(shape, dtype=np.float32)
        labels = np.arange(classes, dtype=np.int16)
        key = self.groups * classes + self.gold
        edges = np.flatnonzero(np.diff(key, prepend=-1, append=-1))
        step = max(1, BLOCK // (systems * classes))
        for start, end in pairwise(edges.tolist()):
            row = counts[self.gold[start], :, :, self.groups[start]]
            for first in range(start, end, step):
                part = slice(first, min(first + step, end))
                said = self.predictions[part, :, None] == labels
                flat = said.reshape(len(said), -1).astype(np.float32)
                row += (drawn[:, part] @ flat).reshape(-1, systems, classes).transpose(2, 0, 1)
        return np.moveaxis(counts.reshape(classes, classes, -1), -1, 0)
