"""When a metric is not defined, and the sentence that says why.

A premise is checked for a whole batch; where it fails the score becomes NaN. Metrics therefore
need no guards of their own, and the reason that users are told is by construction the reason
for the NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metaeval.batch import Batch, Mask, how_many


@dataclass(frozen=True)
class Premise:
    """A condition that a matrix must meet for a metric to have a value on it."""

    name: str
    otherwise: str  # what is wrong with a matrix that does not meet it
    fails: Callable[[Batch, Mapping[str, Any]], Mask]


TWO_ITEMS = Premise(
    "at least two items",
    "it compares pairs of items and there is only one",
    lambda b, _: b.total < 2,
)
GOLD_VARIES = Premise(
    "at least two gold classes",
    "all items are of one gold class",
    lambda b, _: b.present_count < 2,
)
OUTPUT_VARIES = Premise(
    "at least two predicted classes",
    "the output is constant: one class is predicted for every item",
    lambda b, _: b.predicted_count < 2,
)
NOT_ONE_CLASS = Premise(
    "at least two classes in gold and output together",
    "gold and output are the same constant class, so chance agreement is already perfect",
    lambda b, _: how_many(b.rows + b.cols) < 2,
)
COMPARABLE_PAIR = Premise(
    "at least one pair of items untied in gold and output",
    "every pair of items is tied in gold or in output",
    lambda b, _: np.equal(b.concordant + b.discordant, 0),
)
ALL_GOLD_CLASSES = Premise(
    "every class of the scale occurs in gold",
    "a class of the scale has no gold item, which makes its cost infinite",
    lambda b, _: b.present_count < b.classes,
)
WHOLE_COUNTS = Premise(
    "whole counts",
    "it counts pairs of items and a cell of the matrix is not a whole number",
    lambda b, _: np.logical_not(b.whole),
)
WHOLE_ITEMS = Premise(
    "whole counts",
    "it is a function of two label vectors and a cell of the matrix is not a whole number",
    lambda b, _: np.logical_not(b.whole),
)
