"""Clustering metrics: how much does the output tell about gold, whatever the class names?"""

from __future__ import annotations

import numpy as np

from metaeval.batch import Array, Batch, information
from metaeval.measures.premises import Premise
from metaeval.measures.rank import harmonic_mean
from metaeval.measures.registry import Bound, register

SOME_ENTROPY = Premise(
    "gold or output has at least two classes",
    "gold and output are both constant, so there is no information to share",
    lambda b, _: (b.present_count < 2) & (b.predicted_count < 2),
)


def _shared_bits(batch: Batch) -> Array:
    """Mutual information in bits."""
    # The logarithm of n N / (r c) is taken of its distance from 1, written without cancelling
    # as (TP TN - FP FN) / (r c): a class with nearly all of 10^12 items keeps its digits.
    rows, cols = batch.rows[:, None], batch.cols[None, :]
    missed = rows - batch.counts
    rest = batch.total - cols - missed
    lift = batch.counts * rest
    missed *= cols - batch.counts
    lift -= missed
    lift /= np.where(rows * cols > 0, rows * cols, 1.0)
    np.log1p(lift, out=lift, where=batch.counts > 0)
    lift *= batch.counts
    nats = lift.reshape(-1, batch.size).sum(axis=0) / batch.total
    return np.maximum(nats, 0.0) / np.log(2)


def _entropy(sizes: Array, total: Array) -> Array:
    bits = information(sizes, total) / np.log(2)
    return (sizes * bits).sum(axis=0) / total


@register(
    takes="batch",
    family="clustering",
    range=(0, Bound("log2 K", lambda k: float(np.log2(k)))),
    paper="Amigo et al.",
    year=2020,
    equation="section 5",
    meaning="bits that the output tells about the gold classes",
    formula=r"\frac{1}{N} \sum_{rc} n_{rc} \log_2 \frac{N\, n_{rc}}{n_{r\cdot}\, n_{\cdot c}}",
)
def mutual_information(batch: Batch) -> Array:
    return _shared_bits(batch)


@register(
    takes="batch",
    family="clustering",
    range=(0, 1),
    premises=[SOME_ENTROPY],
    paper="Strehl & Ghosh; Amigo et al.",
    year=2002,
    equation="arithmetic mean of the entropies",
    meaning="mutual information over the mean entropy of gold and output",
    formula=r"\frac{2 I}{H_g + H_p}, \quad I = \text{mutual\_information}, \quad "
    r"H_g = -\sum_r \frac{n_{r\cdot}}{N} \log_2 \frac{n_{r\cdot}}{N}, \quad "
    r"H_p = -\sum_c \frac{n_{\cdot c}}{N} \log_2 \frac{n_{\cdot c}}{N}",
)
def normalized_mutual_information(batch: Batch) -> Array:
    entropies = _entropy(batch.rows, batch.total) + _entropy(batch.cols, batch.total)
    return 2 * _shared_bits(batch) / entropies


@register(
    takes="batch",
    family="clustering",
    range=(0, 1),
    paper="Amigo et al.",
    year=2009,
    equation="purity",
    meaning="share of items whose gold class is the commonest in their predicted class",
    formula=r"\frac{1}{N} \sum_c \max_r n_{rc}",
)
def purity(batch: Batch) -> Array:
    return batch.counts.max(axis=0).sum(axis=0) / batch.total


@register(
    takes="batch",
    family="clustering",
    range=(0, 1),
    paper="Amigo et al.",
    year=2009,
    equation="inverse purity",
    meaning="share of items whose predicted class is the commonest in their gold class",
    formula=r"\frac{1}{N} \sum_r \max_c n_{rc}",
)
def inverse_purity(batch: Batch) -> Array:
    return batch.counts.max(axis=1).sum(axis=0) / batch.total


@register(
    takes="batch",
    family="clustering",
    range=(0, 1),
    paper="Amigo et al.",
    year=2009,
    equation="F(purity, inverse purity)",
    meaning="harmonic mean of purity and inverse purity",
    formula=r"\frac{2 U V}{U + V}, \quad U = \text{purity}, \quad V = \text{inverse\_purity}",
)
def purity_f(batch: Batch) -> Array:
    return harmonic_mean(purity(batch), inverse_purity(batch))
