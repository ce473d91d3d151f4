"""Systems that rank items too high."""

import math

import numpy as np

from generators.checks import choice, real
from generators.ranking import ranked, unranked
from generators.registry import Array, register


@register(kind="outputs", paper="Amigo et al. 2020, 5.3")
def ordinal_displacement(
    gold: Array,
    classes: int,
    rng: np.random.Generator,
    *,
    shift: float = 0.1,
    random_shift: bool = False,
    past_end: str = "keep",
) -> Array:
    """Every hit item gets the gold class found shift times n places higher in the gold order.

    The number of places is rounded down. ``random_shift`` draws it for each item, uniform from 1
    to that number. Past the end an item keeps its class ("keep") or gets the highest one present
    ("clip"). Ties in the order are broken at random.
    """
    share = real("shift", shift, 0, 1)
    choice("past_end", past_end, ("keep", "clip"))
    items = gold.shape[1]
    places = math.floor(share * items + 1e-9)
    order, labels = ranked(gold, rng)
    position = np.arange(items)
    if random_shift and places:
        target = position + rng.integers(1, places + 1, size=gold.shape)
    else:
        target = np.broadcast_to(position + places, gold.shape)
    if past_end == "keep":
        target = np.where(target < items, target, position)
    moved = np.take_along_axis(labels, np.minimum(target, items - 1), axis=1)
    return unranked(order, moved)
