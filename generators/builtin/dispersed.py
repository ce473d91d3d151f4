"""Matrices that could be any."""

import numpy as np

from generators.checks import MOST_ITEMS, whole
from generators.registry import Array, register
from generators.splits import SPLITS


@register(kind="matrices", paper="Cardoso & Sousa 2011, 4.2")
def dispersed(count: int, rng: np.random.Generator, *, items: int = 10, classes: int = 3) -> Array:
    """All matrices of so many items and classes are equally likely.

    That is, all ways to write the number of items as a sum over the cells (stars and bars).
    """
    items = whole("items", items, 1, MOST_ITEMS)
    classes = whole("classes", classes, 2)
    cells = SPLITS["uniform"](np.full(count, items), classes**2, rng)
    return cells.T.reshape(count, classes, classes)
