"""Matrices of one item."""

import numpy as np

from generators.checks import whole
from generators.registry import Array, register


@register(kind="matrices", paper="Cardoso & Sousa 2011, 3.2; Silva et al. 2018, III.A")
def single_sample(
    count: int, rng: np.random.Generator, *, classes: int = 5, distance: int | None = 1
) -> Array:
    """One item, uniform over the cells distance classes off the diagonal (None: all cells)."""
    classes = whole("classes", classes, 2)
    apart = np.abs(np.subtract.outer(np.arange(classes), np.arange(classes)))
    if distance is None:
        cells = np.arange(classes**2)
    else:
        cells = np.flatnonzero(apart == whole("distance", distance, 0, classes - 1))
    out = np.zeros((count, classes**2), np.int64)
    out[np.arange(count), rng.choice(cells, count)] = 1
    return out.reshape(count, classes, classes)
