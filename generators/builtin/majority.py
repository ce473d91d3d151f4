"""Systems that fall back on the most frequent class."""

import numpy as np

from generators.checks import choice, whole
from generators.registry import Array, register


@register(kind="outputs", paper="Amigo et al. 2020, 5.3")
def majority(gold: Array, classes: int, rng: np.random.Generator, *, label: int | str = 3) -> Array:
    """Every hit item gets one class: label, or with "empirical" the most frequent of its case."""
    if isinstance(label, str):
        choice("label", label, ("empirical",))
        sizes = np.stack([(gold == k).sum(axis=1) for k in range(classes)])
        chosen = sizes.argmax(axis=0)[:, None]  # the lowest of equally frequent classes
    else:
        chosen = np.array([[whole("label", label, 0, classes - 1)]])
    return np.broadcast_to(chosen, gold.shape)
