"""Systems whose mistakes stay near the truth."""

import numpy as np

from generators.ranking import ranked, unranked
from generators.registry import Array, register


@register(kind="outputs", paper="Amigo et al. 2020, 5.3")
def proximity(gold: Array, classes: int, rng: np.random.Generator) -> Array:
    """Every hit item gets the gold class halfway, in the gold order, to a random position.

    Position floor((own + random) / 2), both from 1 to n; ties in the order are broken at random.
    """
    order, labels = ranked(gold, rng)
    items = gold.shape[1]
    own = np.arange(1, items + 1)
    halfway = (own + rng.integers(1, items + 1, size=gold.shape)) // 2
    return unranked(order, np.take_along_axis(labels, halfway - 1, axis=1))
