"""Ranks of weighted values: sorted once, ranked for many weights.

Weights are multiplicities: a value of weight 2 counts as two equal values, one of weight 0 is
left out. Resampling and leaving out are both weights, so nothing is sorted twice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metaeval.batch import Array

Places = NDArray[np.intp]

# Numbers worked on at a time: all temporaries together stay within a few megabytes.
BLOCK = 1 << 17


def rows_a_block(width: int) -> int:
    """How many rows of a width are worked on at a time."""
    return max(1, BLOCK // max(1, width))


class Ranking:
    """Rows of values (rows, n) and their order; equal values share a rank."""

    def __init__(self, values: Array) -> None:
        self.order: Places = np.argsort(values, axis=1)
        in_order = np.take_along_axis(values, self.order, axis=1)
        same = in_order[:, 1:] == in_order[:, :-1]
        self.ties = _tied_runs(same) if same.any() else None

    def ranks(self, weights: Array) -> tuple[Array, Array]:
        """Twice the mid-ranks, and the weights, of each row in its order.

        Twice a mid-rank is the weight below plus the weight up to and with the value itself.
        """
        sorted_weights = weights[self.order]
        upto = np.cumsum(sorted_weights, axis=1)
        below = upto - sorted_weights
        if self.ties is not None:
            below = np.take_along_axis(below, self.ties[0], axis=1)
            upto = np.take_along_axis(upto, self.ties[1], axis=1)
        below += upto
        return below, sorted_weights

    def back(self, in_order: Array) -> Array:
        """Values that stand in each row's order, back at their places."""
        result = np.empty_like(in_order)
        np.put_along_axis(result, self.order, in_order, axis=1)
        return result

    def centred(self, weights: Array) -> Array:
        """Twice the mid-ranks minus their mean, at the places of the values."""
        doubled, _ = self.ranks(weights)
        return self.back(doubled) - weights.sum()


def _tied_runs(same: NDArray[np.bool_]) -> tuple[Places, Places]:
    """For each place of sorted rows, the first and the last place with the same value."""
    rows, gaps = same.shape
    place = np.arange(gaps + 1)
    first = np.zeros((rows, gaps + 1), dtype=np.intp)
    first[:, 1:] = np.where(same, 0, place[1:])
    last = np.full((rows, gaps + 1), gaps, dtype=np.intp)
    last[:, :-1] = np.where(same, gaps, place[:-1])
    np.maximum.accumulate(first, axis=1, out=first)
    last[:, ::-1] = np.minimum.accumulate(last[:, ::-1], axis=1)
    return first, last
