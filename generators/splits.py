"""Random ways to split a total over parts, for a whole batch at once.

The batch is the last axis, where numpy is fastest: totals of shape (..., batch) become
(parts, ..., batch). Every scheme is defined by which splits it makes how likely:

sequential   each part in turn takes a uniform number of what is left; the last takes the rest
multinomial  each single item chooses its part, all choices equally likely
uniform      all splits (compositions of the total) equally likely
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.int64]
Generator = np.random.Generator


def uniform_upto(high: Array, rng: Generator) -> Array:
    """A uniform whole number on 0..high for each entry.

    Scaling a 53-bit fraction never rounds up to high + 1, its bias is below high / 2**53, and it
    is several times faster than ``rng.integers`` with an array of bounds.
    """
    return (rng.random(high.shape) * (high + 1)).astype(np.int64)


def _sequential(total: Array, parts: int, rng: Generator) -> Array:
    out = np.empty((parts, *total.shape), np.int64)
    left = total
    for part in range(parts - 1):
        out[part] = uniform_upto(left, rng)
        left = left - out[part]
    out[-1] = left
    return out


def _multinomial(total: Array, parts: int, rng: Generator) -> Array:
    return np.moveaxis(rng.multinomial(total, np.full(parts, 1 / parts)), -1, 0)


def _uniform(total: Array, parts: int, rng: Generator) -> Array:
    # a multinomial whose shares are uniform on the simplex makes all compositions equally likely
    shares = rng.standard_exponential((*total.shape, parts))
    shares /= shares.sum(axis=-1, keepdims=True)
    return np.moveaxis(rng.multinomial(total, shares), -1, 0)


SPLITS: Final[dict[str, Callable[[Array, int, Generator], Array]]] = {
    "sequential": _sequential,
    "multinomial": _multinomial,
    "uniform": _uniform,
}


def _limited_sequential(total: int, limits: Array, batch: int, rng: Generator) -> Array:
    out = np.empty((len(limits), batch), np.int64)
    left = np.full(batch, total, np.int64)
    room = int(limits.sum())
    for part, limit in enumerate(limits.tolist()):
        room -= limit
        low = np.maximum(left - room, 0)
        out[part] = low + uniform_upto(np.minimum(left, limit) - low, rng)
        left -= out[part]
    return out


def _limited_multinomial(total: int, limits: Array, batch: int, rng: Generator) -> Array:
    return rng.multivariate_hypergeometric(limits, total, size=batch, method="marginals").T


def _limited_uniform(total: int, limits: Array, batch: int, rng: Generator) -> Array:
    """Part by part, weighted by the number of ways in which the later parts can take the rest.

    The number of ways is symmetric (taking f is leaving limit - f), so that only totals up to half
    of the room are looked up. Their weights are not small beside the sums, and lose no precision.
    """
    out = np.empty((len(limits), batch), np.int64)
    left = np.full(batch, total, np.int64)
    room = int(limits.sum())
    for part, sums in enumerate(_sums_of_ways(limits)):
        limit = int(limits[part])
        mirrored = 2 * left > room
        small = np.where(mirrored, room - left, left)
        # what is left for the later parts lies in small-limit..small
        most = np.minimum(small, len(sums) - 2)
        below, above = sums[np.maximum(small - limit, 0)], sums[most + 1]
        point = below + rng.random(batch) * (above - below)
        later = np.searchsorted(sums, point, side="right") - 1
        taken = small - np.minimum(later, most)  # point may have been rounded up to above
        out[part] = np.where(mirrored, limit - taken, taken)
        left -= out[part]
        room -= limit
    return out


def _sums_of_ways(limits: Array) -> list[NDArray[np.float64]]:
    """For each part, sums[t] ~ the ways in which the parts after it take less than t in all."""
    ways = np.ones(1)
    found = []
    for limit in limits[::-1].tolist():
        sums = np.concatenate(([0.0], np.cumsum(ways)))
        found.append(sums)
        totals = np.arange(len(ways) + limit)
        ways = sums[np.minimum(totals + 1, len(ways))] - sums[np.maximum(totals - limit, 0)]
        ways /= ways.max()  # only ratios matter, and the numbers of ways overflow
    return found[::-1]


LIMITED_SPLITS: Final[dict[str, Callable[[int, Array, int, Generator], Array]]] = {
    "sequential": _limited_sequential,
    "multinomial": _limited_multinomial,
    "uniform": _limited_uniform,
}
"""The same schemes for one total whose parts have upper limits, as (parts, batch)."""
