"""Confusion matrices as numpy stacks (..., K, K): validation, and cutting into batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaeval.batch import Array, Batch
from metaeval.errors import InputError

# About half a mebibyte of counts a chunk: with one temporary of the same size it stays in the
# second-level cache. Large K would make chunks too short for numpy's call overhead.
CELLS_PER_CHUNK = 1 << 16
MINIMUM_CHUNK = 512

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


def batches(flat: Stack, length: int | None = None) -> Iterator[tuple[slice, Batch]]:
    """Validated batches of a (B, K, K) stack, with the slice of B that each one covers."""
    length = length or chunk_length(flat.shape[-1])
    for start in range(0, len(flat), length):
        where = slice(start, min(start + length, len(flat)))
        part = flat[where]
        _reject_bad_counts(part, start)
        batch = Batch(_batch_last(part))
        if not (batch.total > 0).all():
            number = start + int(np.argmin(batch.total > 0))
            raise InputError(f"matrix {number} is empty: a confusion matrix needs at least 1 item")
        yield where, batch


def _batch_last(part: Stack) -> Array:
    """The counts as floats in (K, K, n) order."""
    # Converting first keeps the transposing copy to one plain type, which is twice as fast.
    if part.strides[0] != part.itemsize:
        part = part.astype(np.float64, order="C")
    return np.ascontiguousarray(np.moveaxis(part, 0, -1), dtype=np.float64)


def _reject_bad_counts(part: Stack, start: int) -> None:
    if part.dtype.kind in "bu":
        return
    # A NaN makes both comparisons false, an infinity the second one.
    if part.min() >= 0 and (part.dtype.kind == "i" or part.max() < np.inf):
        return
    bad = ~(part >= 0) | ~np.isfinite(part)
    number, row, column = (int(i) for i in np.argwhere(bad)[0])
    raise InputError(
        f"matrix {start + number}, row {row}, column {column} holds {part[number, row, column]}; "
        "counts are finite and not negative"
    )
