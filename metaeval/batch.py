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

# Smaller than any count: a divisor for what is 0 anyway, without a branch.
TINY = float(np.finfo(np.float64).tiny)


def _shared(table: Array) -> Array:
    """A constant table: read-only, because every caller gets the same one."""
    table.setflags(write=False)
    return table


@lru_cache(maxsize=128)
def index_distance(classes: int, power: float = 1.0) -> Array:
    """|r - c| ** power for every cell of a matrix."""
    index = np.arange(classes, dtype=np.float64)
    return _shared(np.abs(index[:, None] - index[None, :]) ** power)


@lru_cache(maxsize=128)
def _sides(classes: int) -> Array:
    """1 for a lower class, -1 for a higher one, 0 for the class itself."""
    index = np.arange(classes, dtype=np.float64)
    return _shared(np.sign(index[:, None] - index[None, :]))


@lru_cache(maxsize=128)
def _ones(cells: int) -> Array:
    return _shared(np.ones(cells))


class Batch:
    """Counts of shape (K, K, n): true classes first, predicted classes second, matrices last."""

    def __init__(self, counts: Array) -> None:
        self.counts = counts
        self.classes: int = counts.shape[0]
        self.size: int = counts.shape[2]

    @property
    def cells(self) -> Array:
        """The counts as (K * K, n)."""
        return self.counts.reshape(-1, self.size)

    def weighted_sum(self, weights: Array) -> Array:
        """Sum over the cells of weights (K, K) times counts, for each matrix."""
        return weights.reshape(-1) @ self.cells

    def cell_sum(self, values: Array) -> Array:
        """Sum over the cells of values (K, K, n) times counts, for each matrix."""
        return (self.counts * values).reshape(-1, self.size).sum(axis=0)

    @cached_property
    def total(self) -> Array:
        """Number of items (n,)."""
        return _ones(self.classes**2) @ self.cells

    @cached_property
    def rows(self) -> Array:
        """Gold class sizes (K, n)."""
        return self.counts.sum(axis=1)

    @cached_property
    def cols(self) -> Array:
        """Predicted class sizes (K, n)."""
        return self.counts.sum(axis=0)

    @property
    def diagonal(self) -> Array:
        """Correct items of each class (K, n)."""
        return self.cells[:: self.classes + 1]

    @cached_property
    def correct(self) -> Array:
        """Number of correct items (n,)."""
        return self.diagonal.sum(axis=0)

    @cached_property
    def present_count(self) -> Array:
        """Number of gold classes that occur (n,)."""
        return how_many(self.rows)

    @cached_property
    def predicted_count(self) -> Array:
        """Number of classes that are predicted (n,)."""
        return how_many(self.cols)

    @cached_property
    def recall(self) -> Array:
        """Recall of each gold class (K, n), 0 for an absent one."""
        return self.diagonal / np.maximum(self.rows, TINY)

    @cached_property
    def absolute_error(self) -> Array:
        """Sum of |r - c| over the items."""
        return self.weighted_sum(index_distance(self.classes))

    @cached_property
    def right(self) -> Array:
        """Items of the same gold class with a strictly higher predicted class (K, K, n)."""
        return _after(self.counts, axis=1)

    # The two kinds of pairs are counted each on its own, not one as the remainder of the other:
    # the difference of two huge numbers would lose every digit when one class holds nearly all
    # of 10^12 items. Running sums over the classes keep all of it at O(K^2).
    @cached_property
    def concordant(self) -> Array:
        """Pairs of items ordered alike by gold and prediction."""
        return self.cell_sum(_after(self.right))

    @cached_property
    def discordant(self) -> Array:
        """Pairs of items ordered in opposite ways."""
        return self.cell_sum(_before(self.right))

    @cached_property
    def order_surplus(self) -> Array:
        """Concordant minus discordant pairs, in one go."""
        right = self.right
        surplus = np.empty_like(right)
        np.add.reduce(right[1:], axis=0, out=surplus[0])
        for r in range(1, self.classes):
            # Class r leaves the higher ones, class r - 1 joins the lower ones.
            np.subtract(surplus[r - 1], right[r], out=surplus[r])
            surplus[r] -= right[r - 1]
        return self.cell_sum(surplus)

    @cached_property
    def not_below(self) -> Array:
        """Ordered pairs of items, itself included, of which the second is below in neither."""
        beyond = self.right + self.counts
        for r in range(self.classes - 2, -1, -1):
            beyond[r] += beyond[r + 1]
        return self.cell_sum(beyond)

    @cached_property
    def ordered_alike(self) -> Array:
        """Counts times the items that gold and prediction order alike against the cell."""
        left = self.rows[:, None] - self.right
        left -= self.counts
        alike = _after(self.right)
        alike += _before(left)
        alike *= self.counts
        return alike

    @cached_property
    def gold_pairs(self) -> Array:
        """Pairs of items with different gold classes."""
        return _untied_pairs(self.rows, self.total)

    @cached_property
    def predicted_pairs(self) -> Array:
        """Pairs of items with different predicted classes."""
        return _untied_pairs(self.cols, self.total)

    @cached_property
    def whole(self) -> Mask:
        """Whether every count is a whole number."""
        return (self.cells == np.rint(self.cells)).all(axis=0)


def _after(values: Array, axis: int = 0) -> Array:
    """Sum of the values of all strictly later classes along an axis."""
    later = np.empty_like(values)
    into, out_of = (later, values) if axis == 0 else (later.swapaxes(0, 1), values.swapaxes(0, 1))
    into[-1] = 0.0
    for place in range(len(values) - 2, -1, -1):
        np.add(into[place + 1], out_of[place + 1], out=into[place])
    return later


def _before(values: Array) -> Array:
    """Sum of the values of all strictly earlier classes along the first axis."""
    return _after(values[::-1])[::-1]


def how_many(sizes: Array) -> Array:
    """Number of classes that are not empty, for sizes (K, n)."""
    filled = (sizes > 0).view(np.uint8)
    # Bytes are added eight times faster than numbers, as long as the sum fits a byte.
    narrow = np.uint8 if len(sizes) < 256 else np.int64
    return np.add.reduce(filled, axis=0, dtype=narrow).astype(np.float64)


def _untied_pairs(sizes: Array, total: Array) -> Array:
    # Σ n_i (N - n_i) / 2: all terms positive, so no cancellation, unlike (N² - Σ n_i²) / 2.
    return (sizes * (total - sizes)).sum(axis=0) / 2


def centred_positions(sizes: Array) -> Array:
    """Items below minus items above each class: twice its mid-rank, less the mean one."""
    return _sides(len(sizes)) @ sizes


def cross_moment(batch: Batch, gold: Array, output: Array) -> Array:
    """Sum over the items of a value of their gold class times one of their predicted class."""
    by_gold = (batch.counts * output).sum(axis=1)
    by_gold *= gold
    return by_gold.sum(axis=0)


def information(sizes: Array, total: Array) -> Array:
    """-ln(sizes / total), exact also for a class with nearly all items; 0 for an empty one."""
    share = sizes / total
    rest = (total - sizes) / total
    return np.where(share > 0.5, -np.log1p(-rest), -np.log(np.where(share > 0, share, 1.0)))
