"""Items in the order of their classes."""

import numpy as np
from numpy.typing import NDArray

from generators.registry import Array


def ranked(gold: Array, rng: np.random.Generator) -> tuple[NDArray[np.intp], Array]:
    """Items of each case by class, ties in random order, and their classes in that order."""
    order = np.argsort(gold + rng.random(gold.shape), axis=1)
    return order, np.take_along_axis(gold, order, axis=1)


def unranked(order: NDArray[np.intp], ranked_labels: Array) -> Array:
    """Labels that stand in the order of ``ranked``, back at their items."""
    out = np.empty_like(ranked_labels)
    np.put_along_axis(out, order, ranked_labels, axis=1)
    return out
