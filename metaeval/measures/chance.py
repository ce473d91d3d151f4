"""Agreement corrected for chance: kappas, Matthews correlation, Krippendorff's alpha."""

from __future__ import annotations

import numpy as np

from metaeval.batch import Array, Batch, centred_positions, cross_moment, index_distance
from metaeval.measures.premises import GOLD_VARIES, NOT_ONE_CLASS, OUTPUT_VARIES, WHOLE_COUNTS
from metaeval.measures.registry import register


def _kappa(batch: Batch, weights: Array) -> Array:
    """1 - observed / expected disagreement, with sums of positive terms only (no cancelling)."""
    expected = (batch.rows * (weights @ batch.cols)).sum(axis=0)
    return 1 - batch.total * batch.weighted_sum(weights) / expected


@register(
    takes="batch",
    family="chance-corrected",
    range=(-1, 1),
    premises=[NOT_ONE_CLASS],
    paper="Cohen",
    year=1960,
    equation="kappa",
    meaning="agreement beyond chance, every error alike",
    formula=r"1 - \frac{N \sum_{r \ne c} n_{rc}}{\sum_{r \ne c} n_{r\cdot}\, n_{\cdot c}}",
)
def cohen_kappa(batch: Batch) -> Array:
    return _kappa(batch, 1.0 - np.eye(batch.classes))


@register(
    takes="batch",
    family="chance-corrected",
    range=(-1, 1),
    premises=[NOT_ONE_CLASS],
    paper="Cohen; Vanbelle & Albert",
    year=1968,
    equation="weighted kappa, weights |r-c|",
    meaning="agreement beyond chance, errors weighted by their distance",
    formula=r"1 - \frac{N \sum_{rc} |r-c|\, n_{rc}}{\sum_{rc} |r-c|\, n_{r\cdot}\, n_{\cdot c}}",
)
def linear_weighted_kappa(batch: Batch) -> Array:
    return _kappa(batch, index_distance(batch.classes))


@register(
    takes="batch",
    family="chance-corrected",
    range=(-1, 1),
    premises=[NOT_ONE_CLASS],
    paper="Cohen; Fleiss & Cohen",
    year=1968,
    equation="weighted kappa, weights (r-c)^2",
    meaning="agreement beyond chance, errors weighted by their squared distance",
    formula=r"1 - \frac{N \sum_{rc} (r-c)^2\, n_{rc}}{\sum_{rc} (r-c)^2\, n_{r\cdot}\, n_{\cdot "
    r"c}}",
)
def quadratic_weighted_kappa(batch: Batch) -> Array:
    return _kappa(batch, index_distance(batch.classes, 2.0))


@register(
    takes="batch",
    family="chance-corrected",
    range=(-1, 1),
    premises=[GOLD_VARIES, OUTPUT_VARIES],
    paper="Gorodkin",
    year=2004,
    equation="R_K",
    meaning="multiclass Matthews correlation of gold and output",
    formula=r"\frac{N \sum_k n_{kk} - \sum_k n_{k\cdot}\, n_{\cdot k}}{\sqrt{(N^2 - \sum_k "
    r"n_{k\cdot}^2)(N^2 - \sum_k n_{\cdot k}^2)}}",
)
def mcc(batch: Batch) -> Array:
    # N tr - Σ r_k c_k, as Σ (TP TN - FP FN): the plain difference loses all digits when one
    # class holds nearly every item.
    missed = batch.rows - batch.diagonal
    false = batch.cols - batch.diagonal
    rest = batch.total - batch.rows - false
    covariance = (batch.diagonal * rest - missed * false).sum(axis=0)
    return covariance / np.sqrt(batch.gold_pairs * batch.predicted_pairs) / 2


@register(
    takes="batch",
    family="chance-corrected",
    range=(-1, 1),
    premises=[WHOLE_COUNTS, NOT_ONE_CLASS],
    paper="Krippendorff",
    year=2011,
    equation="alpha, ordinal difference",
    meaning="gold and output as two raters, differences by the number of items between classes",
    formula=r"1 - (2N-1) \frac{\sum_{rc} \delta_{rc}^2\, n_{rc}}{\sum_{i<j} \delta_{ij}^2\, m_i "
    r"m_j}, \quad "
    r"m_k = n_{k\cdot} + n_{\cdot k}, \quad "
    r"\delta_{ij} = \sum_{k=\min(i,j)}^{\max(i,j)} m_k - \frac{m_i + m_j}{2}",
)
def krippendorff_alpha(batch: Batch) -> Array:
    # The ordinal difference of two classes is that of their mid-ranks in the pooled labels, so
    # both disagreements are second moments of these, and need no double sum over classes.
    pooled = batch.rows + batch.cols
    position = centred_positions(pooled)
    spread = (pooled * position * position).sum(axis=0)
    shared = cross_moment(batch, position, position)
    pairable = 2 * batch.total
    return 1 - (1 - 2 * shared / spread) * ((pairable - 1) / pairable)
