"""Ordinal quantification: are the class sizes right, whoever is in them?"""

from __future__ import annotations

import numpy as np

from metaeval.batch import Array, Batch, index_distance
from metaeval.measures.registry import register


@register(
    takes="batch",
    family="quantification",
    greater_is_better=False,
    range=(0, 1),
    paper="Sakai",
    year=2021,
    equation="normalised match distance",
    meaning="work to turn the predicted class sizes into the gold ones, one class a step",
    formula=r"\frac{1}{N (K-1)} \sum_{k=1}^{K-1} \Big| \sum_{i \le k} (n_{\cdot i} - n_{i\cdot}) "
    r"\Big|",
)
def nmd(batch: Batch) -> Array:
    # Differences first, then cumulated: cumulating both would cancel between large numbers.
    drift = np.add.accumulate(batch.cols - batch.rows, axis=0)[:-1]
    return np.abs(drift).sum(axis=0) / (batch.total * (batch.classes - 1))


@register(
    takes="batch",
    family="quantification",
    greater_is_better=False,
    range=(0, 1),
    paper="Sakai",
    year=2021,
    equation="root normalised order-aware divergence",
    meaning="squared differences of the class sizes, weighted by distance from each gold class",
    formula=r"\sqrt{\frac{1}{(K-1) K'} \sum_{r \in P} \sum_c |r-c| \Big( \frac{n_{\cdot c} - "
    r"n_{c\cdot}}{N} \Big)^2}",
)
def rnod(batch: Batch) -> Array:
    gap = (batch.cols - batch.rows) / batch.total
    divergence = index_distance(batch.classes) @ (gap * gap)
    mean = (divergence * (batch.rows > 0)).sum(axis=0) / batch.present_count
    return np.sqrt(mean / (batch.classes - 1))
