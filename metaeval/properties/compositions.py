"""All ways to put N items into m cells, numbered: which is the k-th, and which number is this one.

The order is that of `itertools.combinations_with_replacement(range(m), N)`: all items in the
first cell come first. Numbering both ways lets a search cut the enumeration anywhere and lets
scores be looked up instead of computed again.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from metaeval.errors import InputError

Counts = NDArray[np.int16]
Ranks = NDArray[np.int64]

# Chunks kept for the next property or metric; with CHUNK columns of up to 64 cells of two bytes
# this is at most 100 MiB, in practice a tenth of it.
CHUNK = 4096
KEPT_CHUNKS = 200


def count(items: int, cells: int) -> int:
    """How many ways there are."""
    return comb(items + cells - 1, cells - 1) if items >= 0 else 0


@lru_cache(maxsize=512)
def _offsets(items: int, cells: int) -> Ranks:
    """Row i, column r: how many ways come before the first one that leaves r items after cell i.

    These are the ways to leave fewer than r items for the cells after i, whatever their order.
    """
    if count(items, cells) > np.iinfo(np.int64).max:
        raise InputError(f"{items} items in {cells} cells are too many ways to enumerate")
    table = [[count(r - 1, cells - i) for r in range(items + 1)] for i in range(cells)]
    return np.array(table, dtype=np.int64)


def rank(counts: Counts, items: int) -> Ranks:
    """The number of each column of counts (cells, n), all of which sum to `items`."""
    cells = len(counts)
    offsets = _offsets(items, cells)
    ranks = np.zeros(counts.shape[1], dtype=np.int64)
    after = np.zeros(counts.shape[1], dtype=np.int64)
    for cell in range(cells - 1, 0, -1):
        after += counts[cell]
        ranks += offsets[cell - 1].take(after)
    return ranks


def unrank(ranks: Ranks, items: int, cells: int) -> Counts:
    """The counts (cells, n) with the given numbers; the inverse of `rank`."""
    offsets = _offsets(items, cells)
    counts = np.empty((cells, len(ranks)), dtype=np.int16)
    left = np.full(len(ranks), items, dtype=np.int64)
    ranks = ranks.copy()
    for cell in range(cells - 1):
        after = np.searchsorted(offsets[cell], ranks, side="right") - 1
        counts[cell] = left - after
        ranks -= offsets[cell].take(after)
        left = after
    counts[cells - 1] = left
    return counts


@lru_cache(maxsize=KEPT_CHUNKS)
def chunk(items: int, cells: int, start: int, stop: int) -> Counts:
    """Ways number `start` to `stop` as columns (cells, n); shared, therefore read-only."""
    counts = unrank(np.arange(start, stop, dtype=np.int64), items, cells)
    counts.setflags(write=False)
    return counts
