"""Matrices of systems that are never more than one class off."""

import numpy as np

from generators.checks import whole
from generators.registry import Array, register


@register(kind="matrices", paper="Cardoso & Sousa 2011, 4.1")
def tridiagonal(count: int, rng: np.random.Generator, *, classes: int = 5) -> Array:
    """Ones on the main diagonal and its two neighbours; nothing is random."""
    classes = whole("classes", classes, 2)
    band = np.abs(np.subtract.outer(np.arange(classes), np.arange(classes))) <= 1
    return np.broadcast_to(band.astype(np.int64), (count, classes, classes))
