"""Systems that guess."""

import numpy as np

from generators.registry import Array, register


@register(kind="outputs", paper="Amigo et al. 2020, 5.3")
def random(gold: Array, classes: int, rng: np.random.Generator) -> Array:
    """Every hit item gets a class uniform over the scale, its own included."""
    return rng.integers(classes, size=gold.shape)
