"""Classification metrics: they see right and wrong, and at most how far wrong is tolerated."""

from __future__ import annotations

import numpy as np

from metaeval.batch import TINY, Array, Batch, index_distance
from metaeval.measures.domains import whole_from
from metaeval.measures.registry import register


@register(
    takes="batch",
    family="nominal",
    range=(0, 1),
    paper="George, Lu & Chang",
    year=2016,
    equation="eq. 1",
    meaning="share of items given their gold class",
    formula=r"\frac{1}{N} \sum_k n_{kk}",
)
def accuracy(batch: Batch) -> Array:
    return batch.correct / batch.total


@register(
    takes="batch",
    family="nominal",
    greater_is_better=False,
    range=(0, 1),
    paper="Silva, Pinto & Cardoso",
    year=2018,
    equation="eq. 1",
    meaning="misclassification error rate: share of items given a wrong class",
    formula=r"1 - \frac{1}{N} \sum_k n_{kk}",
)
def mer(batch: Batch) -> Array:
    return (batch.total - batch.correct) / batch.total


@register(
    takes="batch",
    family="nominal",
    range=(0, 1),
    parameters={"n": whole_from(0)},
    paper="Amigo et al.; Gaudette & Japkowicz",
    year=2020,
    equation="section 4.2",
    meaning="share of items at most n classes off",
    formula=r"\frac{1}{N} \sum_{|r-c| \le n} n_{rc}",
)
def accuracy_within(batch: Batch, n: int = 1) -> Array:
    near = (index_distance(batch.classes) <= n).astype(np.float64)
    return batch.weighted_sum(near) / batch.total


@register(
    takes="batch",
    family="nominal",
    range=(0, 1),
    paper="Amigo et al.",
    year=2020,
    equation="section 4.2",
    meaning="mean recall over the gold classes present (macro average accuracy)",
    formula=r"\frac{1}{K'} \sum_{r \in P} \frac{n_{rr}}{n_{r\cdot}}",
)
def macro_recall(batch: Batch) -> Array:
    return batch.recall.sum(axis=0) / batch.present_count


@register(
    takes="batch",
    family="nominal",
    range=(0, 1),
    paper="Amigo et al.",
    year=2020,
    equation="section 4.2",
    meaning="mean F1 over the gold classes present",
    formula=r"\frac{1}{K'} \sum_{r \in P} \frac{2\, n_{rr}}{n_{r\cdot} + n_{\cdot r}}",
)
def macro_f1(batch: Batch) -> Array:
    # A class that is neither in gold nor predicted has size 0; it is absent, so it adds 0.
    sizes = np.maximum(batch.rows + batch.cols, TINY)
    return (2 * batch.diagonal / sizes).sum(axis=0) / batch.present_count


@register(
    takes="batch",
    family="nominal",
    range=(0, 1),
    paper="Silva, Pinto & Cardoso",
    year=2018,
    equation="eq. 13, for any K",
    meaning="geometric mean of the recalls of the gold classes present",
    formula=r"\Big( \prod_{r \in P} \frac{n_{rr}}{n_{r\cdot}} \Big)^{1/K'}",
)
def g_mean(batch: Batch) -> Array:
    # By logarithms: the plain product of fifty small recalls would underflow.
    recall = np.where(batch.rows > 0, batch.recall, 1.0)
    return np.exp(np.log(recall).sum(axis=0) / batch.present_count)


@register(
    takes="batch",
    family="nominal",
    range=(0, 1),
    paper="Sanchez-Monedero et al.",
    year=2011,
    equation="minimum sensitivity",
    meaning="recall of the gold class present that fares worst",
    formula=r"\min_{r \in P} \frac{n_{rr}}{n_{r\cdot}}",
)
def min_sensitivity(batch: Batch) -> Array:
    return np.where(batch.rows > 0, batch.recall, np.inf).min(axis=0)
