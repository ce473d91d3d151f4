"""Matrices of systems that accuracy cannot tell apart."""

import numpy as np

from generators.checks import GeneratorError, choice, real, rounded
from generators.registry import Array, register
from generators.sizes import class_sizes
from generators.splits import LIMITED_SPLITS, SPLITS


@register(kind="matrices", paper="George et al. 2016, 3.2")
def fixed_accuracy(
    count: int,
    rng: np.random.Generator,
    *,
    items: int = 400,
    classes: int = 4,
    accuracy: float = 0.6,
    largest: float | None = 0.5,
    mode: str = "overall",
    diagonal: str = "sequential",
    errors: str = "sequential",
) -> Array:
    """Random matrices of one accuracy and given class sizes.

    Class 0 has the share ``largest`` of the items, the others split the rest equally; ``None`` is
    balanced. Mode "overall" fixes the number of right items and splits it over the classes by the
    scheme ``diagonal``; "class-wise" makes round(accuracy * size) items of each class right. Each
    class's errors are split over the wrong classes, in ascending order, by the scheme ``errors``.
    Schemes: sequential, multinomial, uniform (see ``generators.splits``).
    """
    sizes = class_sizes(items, classes, largest)
    share = real("accuracy", accuracy, 0, 1)
    choice("mode", mode, ("overall", "class-wise"))
    choice("diagonal", diagonal, list(LIMITED_SPLITS))
    choice("errors", errors, list(SPLITS))
    if mode == "overall":
        right = LIMITED_SPLITS[diagonal](_right_items(share, items), sizes, count, rng)
    else:
        each = np.array([[rounded(share * size)] for size in sizes.tolist()])
        right = np.broadcast_to(each, (classes, count))
    wrong = SPLITS[errors](sizes[:, None] - right, classes - 1, rng)
    out = np.empty((classes, classes, count), np.int64)
    for k in range(classes):
        out[k, :k] = wrong[:k, k]
        out[k, k] = right[k]
        out[k, k + 1 :] = wrong[k:, k]
    return np.moveaxis(out, -1, 0)


def _right_items(accuracy: float, items: int) -> int:
    right = rounded(accuracy * items)
    if abs(accuracy * items - right) > 1e-6:
        below = int(accuracy * items)
        raise GeneratorError(
            f"accuracy {accuracy:g} cannot be reached with {items} items, the nearest are "
            f"{below}/{items} = {below / items:.6g} and {below + 1}/{items} = "
            f"{(below + 1) / items:.6g}"
        )
    return right
