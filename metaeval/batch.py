"""A chunk of confusion matrices with the batch axis last, and what metrics share of it.

Every array here ends in the batch axis, so numpy's inner loops run over contiguous memory and a
metric costs tens of nanoseconds a matrix. A quantity is computed at most once a chunk, for
whichever metric asks first.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


@lru_cache(maxsize=128)
def index_distance(classes: int, power: float = 1.0) -> Array:
    """|r - c| ** power for every cell of a matrix, read-only because it is shared."""
    index = np.arange(classes, dtype=np.float64)
    table = np.abs(index[:, None] - index[None, :]) ** power
    table.setflags(write=False)
    return table


class Batch:
    """Counts of shape (K, K, n): true classes first, predicted classes second, matrices last."""

    def __init__(self, counts: Array) -> None:
        self.counts = counts
        self.classes: int = counts.shape[0]
        self.size: int = counts.shape[2]

    def weighted_sum(self, weights: Array) -> Array:
        """Sum over the cells of weights (K, K) times counts, for each matrix."""
        cells = self.classes * self.classes
        result: Array = weights.reshape(cells) @ self.counts.reshape(cells, self.size)
        return result

    @cached_property
    def rows(self) -> Array:
        """Gold class sizes (K, n)."""
        return self.counts.sum(axis=1)

    @cached_property
    def cols(self) -> Array:
        """Predicted class sizes (K, n)."""
        return self.counts.sum(axis=0)

    @cached_property
    def total(self) -> Array:
        """Number of items (n,)."""
        return self.rows.sum(axis=0)

    @cached_property
    def diagonal(self) -> Array:
        """Correct items of each class (K, n)."""
        classes = np.arange(self.classes)
        return self.counts[classes, classes]

    @cached_property
    def correct(self) -> Array:
        return self.diagonal.sum(axis=0)

    @cached_property
    def present(self) -> Mask:
        """Which classes occur in the gold standard (K, n)."""
        return self.rows > 0

    @cached_property
    def rows_or_one(self) -> Array:
        """Gold class sizes with 1 for an absent class: a divisor for rows that are all zero."""
        return np.where(self.present, self.rows, 1.0)

    @cached_property
    def present_count(self) -> Array:
        return self.present.sum(axis=0, dtype=np.float64)

    @cached_property
    def recall(self) -> Array:
        """Recall of each gold class (K, n), 0 for an absent one."""
        return self.diagonal / self.rows_or_one

    @cached_property
    def absolute_error(self) -> Array:
        """Sum of |r - c| over the items."""
        return self.weighted_sum(index_distance(self.classes))

    @cached_property
    def below(self) -> Array:
        """Counts of all strictly higher gold classes in the same predicted class (K, K, n)."""
        below = np.empty_like(self.counts)
        below[-1] = 0.0
        for r in range(self.classes - 2, -1, -1):
            np.add(below[r + 1], self.counts[r + 1], out=below[r])
        return below

    @cached_property
    def below_right(self) -> Array:
        """Items with a higher gold and a higher predicted class than cell (r, c)."""
        corner = np.empty_like(self.counts)
        corner[:, -1] = 0.0
        for c in range(self.classes - 2, -1, -1):
            np.add(corner[:, c + 1], self.below[:, c + 1], out=corner[:, c])
        return corner

    @cached_property
    def concordant(self) -> Array:
        """Pairs of items ordered alike by gold and prediction."""
        return _dot(self.counts, self.below_right)

    @cached_property
    def discordant(self) -> Array:
        """Pairs of items ordered in opposite ways."""
        # Counted on its own, not as a remainder: the difference of two huge numbers of pairs
        # would lose every digit when one class holds nearly all of 10^12 items.
        corner = np.zeros((self.classes, self.size))
        pairs = np.zeros(self.size)
        for c in range(1, self.classes):
            corner += self.below[:, c - 1]
            pairs += _dot(self.counts[:, c], corner)
        return pairs

    @cached_property
    def gold_pairs(self) -> Array:
        """Pairs of items with different gold classes."""
        return _untied_pairs(self.rows, self.total)

    @cached_property
    def predicted_pairs(self) -> Array:
        """Pairs of items with different predicted classes."""
        return _untied_pairs(self.cols, self.total)

    @cached_property
    def agreeing(self) -> Array:
        """Items ordered against cell (r, c) alike in both, from either side (K, K, n)."""
        above_left = np.zeros_like(self.counts)
        above = np.zeros((self.classes, self.size))
        for r in range(1, self.classes):
            above += self.counts[r - 1]
            np.add.accumulate(above[:-1], axis=0, out=above_left[r, 1:])
        above_left += self.below_right
        return above_left

    @cached_property
    def whole(self) -> Mask:
        """Whether every count is a whole number."""
        cells = self.counts.reshape(-1, self.size)
        return (cells == np.floor(cells)).all(axis=0)


def _dot(left: Array, right: Array) -> Array:
    """Sum over all axes but the last of left times right."""
    product = left * right
    return product.reshape(-1, product.shape[-1]).sum(axis=0)


def _untied_pairs(sizes: Array, total: Array) -> Array:
    # Σ n_i (N - n_i) / 2: all terms positive, so no cancellation, unlike (N² - Σ n_i²) / 2.
    return _dot(sizes, total - sizes) / 2


def centred_positions(sizes: Array) -> Array:
    """Twice the mid-rank of each class minus the mean mid-rank: items below minus items above."""
    below = np.zeros_like(sizes)
    np.add.accumulate(sizes[:-1], axis=0, out=below[1:])
    total = below[-1] + sizes[-1]
    return 2 * below + sizes - total


def information(sizes: Array, total: Array) -> Array:
    """-ln(sizes / total), exact also for a class with nearly all items; 0 for an empty one."""
    share = sizes / total
    rest = (total - sizes) / total
    return np.where(share > 0.5, -np.log1p(-rest), -np.log(np.where(share > 0, share, 1.0)))
