"""Systems that are one class too high."""

import numpy as np

from generators.registry import Array, register


@register(kind="outputs", paper="Amigo et al. 2020, 5.3")
def tag_displacement(gold: Array, classes: int, rng: np.random.Generator) -> Array:
    """Every hit item gets the next higher class; the highest class stays."""
    return np.minimum(gold + 1, classes - 1)
