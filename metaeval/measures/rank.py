"""Correlation and order: do gold and output put the items in the same order?"""

from __future__ import annotations

import numpy as np

from metaeval.batch import TINY, Array, Batch, centred_positions, cross_moment
from metaeval.measures.premises import (
    COMPARABLE_PAIR,
    GOLD_VARIES,
    OUTPUT_VARIES,
    TWO_ITEMS,
    WHOLE_COUNTS,
)
from metaeval.measures.registry import register

BOTH_VARY = (GOLD_VARIES, OUTPUT_VARIES)


def _product_moment(batch: Batch, gold: Array, output: Array) -> Array:
    """Correlation of centred class values, given for each class of gold and of output."""
    covariance = cross_moment(batch, gold, output)
    spread_gold = (batch.rows * gold * gold).sum(axis=0)
    spread_output = (batch.cols * output * output).sum(axis=0)
    return covariance / np.sqrt(spread_gold * spread_output)


@register(
    takes="batch",
    family="correlation",
    range=(0, 1),
    paper="Ghosh et al.; Amigo et al.",
    year=2015,
    equation="2020: section 4.2",
    meaning="cosine of the two vectors of class numbers 1..K",
    formula=r"\frac{\sum_{rc} r\, c\, n_{rc}}{\sqrt{\sum_r r^2\, n_{r\cdot} \sum_c c^2\, n_{\cdot "
    r"c}}}",
)
def cosine(batch: Batch) -> Array:
    number = np.arange(1.0, batch.classes + 1)
    product = batch.weighted_sum(np.outer(number, number))
    square = number * number
    return product / np.sqrt((square @ batch.rows) * (square @ batch.cols))


@register(
    takes="batch",
    family="correlation",
    range=(-1, 1),
    premises=BOTH_VARY,
    paper="Pearson; Amigo et al.",
    year=1895,
    equation="product-moment correlation",
    meaning="linear correlation of the class numbers",
    formula=r"\frac{\sum_{rc} (r - \bar r)(c - \bar c)\, n_{rc}} "
    r"{\sqrt{\sum_r (r - \bar r)^2\, n_{r\cdot} \sum_c (c - \bar c)^2\, n_{\cdot c}}}, "
    r"\quad "
    r"\bar r = \frac{1}{N} \sum_r r\, n_{r\cdot}, \quad \bar c = \frac{1}{N} \sum_c c\, "
    r"n_{\cdot c}",
)
def pearson(batch: Batch) -> Array:
    number = np.arange(1.0, batch.classes + 1)
    gold = number[:, None] - number @ batch.rows / batch.total
    output = number[:, None] - number @ batch.cols / batch.total
    return _product_moment(batch, gold, output)


@register(
    takes="batch",
    family="correlation",
    range=(-1, 1),
    premises=BOTH_VARY,
    paper="Spearman; Cardoso & Sousa",
    year=1904,
    equation="2011: section 1.1",
    meaning="linear correlation of the mid-ranks",
    formula=r"\frac{\sum_{rc} g_r\, p_c\, n_{rc}}{\sqrt{\sum_r g_r^2\, n_{r\cdot} \sum_c p_c^2\, "
    r"n_{\cdot c}}}, \quad "
    r"g_r = \sum_{i<r} n_{i\cdot} - \sum_{i>r} n_{i\cdot}, \quad "
    r"p_c = \sum_{i<c} n_{\cdot i} - \sum_{i>c} n_{\cdot i}",
)
def spearman(batch: Batch) -> Array:
    return _product_moment(batch, centred_positions(batch.rows), centred_positions(batch.cols))


@register(
    takes="batch",
    family="correlation",
    range=(-1, 1),
    premises=[WHOLE_COUNTS, TWO_ITEMS],
    paper="Kendall; Amigo et al.",
    year=1938,
    equation="tau-a",
    meaning="concordant minus discordant pairs over all pairs of items",
    formula=r"\frac{C - D}{N(N-1)/2}",
)
def kendall_tau_a(batch: Batch) -> Array:
    return batch.order_surplus / (batch.total * (batch.total - 1) / 2)


@register(
    takes="batch",
    family="correlation",
    range=(-1, 1),
    premises=BOTH_VARY,
    paper="Kendall; Cardoso & Sousa",
    year=1945,
    equation="tau-b; 2011: section 1.1",
    meaning="concordant minus discordant pairs, corrected for ties",
    formula=r"\frac{C - D}{\sqrt{T_g\, T_p}}",
)
def kendall_tau_b(batch: Batch) -> Array:
    untied = np.sqrt(batch.gold_pairs * batch.predicted_pairs)
    return batch.order_surplus / untied


@register(
    takes="batch",
    family="correlation",
    range=(-1, 1),
    premises=[COMPARABLE_PAIR],
    paper="Goodman & Kruskal",
    year=1954,
    equation="gamma",
    meaning="concordant minus discordant pairs over those tied in neither",
    formula=r"\frac{C - D}{C + D}",
)
def goodman_kruskal_gamma(batch: Batch) -> Array:
    return (batch.concordant - batch.discordant) / (batch.concordant + batch.discordant)


@register(
    takes="batch",
    family="correlation",
    range=(-1, 1),
    premises=[GOLD_VARIES],
    paper="Somers",
    year=1962,
    equation="d of output on gold",
    meaning="concordant minus discordant pairs over those that differ in gold",
    formula=r"\frac{C - D}{T_g}",
)
def somers_d(batch: Batch) -> Array:
    return batch.order_surplus / batch.gold_pairs


@register(
    takes="batch",
    family="correlation",
    range=(-1, 1),
    premises=[WHOLE_COUNTS, TWO_ITEMS],
    paper="Pinto da Costa, Alonso & Cardoso",
    year=2014,
    equation="r_int (corrected)",
    meaning="overlap of the two order relations, ties included",
    formula=r"-1 + \frac{2}{\sqrt{S_g\, S_p}} \Big( \sum_{rc} n_{rc} \sum_{i \ge r,\, j \ge c} "
    r"n_{ij} - N \Big), \quad "
    r"S_g = \sum_{i \le j} n_{i\cdot}\, n_{j\cdot} - N, \quad "
    r"S_p = \sum_{i \le j} n_{\cdot i}\, n_{\cdot j} - N",
)
def r_int(batch: Batch) -> Array:
    gold = (batch.total**2 + (batch.rows**2).sum(axis=0)) / 2 - batch.total
    output = (batch.total**2 + (batch.cols**2).sum(axis=0)) / 2 - batch.total
    return -1 + 2 * (batch.not_below - batch.total) / np.sqrt(gold * output)


def _share_ordered_alike(batch: Batch, axis: int, sizes: Array) -> Array:
    """Mean over the items of the share of items outside their class that are ordered alike.

    `sizes` are the classes that `axis` leaves: predicted ones for axis 0, gold ones for axis 1.
    """
    alike = batch.ordered_alike.sum(axis=axis)
    return (alike / (batch.total - sizes)).sum(axis=0) / batch.total


@register(
    takes="batch",
    family="correlation",
    range=(0, 1),
    premises=[OUTPUT_VARIES],
    paper="Amigo, Gonzalo & Verdejo",
    year=2013,
    equation="reliability of the order relations",
    meaning="of the order relations that the output states, the share that gold confirms",
    formula=r"\frac{1}{N} \sum_{rc} \frac{n_{rc}\, a_{rc}}{N - n_{\cdot c}}",
)
def reliability(batch: Batch) -> Array:
    return _share_ordered_alike(batch, 0, batch.cols)


@register(
    takes="batch",
    family="correlation",
    range=(0, 1),
    premises=[GOLD_VARIES],
    paper="Amigo, Gonzalo & Verdejo",
    year=2013,
    equation="sensitivity of the order relations",
    meaning="of the order relations in gold, the share that the output keeps",
    formula=r"\frac{1}{N} \sum_{rc} \frac{n_{rc}\, a_{rc}}{N - n_{r\cdot}}",
)
def sensitivity(batch: Batch) -> Array:
    return _share_ordered_alike(batch, 1, batch.rows)


@register(
    takes="batch",
    family="correlation",
    range=(0, 1),
    premises=BOTH_VARY,
    paper="Amigo, Gonzalo & Verdejo",
    year=2013,
    equation="F(reliability, sensitivity)",
    meaning="harmonic mean of reliability and sensitivity",
    formula=r"\frac{2 R S}{R + S}, \quad R = \text{reliability}, \quad S = \text{sensitivity}",
)
def reliability_sensitivity_f(batch: Batch) -> Array:
    return harmonic_mean(reliability(batch), sensitivity(batch))


def harmonic_mean(left: Array, right: Array) -> Array:
    """2ab / (a + b), and 0 where both are 0."""
    return 2 * left * right / np.maximum(left + right, TINY)
