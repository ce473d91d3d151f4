"""Unanimous improvement ratio: how often a system beats another on all reference metrics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.analysis.pairs import system_pairs
from metaeval.analysis.ranking import BLOCK, rows_a_block
from metaeval.analysis.scores import (
    Orientation,
    ScoreTable,
    Undefined,
    read_scores,
    steps,
)
from metaeval.batch import Array
from metaeval.errors import InputError

# One metric for each aspect that Amigo et al. 2020 want covered: class match, order, imbalance.
REFERENCE = ("accuracy", "kendall_tau_a", "mutual_information")

# 1 where the first system of a pair is at least as good on every metric, -1 where the second
# is, 0 where both are (they tie) or neither is; a row a test case, a column a pair.
Verdicts = NDArray[np.int8]


def verdicts(table: ScoreTable, reference: Sequence[str]) -> Verdicts:
    """Who is unanimously better, by test case and pair of systems; cases x pairs bytes."""
    if not reference:
        raise InputError("the reference set is empty; name at least one metric")
    values = steps(table.values[table.rows(reference)])
    first, second = system_pairs(values.shape[-1])
    found = np.empty((values.shape[1], len(first)), dtype=np.int8)
    rows = rows_a_block(len(first))
    for start in range(0, len(found), rows):
        part = values[:, start : start + rows]
        above = np.ones((part.shape[1], len(first)), dtype=np.bool_)
        below = above.copy()
        for scores in part:
            one, other = scores[:, first], scores[:, second]
            above &= one >= other
            below &= one <= other
        np.subtract(above, below, out=found[start : start + rows], dtype=np.int8)
    return found


def weighted_ratios(found: Verdicts, weights: Array) -> Array:
    """UIR times the number of cases, for each row of case weights: exact whole numbers."""
    sums = np.empty((len(weights), found.shape[1]))
    # Sums of so few ones are exact in single precision, which halves the memory traffic.
    small = weights.astype(np.float32)
    width = max(1, BLOCK // len(found))
    for start in range(0, found.shape[1], width):
        part = found[:, start : start + width].astype(np.float32)
        sums[:, start : start + width] = small @ part
    return sums


def uir(
    scores: pd.DataFrame,
    reference: Sequence[str] = REFERENCE,
    *,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
) -> pd.DataFrame:
    """UIR of every system (row) over every other (column), from -1 to 1.

    The share of test cases on which the row's system is at least as good on all reference
    metrics, minus the share on which the column's is. Scores as for `coverage`; `uir_table` has
    the same numbers with intervals.
    """
    table = read_scores(scores, undefined, greater_is_better)
    ratios = weighted_ratios(verdicts(table, reference), np.ones((1, len(table.cases))))[0]
    size = len(table.systems)
    matrix = np.zeros((size, size))
    first, second = system_pairs(size)
    matrix[first, second] = ratios / len(table.cases)
    matrix -= matrix.T
    index = pd.Index(table.systems, name="system")
    return pd.DataFrame(matrix, index=index, columns=pd.Index(table.systems, name="other"))


def uir_table(
    scores: pd.DataFrame,
    reference: Sequence[str] = REFERENCE,
    *,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """UIR of every two systems once, index (system, other): uir, low, high.

    The ratio is a mean over test cases, and the interval is the normal one of such a mean; NaN
    for one test case.
    """
    from scipy.special import ndtri

    table = read_scores(scores, undefined, greater_is_better)
    found = verdicts(table, reference)
    cases = len(found)
    mean = weighted_ratios(found, np.ones((1, cases)))[0] / cases
    decided = weighted_ratios(np.abs(found), np.ones((1, cases)))[0] / cases
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(np.maximum(decided - mean**2, 0.0) / np.float64(cases - 1))
    half = float(ndtri((1 + level) / 2)) * error
    first, second = system_pairs(len(table.systems))
    names = pd.Index(table.systems)
    return pd.DataFrame(
        {"uir": mean, "low": np.maximum(mean - half, -1), "high": np.minimum(mean + half, 1)},
        index=pd.MultiIndex.from_arrays([names[first], names[second]], names=["system", "other"]),
    )
