"""Closeness Evaluation Measures: classes are near if few gold items lie between them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metaeval.batch import TINY, Array, Batch, information
from metaeval.errors import InputError
from metaeval.measures.premises import GOLD_VARIES
from metaeval.measures.registry import register


def between_share(rows: Array, total: Array) -> Array:
    """Share of gold items between gold class and output class: (gold K, output K, n).

    Half of the output class, and everything from there to the gold class inclusive.
    """
    classes = len(rows)
    upto = np.add.accumulate(rows, axis=0)
    middle = upto - rows / 2
    share = np.empty((classes, *rows.shape))
    for g in range(classes):
        np.subtract(middle[g:], (upto[g] - rows[g])[None], out=share[g, g:])
        np.subtract(upto[g][None], middle[:g], out=share[g, :g])
        share[g, g] = rows[g] / 2
    share /= total
    return share


def nearer_share(rows: Array, total: Array) -> Array:
    """Share of gold items nearer to gold in index distance than the output, plus half the ties."""
    classes = len(rows)
    share = np.empty((classes, *rows.shape))
    for g in range(classes):
        nearer = np.zeros_like(total)
        for step in range(max(g, classes - 1 - g) + 1):
            at_step = [c for c in {g - step, g + step} if 0 <= c < classes]
            tied = rows[at_step].sum(axis=0)
            share[g, at_step] = nearer + tied / 2
            nearer = nearer + tied
    share /= total
    return share


def _normalised(batch: Batch, closeness: Array) -> Array:
    """Closeness of all items over that of a perfect output."""
    index = np.arange(batch.classes)
    return batch.cell_sum(closeness) / (closeness[index, index] * batch.rows).sum(axis=0)


@register(
    takes="batch",
    family="closeness",
    range=(0, 1),
    paper="Amigo et al.",
    year=2020,
    equation="section 3.1",
    meaning="information in how few gold items lie between output and gold, over its maximum",
    formula=r"\frac{\sum_{rc} n_{rc} \log p_{rc}}{\sum_r n_{r\cdot} \log p_{rr}}, \quad "
    r"p_{rc} = \frac{1}{N} \Big( \frac{n_{c\cdot}}{2} + \sum_{k \ne c \text{, from } c "
    r"\text{ to } r} n_{k\cdot} \Big)",
)
def cem_ord(batch: Batch) -> Array:
    return _normalised(batch, -np.log(np.maximum(between_share(batch.rows, batch.total), TINY)))


@register(
    takes="batch",
    family="closeness",
    range=(0, 1),
    paper="Amigo et al.",
    year=2020,
    equation="section 5.2",
    meaning="CEM_ORD without the logarithm: share of gold items not in between",
    formula=r"\frac{\sum_{rc} n_{rc} (1 - p_{rc})}{\sum_r n_{r\cdot} (1 - p_{rr})}, \quad "
    r"p_{rc} \text{ as in cem\_ord}",
)
def cem_ord_flat(batch: Batch) -> Array:
    return _normalised(batch, 1 - between_share(batch.rows, batch.total))


@register(
    takes="batch",
    family="closeness",
    range=(0, 1),
    premises=[GOLD_VARIES],
    paper="Amigo et al.",
    year=2020,
    equation="section 3.2, nominal scale",
    meaning="right answers weighted by the information in their gold class",
    formula=r"\frac{\sum_r n_{rr} \log (n_{r\cdot} / N)}{\sum_r n_{r\cdot} \log (n_{r\cdot} / N)}",
)
def cem_nom(batch: Batch) -> Array:
    bits = information(batch.rows, batch.total)
    return (bits * batch.diagonal).sum(axis=0) / (bits * batch.rows).sum(axis=0)


@register(
    takes="batch",
    family="closeness",
    range=(0, 1),
    paper="Amigo et al.",
    year=2020,
    equation="section 3.2, interval scale",
    meaning="information in how few gold items are nearer to gold than the output is",
    formula=r"\frac{\sum_{rc} n_{rc} \log q_{rc}}{\sum_r n_{r\cdot} \log q_{rr}}, \quad "
    r"q_{rc} = \frac{1}{N} \Big( \sum_{|k-r| < |c-r|} n_{k\cdot} + \frac{1}{2} "
    r"\sum_{|k-r| = |c-r|} n_{k\cdot} \Big)",
)
def cem_int(batch: Batch) -> Array:
    return _normalised(batch, -np.log(np.maximum(nearer_share(batch.rows, batch.total), TINY)))


def proximity(gold_sizes: ArrayLike) -> Array:
    """CEM_ORD's proximity in bits of every system class (row) to every gold class (column)."""
    sizes = np.asarray(gold_sizes, dtype=np.float64)
    if sizes.ndim != 1 or len(sizes) < 2 or not (sizes >= 0).all() or not sizes.sum() > 0:
        raise InputError("gold sizes are at least two numbers, not negative and not all 0")
    with np.errstate(divide="ignore"):
        bits: Array = -np.log2(between_share(sizes[:, None], np.array([sizes.sum()]))[..., 0].T)
    return bits
