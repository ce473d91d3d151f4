"""Error metrics: every class step costs the same, whatever lies between the classes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from metaeval.batch import TINY, Array, Batch, index_distance
from metaeval.measures.domains import one_of
from metaeval.measures.registry import Bound, register

STEPS = Bound("K-1", lambda k: k - 1.0)
SQUARED_STEPS = Bound("(K-1)^2", lambda k: (k - 1.0) ** 2)
ABSENT = {"absent": one_of("skip", "zero")}


@register(
    takes="batch",
    family="distance",
    greater_is_better=False,
    range=(0, STEPS),
    paper="Cardoso & Sousa",
    year=2011,
    equation="section 1.1",
    meaning="mean number of classes off",
    formula=r"\frac{1}{N} \sum_{rc} |r-c|\, n_{rc}",
)
def mae(batch: Batch) -> Array:
    return batch.absolute_error / batch.total


@register(
    takes="batch",
    family="distance",
    greater_is_better=False,
    range=(0, SQUARED_STEPS),
    paper="Cardoso & Sousa",
    year=2011,
    equation="section 1.1",
    meaning="mean squared number of classes off",
    formula=r"\frac{1}{N} \sum_{rc} (r-c)^2\, n_{rc}",
)
def mse(batch: Batch) -> Array:
    return batch.weighted_sum(index_distance(batch.classes, 2.0)) / batch.total


def _class_errors(batch: Batch, power: float) -> Array:
    """Mean error of each gold class (K, n), 0 for an absent one."""
    weights = index_distance(batch.classes, power)
    errors = np.empty((batch.classes, batch.size))
    for r in range(batch.classes):
        np.dot(weights[r], batch.counts[r], out=errors[r])
    errors /= np.maximum(batch.rows, TINY)
    return errors


def _average(batch: Batch, power: float, absent: str) -> Array:
    among = batch.present_count if absent == "skip" else batch.classes
    return _class_errors(batch, power).sum(axis=0) / among


@register(
    takes="batch",
    family="distance",
    greater_is_better=False,
    range=(0, STEPS),
    parameters=ABSENT,
    paper="Baccianella, Esuli & Sebastiani; George, Lu & Chang",
    year=2009,
    equation="2016: eq. 2",
    meaning="mean over the gold classes of the class's mean absolute error",
    formula=r"\frac{1}{K'} \sum_{r \in P} \frac{1}{n_{r\cdot}} \sum_c |r-c|\, n_{rc} \quad "
    r"(\text{absent='zero': } K \text{ for } K')",
)
def amae(batch: Batch, absent: str = "skip") -> Array:
    return _average(batch, 1.0, absent)


@register(
    takes="batch",
    family="distance",
    greater_is_better=False,
    range=(0, SQUARED_STEPS),
    parameters=ABSENT,
    paper="Baccianella, Esuli & Sebastiani",
    year=2009,
    equation="macro-averaged MSE",
    meaning="mean over the gold classes of the class's mean squared error",
    formula=r"\frac{1}{K'} \sum_{r \in P} \frac{1}{n_{r\cdot}} \sum_c (r-c)^2\, n_{rc} \quad "
    r"(\text{absent='zero': } K \text{ for } K')",
)
def amse(batch: Batch, absent: str = "skip") -> Array:
    return _average(batch, 2.0, absent)


@register(
    takes="batch",
    family="distance",
    greater_is_better=False,
    range=(0, STEPS),
    parameters=ABSENT,
    paper="Cruz-Ramirez et al.; Silva, Pinto & Cardoso",
    year=2014,
    equation="2018: eq. 14",
    meaning="mean absolute error of the gold class that fares worst",
    formula=r"\max_{r \in P} \frac{1}{n_{r\cdot}} \sum_c |r-c|\, n_{rc}",
)
def mmae(batch: Batch, absent: str = "skip") -> Array:
    # Both policies agree here: an absent class counts 0, and no class can do better than 0.
    return _class_errors(batch, 1.0).max(axis=0)


@lru_cache(maxsize=64)
def _all_threshold_loss(classes: int) -> Array:
    """Logistic penalty of every threshold on the wrong side of the prediction (K, K)."""
    index = np.arange(classes, dtype=np.float64)
    thresholds = index[1:] - 0.5
    side = np.where(thresholds[None, :] < index[:, None], -1.0, 1.0)  # (gold, threshold)
    margin = side[:, None, :] * (thresholds[None, None, :] - index[None, :, None])
    return np.logaddexp(0.0, -margin).sum(axis=2)


@register(
    takes="batch",
    family="distance",
    greater_is_better=False,
    range=(
        Bound("lowest penalty of a right answer", lambda k: float(_all_threshold_loss(k).min())),
        Bound("highest penalty of an answer", lambda k: float(_all_threshold_loss(k).max())),
    ),
    paper="Rennie & Srebro",
    year=2005,
    equation="all-threshold, logistic penalty",
    meaning="loss summed over all class thresholds, each by how far the output is beyond it",
    formula=r"\frac{1}{N} \sum_{rc} n_{rc} \sum_{t=1}^{K-1} \ln\big(1 + e^{-s_{rt} (t + 1/2 - "
    r"c)}\big), \quad "
    r"s_{rt} = -1 \text{ if } t < r \text{, else } 1",
)
def rennie_srebro(batch: Batch) -> Array:
    return batch.weighted_sum(_all_threshold_loss(batch.classes)) / batch.total
