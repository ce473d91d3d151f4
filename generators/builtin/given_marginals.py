"""Matrices of systems that know the class sizes and nothing else."""

from collections.abc import Sequence

import numpy as np

from generators.checks import GeneratorError, counts
from generators.registry import Array, register


@register(kind="matrices")
def given_marginals(
    count: int,
    rng: np.random.Generator,
    *,
    rows: Sequence[int] = (40, 30, 20, 10),
    columns: Sequence[int] | None = None,
) -> Array:
    """Random matrices with given row and column sums; without columns, rows serve for both.

    As if the predicted labels were shuffled: all pairings of the items' true and predicted labels
    are equally likely.
    """
    gold = counts("rows", rows)
    predicted = gold if columns is None else counts("columns", columns)
    if len(gold) != len(predicted) or gold.sum() != predicted.sum():
        raise GeneratorError(
            f"rows and columns must have one length and one sum, got {len(gold)} rows with sum "
            f"{gold.sum()} and {len(predicted)} columns with sum {predicted.sum()}"
        )
    classes = len(gold)
    out = np.empty((classes, classes, count), np.int64)
    free = np.repeat(predicted[:, None], count, axis=1)  # predicted labels not yet given away
    for r in range(classes - 1):
        open_items = np.full(count, gold[r])
        later = free.sum(axis=0)
        for c in range(classes - 1):
            later -= free[c]
            out[r, c] = rng.hypergeometric(free[c], later, open_items)
            open_items -= out[r, c]
        out[r, -1] = open_items
        free -= out[r]
    out[-1] = free
    return np.moveaxis(out, -1, 0)
