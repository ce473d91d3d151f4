"""Matrices of systems that share one pattern of confusion."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from generators.checks import GeneratorError, real, table, whole
from generators.registry import Array, register
from generators.sizes import class_sizes


@register(kind="matrices")
def noisy_kernel(
    count: int,
    rng: np.random.Generator,
    *,
    kernel: ArrayLike | None = None,
    concentration: float = 20.0,
    items: int = 400,
    classes: int | None = None,
    largest: float | None = None,
) -> Array:
    """Systems whose errors follow a kernel up to Dirichlet noise.

    Row r of ``kernel`` says how the items of class r spread over the predicted classes; rows are
    divided by their sums. None is exp(-|r - c|), for 4 classes if nothing else is said. For every
    matrix each row is redrawn from a Dirichlet distribution around it (the higher
    ``concentration``, the less noise) and the class's items are drawn from that row. Class sizes
    as in fixed_accuracy.
    """
    shares = _kernel(kernel, classes)
    strength = real("concentration", concentration, 1e-6, 1e12)
    sizes = class_sizes(items, len(shares), largest)
    return rng.multinomial(sizes, _dirichlet(strength * shares, count, rng))


def _dirichlet(
    alpha: NDArray[np.float64], count: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Dirichlet rows, in logarithms because gamma values underflow for small alpha."""
    shape = (count, *alpha.shape)
    with np.errstate(divide="ignore"):  # a zero of the kernel stays a zero
        logs = np.log(rng.standard_gamma(alpha + 1, shape)) - (
            rng.standard_exponential(shape) / alpha
        )
    drawn = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(drawn / drawn.sum(axis=-1, keepdims=True))


def _kernel(kernel: ArrayLike | None, classes: int | None) -> NDArray[np.float64]:
    if kernel is None:
        place = np.arange(whole("classes", 4 if classes is None else classes, 2))
        rows = np.exp(-np.abs(np.subtract.outer(place, place)).astype(np.float64))
    else:
        rows = table(kernel)
    numbers = rows.dtype.kind in "iuf" and np.isfinite(rows).all() and (rows >= 0).all()
    square = rows.ndim == 2 and len(rows) == rows.shape[1] >= 2
    if not numbers or not square or not rows.any(axis=1).all():
        raise GeneratorError(
            "kernel must be a square table of non-negative numbers with at least 2 rows, "
            "none of them all zero"
        )
    if classes is not None and classes != len(rows):
        raise GeneratorError(f"kernel has {len(rows)} classes, but classes is {classes!r}")
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))
