"""What a reader should know before trusting the numbers: odd systems, gaps, thin cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from metaeval.evaluation.outputs import Outputs
from metaeval.evaluation.scores import Scores
from metaeval.labels import Counts

# Two systems whose outputs are alike on more than this share of the items are near-duplicates.
ALIKE = 0.995

COLUMNS = ["kind", "system", "other", "amount", "total", "message"]
Flag = tuple[str, str, str, int, int, str]

_POLICY = {
    "drop": "the items are left out for all systems",
    "wrong": "they count as the class farthest from the gold label",
}


def find_flags(outputs: Outputs, scores: Scores, missing: str) -> pd.DataFrame:
    """A row a remark: kind, the systems or the metric it is about, how many of how many, words."""
    found: list[Flag] = [
        *_missing(outputs, missing),
        *_clipped(outputs),
        *_constant(outputs),
        *_alike(outputs),
        *_absent(outputs),
        *_undefined(outputs, scores),
    ]
    return pd.DataFrame(found, columns=COLUMNS)


def _missing(outputs: Outputs, policy: str) -> Iterator[Flag]:
    table = outputs.table
    total = len(outputs.gold) + table.left_out
    for name, amount in table.missing.items():
        if not amount:
            continue
        if name == table.gold:
            words = f"{amount} of {total} items have no gold label and are left out"
            yield "missing", "", "", amount, total, words
            continue
        words = f"{name!r} lacks {amount} of {total} predictions; {_POLICY[policy]}"
        yield "missing", name, "", amount, total, words
    if table.left_out:
        words = f"{table.left_out} of {total} items are left out because a label is missing"
        yield "left out", "", "", table.left_out, total, words


def _clipped(outputs: Outputs) -> Iterator[Flag]:
    total = len(outputs.gold)
    for name, amount in outputs.table.clipped.items():
        if amount:
            words = f"{amount} labels of {name!r} lay beyond the scale and count as its ends"
            yield "clipped", name, "", amount, total, words


def _constant(outputs: Outputs) -> Iterator[Flag]:
    predictions = outputs.predictions
    total = predictions.shape[1]
    for place in np.flatnonzero((predictions == predictions[:, :1]).all(axis=1)):
        name, label = outputs.systems[place], outputs.classes[predictions[place, 0]]
        words = f"{name!r} says {label} for every item"
        yield "constant", name, "", total, total, words


def _alike(outputs: Outputs) -> Iterator[Flag]:
    predictions, names = outputs.predictions, outputs.systems
    total = predictions.shape[1]
    for one in range(len(names) - 1):
        same = np.count_nonzero(predictions[one] == predictions[one + 1 :], axis=1)
        for later in np.flatnonzero(same > ALIKE * total):
            other, amount = names[one + 1 + int(later)], int(same[later])
            words = f"{names[one]!r} and {other!r} agree on {amount} of {total} items"
            yield "near-duplicate", names[one], other, amount, total, words


def _absent(outputs: Outputs) -> Iterator[Flag]:
    """Classes that the gold labels of some or all cases do not have."""
    counts: Counts = outputs.counts[:, 0].sum(axis=-1)
    total = len(counts)
    for label, amount in zip(outputs.classes, (counts == 0).sum(axis=0).tolist(), strict=True):
        if amount:
            where = "any case" if amount == total else f"{amount} of {total} cases"
            words = f"class {label} is not among the gold labels of {where}"
            yield "absent class", "", str(label), amount, total, words


def _undefined(outputs: Outputs, scores: Scores) -> Iterator[Flag]:
    ends: list[Any] = [metric.range(len(outputs.classes)) for metric in scores.metrics]
    total = scores.values[0].size
    amounts = (~np.isfinite(scores.values)).sum(axis=(1, 2)).tolist()
    for metric, amount, fill, (low, high) in zip(
        scores.metrics, amounts, scores.fill.tolist(), ends, strict=True
    ):
        if amount:
            best = fill == (high if metric.greater_is_better else low)
            praise = ", the best score there is" if best else ""
            words = f"{metric.name} is undefined in {amount} of {total} scores, each counts as "
            yield "undefined", "", metric.name, amount, total, f"{words}{fill:g}{praise}"
