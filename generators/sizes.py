"""How many items each gold class has."""

import numpy as np
from numpy.typing import NDArray

from generators.checks import MOST_ITEMS, GeneratorError, real, rounded, whole


def class_sizes(items: int, classes: int, largest: float | None) -> NDArray[np.int64]:
    """Sizes of the classes: the first has the share ``largest``, the others split the rest equally.

    Extras go to the last classes; ``None`` splits all items equally. The first class stays the
    largest where rounding would make it smaller than another.
    """
    items = whole("items", items, 1, MOST_ITEMS)
    classes = whole("classes", classes, 2)
    if largest is None:
        return _equal(items, classes)
    share = real("largest", largest)
    if not 1 / classes - 1e-12 <= share <= 1:
        raise GeneratorError(
            f"largest must be a share from 1/{classes} to 1 for {classes} classes, got {largest!r}"
        )
    first = max(rounded(share * items), -(-items // classes))
    return np.concatenate(([first], _equal(items - first, classes - 1)))


def _equal(items: int, classes: int) -> NDArray[np.int64]:
    each, extra = divmod(items, classes)
    sizes = np.full(classes, each, np.int64)
    sizes[classes - extra :] += 1
    return sizes
