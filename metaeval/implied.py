"""The scale that labels imply, for callers who state none."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from metaeval.errors import InputError
from metaeval.labels import Labels, Scale


def implied_scale(*labels: Any) -> Scale:
    """The classes that occur, in their order: what scikit-learn takes when it is given no labels.

    Numbers are ordered as numbers, and an ordered pandas Categorical brings its categories,
    also those that do not occur. Text has no order that could be known: it is an error.
    """
    for given in labels:
        dtype: Any = getattr(given, "dtype", None)
        if getattr(dtype, "ordered", False):
            return Scale(list(dtype.categories))
    found = [np.unique(_numbers(given)) for given in labels]
    classes = np.unique(np.concatenate(found))
    if not len(classes):
        raise InputError("y_true and y_pred hold no labels; at least 1 item is needed")
    if not np.isfinite(classes).all():
        raise InputError("the labels hold values that are no numbers (NaN or infinite)")
    if len(classes) == 1:
        # All items are of one class and are right. A second class that nobody uses makes that
        # a scale, on which the score is that of a perfect output, or undefined.
        classes = np.array([classes[0], classes[0] + 1])
    return Scale(classes)


def _numbers(labels: Any) -> Labels:
    values = np.asarray(labels)
    if values.dtype.kind == "O":
        with suppress(TypeError):
            # Numbers in a column of objects are numbers; the text "2" is not.
            values = np.array([value + 0 for value in values.ravel()])
    if values.dtype.kind == "b":
        return values.astype(np.int64)
    if values.dtype.kind not in "iuf":
        raise InputError(
            "the order of labels that are not numbers is not known; state it, lowest class "
            "first: labels=['bad', 'fair', 'good']"
        )
    return values
