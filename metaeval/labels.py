"""Labels to confusion matrices: one pass, an explicit scale, integer counts."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaeval.errors import InputError

# Labels handled at a time: enough to make the overhead of numpy's calls small, few enough for the
# caches.
LABELS_PER_ROUND = 1 << 16

Counts = NDArray[np.int64]
Labels = NDArray[Any]
Classes = Sequence[Hashable] | NDArray[Any] | int


class Scale:
    """The classes of a task in their order. It is stated, never guessed from the labels."""

    def __init__(self, classes: Classes) -> None:
        """Take the ordered labels, or a number K that stands for the labels 0 to K - 1."""
        if isinstance(classes, (int, np.integer)):
            classes = range(int(classes))
        if isinstance(classes, (str, bytes)):
            raise InputError(f"classes must be a sequence of labels, not the text {classes!r}")
        self.classes: tuple[Hashable, ...] = tuple(
            c.item() if isinstance(c, np.generic) else c for c in classes
        )
        if len(self.classes) < 2:
            raise InputError(f"a scale needs at least 2 classes; got {len(self.classes)}")
        try:
            distinct = len(set(self.classes))
        except TypeError:
            raise InputError("classes must be hashable labels") from None
        if distinct < len(self.classes):
            twice = next(c for i, c in enumerate(self.classes) if c in self.classes[:i])
            raise InputError(f"class {twice!r} is named twice in the scale")
        first = self.classes[0]
        self._start: int | None = None
        if type(first) is int and self.classes == tuple(range(first, first + len(self.classes))):
            self._start = first

    def __len__(self) -> int:
        return len(self.classes)

    def encode(self, labels: ArrayLike, name: str = "labels") -> tuple[Labels, int]:
        """Labels as integers, and the integer that stands for the lowest class.

        Integer labels of a scale of consecutive integers are returned as they are, uncopied.
        """
        values = self._as_array(labels)
        if self._start is not None and values.dtype.kind == "b":
            values = values.view(np.uint8)
        if self._start is not None and values.dtype.kind in "iu":
            return values, self._start
        return self._look_up(values, name), 0

    def _as_array(self, labels: ArrayLike) -> Labels:
        if isinstance(labels, np.ndarray):
            return labels
        if hasattr(labels, "to_numpy"):
            return np.asarray(labels.to_numpy())
        if all(isinstance(c, (int, float)) for c in self.classes):
            values = np.asarray(labels)
            return values if values.dtype.kind in "iufb" else np.asarray(labels, dtype=object)
        values = np.asarray(labels, dtype=object)
        if values.ndim > 1 and any(isinstance(c, tuple) for c in self.classes):
            listed: list[Any] = list(cast(Any, labels))
            flat: Labels = np.empty(len(listed), dtype=np.object_)
            flat[:] = listed
            return flat
        return values

    def _look_up(self, values: Labels, name: str) -> Labels:
        import pandas as pd  # only labels that need hashing pay for this import

        numeric = values.dtype.kind in "iufb"
        index = pd.Index(list(self.classes), dtype=None if numeric else object)
        flat = values.reshape(-1)
        try:
            codes = index.get_indexer(pd.Index(flat, dtype=None if numeric else object))
        except TypeError:
            raise InputError(f"{name} holds labels that are not hashable") from None
        if (codes < 0).any():
            raise self.unknown(values, np.unravel_index(int(np.argmin(codes)), values.shape), name)
        return codes.reshape(values.shape)

    def unknown(self, values: Labels, where: tuple[Any, ...], name: str) -> InputError:
        """The complaint about a label that is not of this scale."""
        label = values[where]
        label = label.item() if isinstance(label, np.generic) else label
        row = ", ".join(str(int(i)) for i in where)
        shown = ", ".join(map(repr, self.classes[:12])) + (", ..." if len(self) > 12 else "")
        return InputError(f"unknown label {label!r} in {name}, row {row}; the classes are {shown}")


def confusion(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    classes: Classes | Scale,
    sample_weight: ArrayLike | None = None,
) -> NDArray[Any]:
    """Count labels (..., n) into confusion matrices (..., K, K), true classes in rows.

    `classes` names the scale in its order (or is K, for labels 0 to K - 1). Leading axes
    broadcast, so one gold standard can be set against many outputs. The counts are integers,
    or floats if `sample_weight` is given. The memory behind the result has the batch axis
    last, which is the order in which metrics work: scoring it needs no transposing copy.
    """
    scale = classes if isinstance(classes, Scale) else Scale(classes)
    true, true_start = scale.encode(y_true, "y_true")
    pred, pred_start = scale.encode(y_pred, "y_pred")
    if true.ndim == 0 or pred.ndim == 0:
        raise InputError("labels come as sequences, one label an item; got a single value")
    if true.shape[-1] != pred.shape[-1]:
        raise InputError(f"y_true has {true.shape[-1]} labels and y_pred {pred.shape[-1]}")
    if true.shape[-1] == 0:
        raise InputError("y_true and y_pred hold no labels; at least 1 item is needed")
    try:
        shape = np.broadcast_shapes(true.shape, pred.shape)
    except ValueError:
        raise InputError(f"shapes {true.shape} of y_true, {pred.shape} of y_pred differ") from None
    weights = None
    if sample_weight is not None:
        weights = _weights(sample_weight, shape).reshape(-1, shape[-1])
    flat = _count(
        np.broadcast_to(true, shape).reshape(-1, shape[-1]),
        np.broadcast_to(pred, shape).reshape(-1, shape[-1]),
        weights,
        scale,
        (true_start, pred_start),
    )
    size = len(scale)
    stack = flat.reshape(size, size, *shape[:-1])
    return np.moveaxis(stack, (0, 1), (-2, -1))


def grouped_confusion(
    gold: Labels, outputs: Sequence[Labels], groups: Labels, classes: int
) -> Counts:
    """Counts (groups, outputs, K, K) of class codes 0..K-1; groups are codes 0..G-1, any sizes."""
    cells = classes * classes
    start = groups.astype(np.int64) * cells + gold.astype(np.int64) * classes
    number = int(groups.max()) + 1
    counts = np.empty((number, len(outputs), classes, classes), dtype=np.int64)
    for place, output in enumerate(outputs):
        found = np.bincount(start + output, minlength=number * cells)
        counts[:, place] = found.reshape(number, classes, classes)
    return counts


def _weights(sample_weight: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    try:
        weights = np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), shape)
    except (ValueError, TypeError):
        raise InputError(f"sample_weight must be numbers of the labels' shape {shape}") from None
    if not (weights >= 0).all() or not np.isfinite(weights).all():
        raise InputError("sample_weight must be finite and not negative")
    return weights


def _count(
    true: Labels,
    pred: Labels,
    weights: NDArray[np.float64] | None,
    scale: Scale,
    starts: tuple[int, int],
) -> NDArray[Any]:
    """Counts of shape (K * K, cases) from labels of shape (cases, items)."""
    size = len(scale)
    cells = size * size
    cases, items = true.shape
    counts: NDArray[Any] = np.zeros((cells, cases), dtype=np.int64 if weights is None else float)
    case_step = max(1, LABELS_PER_ROUND // items)
    item_step = min(items, LABELS_PER_ROUND)
    # Labels of one byte are combined as bytes where the codes fit: eight times less to move.
    narrow = cells <= 256 and true.itemsize == pred.itemsize == 1 and starts == (0, 0)
    if narrow:
        true, pred = true.view(np.uint8), pred.view(np.uint8)
    # Buffers made once: a fresh one a round would be new pages for the system to clear.
    round_size = case_step * item_step
    wide = np.empty(round_size, _code_type(true, pred, case_step * cells, narrow))
    small = np.empty(round_size, np.uint8) if narrow else wide
    # Where the cells of each case start; written out in full because adding a contiguous array
    # is twice as fast as broadcasting a column over short rows.
    offset = np.repeat(np.arange(case_step) * cells - (starts[0] * size + starts[1]), item_step)
    offset = offset.astype(wide.dtype)
    for first in range(0, cases, case_step):
        here = slice(first, min(first + case_step, cases))
        for item in range(0, items, item_step):
            there = slice(item, item + item_step)
            gold, guess = true[here, there], pred[here, there]
            _reject_unknown(gold, starts[0], scale, "y_true", first, item, true)
            _reject_unknown(guess, starts[1], scale, "y_pred", first, item, pred)
            codes = small[: gold.size].reshape(gold.shape)
            np.multiply(gold, size, out=codes, dtype=codes.dtype, casting="unsafe")
            np.add(codes, guess, out=codes, dtype=codes.dtype, casting="unsafe")
            if narrow:
                np.copyto(wide[: gold.size].reshape(gold.shape), codes)
            places = wide[: gold.size]
            if case_step > 1 or starts != (0, 0):
                places += offset[: gold.size]
            weight = None if weights is None else weights[here, there].ravel()
            found = np.bincount(places, weight, minlength=len(gold) * cells).reshape(-1, cells).T
            if item == 0:
                counts[:, here] = found  # a third of the time of adding to zeros
            else:
                counts[:, here] += found
    return counts


def _code_type(true: Labels, pred: Labels, codes: int, narrow: bool) -> type[np.integer[Any]]:
    """The type to combine labels in: no wider than needed, because the work is moving memory."""
    if narrow and codes <= 1 << 16:
        return np.uint16
    same = true.dtype == pred.dtype == np.dtype(np.int32)
    return np.int32 if same and codes < 1 << 31 else np.int64


def _reject_unknown(
    part: Labels, start: int, scale: Scale, name: str, case: int, item: int, whole: Labels
) -> None:
    if start == 0 and part.dtype.kind == "i" and part.dtype.isnative:
        # Seen as unsigned, a negative label is huge: one comparison instead of two.
        if part.view(f"u{part.itemsize}").max() < len(scale):
            return
    elif part.min() >= start and part.max() < start + len(scale):
        return
    bad_case, bad_item = np.argwhere((part < start) | (part >= start + len(scale)))[0]
    row = item + int(bad_item)
    where = (row,) if len(whole) == 1 else (case + int(bad_case), row)
    raise scale.unknown(whole[0] if len(whole) == 1 else whole, where, name)
