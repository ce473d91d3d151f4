"""Confusion matrices as numpy stacks (..., K, K): validation, and cutting into batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaeval.batch import Array, Batch
from metaeval.errors import InputError

# Two mebibytes of counts a chunk, measured as the best: shorter chunks pay numpy's overhead a
# call too often, longer ones leave the caches. Large K would still make chunks too short.
CELLS_PER_CHUNK = 1 << 18
MINIMUM_CHUNK = 512

# Freeing one large array raises glibc's limits for returning memory to the system. Without it
# the temporaries of every chunk come as fresh pages, which can cost more than the arithmetic.
np.empty(3 << 20)

Stack = NDArray[Any]


def as_stack(matrices: ArrayLike) -> Stack:
    """The matrices as one numeric array of shape (..., K, K), not copied if it is one already."""
    try:
        stack = np.asarray(matrices)
    except ValueError:
        raise InputError("the matrices differ in shape; all must be K x K with one K") from None
    if stack.dtype.kind not in "buif":
        raise InputError(f"a confusion matrix holds numbers, not {stack.dtype}")
    if stack.ndim < 2 or stack.shape[-1] != stack.shape[-2]:
        raise InputError(
            f"a confusion matrix is square, (..., K, K), true classes in rows; got {stack.shape}"
        )
    if stack.shape[-1] < 2:
        raise InputError(f"a confusion matrix needs at least 2 classes; got {stack.shape[-1]}")
    return stack


def flatten(stack: Stack) -> Stack:
    """All leading axes as one: (B, K, K)."""
    return stack.reshape(-1, *stack.shape[-2:])


def chunk_length(classes: int) -> int:
    """How many matrices of so many classes are worked on at a time."""
    return max(MINIMUM_CHUNK, CELLS_PER_CHUNK // classes**2)


def batches(
    flat: Stack, length: int | None = None, first: int = 0
) -> Iterator[tuple[slice, Batch]]:
    """Validated batches of a (B, K, K) stack, with the slice of B that each one covers.

    A batch is good until the next one is asked for: they share one buffer. `first` is the number
    of the first matrix within a larger stack, for complaints.
    """
    length = min(length or chunk_length(flat.shape[-1]), max(len(flat), 1))
    buffers = np.empty((2, length * flat.shape[-1] ** 2))
    for start in range(0, len(flat), length):
        where = slice(start, min(start + length, len(flat)))
        part = flat[where]
        batch = Batch(_batch_last(part, buffers))
        # A NaN fails every comparison. An infinite count makes an infinite total.
        if not (batch.counts.min() >= 0 and batch.total.max() < np.inf):
            raise _bad_count(part, first + start)
        if not batch.total.min() > 0:
            number = first + start + int(np.argmin(batch.total))
            raise InputError(f"matrix {number} is empty: a confusion matrix needs at least 1 item")
        yield where, batch


def _batch_last(part: Stack, buffers: Array) -> Array:
    """The counts as floats in (K, K, n) order, in the second of the buffers."""
    count, classes, _ = part.shape
    flat, last = buffers[:, : part.size].reshape(2, classes * classes, count)
    if part.strides[0] == part.itemsize:
        np.copyto(last.reshape(classes, classes, count), np.moveaxis(part, 0, -1))
    else:
        # Converting first, and as rows of cells, keeps the transposing copy to one plain type
        # and two axes: half the time.
        cells = flat.reshape(count, classes * classes)
        np.copyto(cells.reshape(part.shape), part)
        np.copyto(last, cells.T)
    return last.reshape(classes, classes, count)


def _bad_count(part: Stack, start: int) -> InputError:
    bad = ~(part >= 0) | ~np.isfinite(part)
    if not bad.any():
        return InputError(f"a matrix from number {start} on has more items than a float can count")
    number, row, column = (int(i) for i in np.argwhere(bad)[0])
    return InputError(
        f"matrix {start + number}, row {row}, column {column} holds {part[number, row, column]}; "
        "counts are finite and not negative"
    )
