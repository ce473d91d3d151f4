"""The general OC index: any connected set of cells, with a price on discordant ones.

The minimum runs over all connected sets that hold the first and the last cell. Their number
grows like 2^(K^2), so the exact value is for small K only.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from metaeval.batch import Array, Batch
from metaeval.measures.domains import above, at_least
from metaeval.measures.path import oc_price
from metaeval.measures.registry import register

MAX_CLASSES = 4
# Sets times matrices of one product: bounds the working space to 32 MiB.
PRODUCT_CELLS = 1 << 22


@lru_cache(maxsize=MAX_CLASSES)
def connected_sets(classes: int) -> tuple[Array, Array]:
    """Every connected cell set with both corners (sets, K*K) as 0/1, and its discordant pairs."""
    cells = classes * classes
    inner = np.arange(1 << (cells - 2), dtype=np.int64)
    sets = (inner << 1) | 1 | (1 << (cells - 1))
    rows, columns = np.divmod(np.arange(cells), classes)
    across = np.abs(rows[:, None] - rows), np.abs(columns[:, None] - columns)
    neighbours = [
        int(sum(1 << int(j) for j in np.flatnonzero(line)))
        for line in (across[0] <= 1) & (across[1] <= 1)
    ]
    reached = np.ones_like(sets)
    while True:
        wider = reached.copy()
        for cell, near in enumerate(neighbours):
            wider |= np.where(reached >> cell & 1, near, 0)
        wider &= sets
        if (wider == reached).all():
            break
        reached = wider
    sets = sets[reached == sets]
    member = ((sets[:, None] >> np.arange(cells)) & 1).astype(np.float64)
    opposed = ((rows[:, None] - rows) * (columns[:, None] - columns) < 0).astype(np.float64)
    discordant = np.einsum("si,ij,sj->s", member, opposed, member, optimize=True) / 2
    return member, discordant


@register(
    takes="batch",
    family="path",
    greater_is_better=False,
    range=(0, 1),
    parameters={"beta1": at_least(0), "beta2": at_least(0), "gamma": above(0)},
    max_classes=MAX_CLASSES,
    paper="Cardoso & Sousa",
    year=2011,
    equation="eq. 8",
    meaning="OC over any connected set of cells, discordant pairs of cells at a price",
    formula=r"1 + \min_{S} \Big( \sum_{(r,c) \in S} w_{rc} + \beta_2\, d(S) \Big), \quad "
    r"w_{rc} \text{ as in oc with } \beta = \beta_1",
)
def oc_general(batch: Batch, beta1: float = 0.25, beta2: float = 0.25, gamma: float = 1) -> Array:
    member, discordant = connected_sets(batch.classes)
    index = np.arange(batch.classes)
    price = oc_price(batch, beta1, gamma, None, True)[np.abs(index[:, None] - index)]
    weight = (batch.counts * price).reshape(-1, batch.size)
    best = np.empty(batch.size)
    step = max(1, PRODUCT_CELLS // len(member))
    for start in range(0, batch.size, step):
        part = slice(start, start + step)
        best[part] = (member @ weight[:, part] + beta2 * discordant[:, None]).min(axis=0)
    return 1 + best
