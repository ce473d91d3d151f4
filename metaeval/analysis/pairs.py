"""Pairs of systems, and Spearman's correlation over them, for any weights of the pairs.

Over *ordered* pairs a difference occurs with both signs, so the rank of a value, counted from
the middle, is its sign times the rank of its size among the unordered pairs: half of the pairs
suffice, and only sizes are sorted.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from metaeval.analysis.ranking import Places, Ranking
from metaeval.analysis.scores import steps
from metaeval.batch import Array


@lru_cache(maxsize=4)
def system_pairs(systems: int) -> tuple[Places, Places]:
    """The systems of each unordered pair, first < second, row by row."""
    first, second = np.triu_indices(systems, 1)
    first.setflags(write=False)
    second.setflags(write=False)
    return first, second


def differences(means: Array, part: slice = slice(None)) -> Array:
    """Differences in steps of the resolution, (..., systems) to (..., pairs), or part of them."""
    first, second = system_pairs(means.shape[-1])
    return steps(means[..., first[part]] - means[..., second[part]])


def pair_weights(weights: Array) -> Array:
    """How often a pair occurs when systems occur so often, (..., systems) to (..., pairs).

    Two copies of one system are no pair: the definitions compare different systems.
    """
    first, second = system_pairs(weights.shape[-1])
    return weights[..., first] * weights[..., second]


class SignedRanking:
    """Rows of differences over unordered pairs (rows, pairs), ranked over the ordered pairs."""

    def __init__(self, values: Array) -> None:
        self.sizes = Ranking(np.abs(values))
        self.sign = np.sign(np.take_along_axis(values, self.sizes.order, axis=1))

    def ranks(self, weights: Array) -> Array:
        """Ranks from the middle (doubled), at the places of the pairs."""
        doubled, _ = self.sizes.ranks(weights)
        return self.sizes.back(doubled * self.sign)

    def correlate(self, other: Array, weights: Array) -> Array:
        """Spearman's correlation of each row with one row of ranks over the same pairs.

        NaN where either side does not tell any two systems apart.
        """
        ranks, sorted_weights = self.sizes.ranks(weights)
        ranks *= self.sign
        sorted_weights *= ranks
        own = np.einsum("rp,rp->r", sorted_weights, ranks)
        shared = np.einsum("rp,rp->r", sorted_weights, other[self.sizes.order])
        with np.errstate(invalid="ignore", divide="ignore"):
            return shared / np.sqrt(own * np.dot(weights, other * other))
