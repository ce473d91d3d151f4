"""Ordinal Classification Index: the cheapest order-preserving path over the matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metaeval.batch import TINY, Array, Batch, index_distance
from metaeval.errors import InputError
from metaeval.measures.domains import above, at_least, one_of, optional
from metaeval.measures.registry import register
from metaeval.stack import as_stack, batches, flatten


def cheapest_path(counts: Array, price: Array) -> Array:
    """Cost of the cheapest monotone path from the first to the last cell, for each matrix.

    A cell costs its count times the price (K, n) of its distance from the diagonal. Steps from
    above and along the diagonal are compared for a whole row at once; only the step from the
    left has to go class by class.
    """
    classes = len(counts)
    weight = np.empty_like(counts[0])
    row = np.add.accumulate(counts[0] * price, axis=0)
    for r in range(1, classes):
        np.multiply(counts[r, : r + 1], price[r::-1], out=weight[: r + 1])
        np.multiply(counts[r, r + 1 :], price[1 : classes - r], out=weight[r + 1 :])
        entering = np.minimum(row[1:], row[:-1])
        row[0] += weight[0]
        for c in range(1, classes):
            np.minimum(entering[c - 1], row[c - 1], out=row[c])
            row[c] += weight[c]
    last: Array = row[-1]
    return last


def oc_price(
    batch: Batch, beta: float, gamma: float, beta_raw: float | None, dispersion: bool
) -> Array:
    """Price (K, n) of an item at each distance from the diagonal, eq. 7 (or 6) of the paper."""
    steps = np.arange(batch.classes, dtype=np.float64)[:, None] ** gamma
    penalty: Array | float = beta / (batch.total * (batch.classes - 1) ** gamma)
    if beta_raw is not None:
        penalty = beta_raw
    benefit = batch.total
    if dispersion:
        spread = batch.absolute_error
        if gamma != 1:
            spread = batch.weighted_sum(index_distance(batch.classes, gamma)) ** (1 / gamma)
        benefit = benefit + spread
    return penalty * steps - 1 / benefit


@register(
    takes="batch",
    family="path",
    greater_is_better=False,
    range=(0, 1),
    parameters={
        "beta": at_least(0),
        "gamma": above(0),
        "beta_raw": optional(at_least(0)),
        "dispersion": one_of(True, False),
    },
    paper="Cardoso & Sousa",
    year=2011,
    equation="eq. 7",
    meaning="cost of the best order-preserving path: mass it misses plus its way off the diagonal",
    formula=r"1 + \min_{\pi} \sum_{(r,c) \in \pi} w_{rc}, \quad "
    r"w_{rc} = n_{rc} \Big( \frac{\beta\, |r-c|^\gamma}{N (K-1)^\gamma} - \frac{1}{N + M} "
    r"\Big), \quad "
    r"M = \Big( \sum_{rc} |r-c|^\gamma\, n_{rc} \Big)^{1/\gamma}",
)
def oc(
    batch: Batch,
    beta: float = 0.25,
    gamma: float = 1,
    beta_raw: float | None = None,
    dispersion: bool = True,
) -> Array:
    return 1 + cheapest_path(batch.counts, oc_price(batch, beta, gamma, beta_raw, dispersion))


@register(
    takes="batch",
    family="path",
    greater_is_better=False,
    range=(0, 1),
    parameters={"beta": at_least(0), "gamma": above(0)},
    paper="Silva, Pinto & Cardoso",
    year=2018,
    equation="eq. 28",
    meaning="OC on row shares: every gold class present counts alike",
    formula=r"1 + \min_{\pi} \sum_{(r,c) \in \pi} \frac{s_{rc}}{K'} \Big( \beta\, |r-c|^\gamma - "
    r"\frac{1}{1 + E} \Big), \quad "
    r"s_{rc} = \frac{n_{rc}}{n_{r\cdot}}, \quad "
    r"E = \Big( \frac{1}{K'} \sum_{rc} |r-c|^\gamma\, s_{rc} \Big)^{1/\gamma}",
)
def uoc(batch: Batch, beta: float = 0.25, gamma: float = 1) -> Array:
    shares = batch.counts / np.maximum(batch.rows, TINY)[:, None]
    steps = np.arange(batch.classes, dtype=np.float64)[:, None] ** gamma
    penalty, benefit = uniform_terms(batch, shares, gamma)
    return 1 + cheapest_path(shares, beta * penalty * steps - benefit)


def uniform_terms(batch: Batch, shares: Array, gamma: float) -> tuple[Array, Array]:
    """What a unit of row share costs a step (at beta = 1) and what it is worth on a path."""
    distances = index_distance(batch.classes, gamma).reshape(-1)
    spread = distances @ shares.reshape(-1, batch.size)
    # eq. 20: the dispersion is a mean over classes before the root is taken, for any gamma.
    mean = spread / batch.present_count
    benefit = 1 / (batch.present_count * (1 + (mean if gamma == 1 else mean ** (1 / gamma))))
    return 1 / batch.present_count, benefit


def oc_path(
    matrix: ArrayLike,
    beta: float = 0.25,
    gamma: float = 1,
    beta_raw: float | None = None,
    dispersion: bool = True,
) -> list[tuple[int, int]]:
    """The best path of `oc` on one matrix, as cells (row, column) from first to last.

    Of equally good paths the one nearest to the diagonal is given.
    """
    stack = as_stack(matrix)
    if stack.ndim != 2:
        raise InputError(f"oc_path takes one matrix (K, K); got shape {stack.shape}")
    ((_, batch),) = batches(flatten(stack))
    classes = batch.classes
    price = oc_price(batch, beta, gamma, beta_raw, dispersion)[:, 0]
    away = index_distance(classes)
    weight = batch.counts[:, :, 0] * price[away.astype(int)]
    # Cost first, then distance from the diagonal and number of cells to settle ties.
    best: dict[tuple[int, int], tuple[float, float, int, tuple[int, int] | None]] = {}
    for r in range(classes):
        for c in range(classes):
            before = [p for p in ((r - 1, c - 1), (r - 1, c), (r, c - 1)) if p in best]
            come = min(before, key=lambda p: best[p][:3], default=None)
            cost, off, length, _ = best[come] if come else (0.0, 0.0, 0, None)
            cost = round(cost + float(weight[r, c]), 12)
            best[r, c] = (cost, off + float(away[r, c]), length + 1, come)
    path: list[tuple[int, int]] = []
    cell: tuple[int, int] | None = (classes - 1, classes - 1)
    while cell is not None:
        path.append(cell)
        cell = best[cell][3]
    return path[::-1]
