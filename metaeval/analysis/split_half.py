"""Split-half consistency: do two random halves of the test cases rank the systems alike?"""

from __future__ import annotations

import numpy as np
import pandas as pd

from metaeval.analysis.estimates import Estimates
from metaeval.analysis.pairs import differences, pair_weights
from metaeval.analysis.ranking import rows_a_block
from metaeval.analysis.resampling import Plan, in_blocks, streams
from metaeval.analysis.scores import Orientation, Undefined, read_scores
from metaeval.batch import Array
from metaeval.errors import InputError
from metaeval.execution import Jobs


def split_half(
    scores: pd.DataFrame,
    *,
    splits: int = 200,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
    replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    jobs: Jobs = None,
) -> pd.DataFrame:
    """Mean Kendall tau-b between the system rankings of two random halves of the cases.

    By metric: consistency; intervals and p-values over systems as of `coverage`; low_splits and
    high_splits, between which a single split lies with probability `level`.
    """
    table = read_scores(scores, undefined, greater_is_better)
    cases, systems = len(table.cases), len(table.systems)
    if cases < 2 or splits < 1:
        raise InputError(f"a split needs two test cases and one split; got {cases} and {splits}")
    plan = Plan(replicates, level, seed, jobs)
    halves = _halves(cases, splits, seed)
    weights = np.concatenate([np.ones((1, systems)), plan.system_weights(systems)])

    def work(row: slice) -> Array:
        return _one_metric(table.values[row.start], halves, weights, level)[None]

    found = in_blocks(work, len(table.metrics), 1, jobs)
    estimates = Estimates(
        "consistency",
        table,
        plan,
        found[:, 0],
        over_systems=found[:, 1:-2].T if replicates else None,
        why_not="in a resample of the cases, copies of one case would stand in both halves",
    )
    frame = estimates.frame()
    frame["low_splits"], frame["high_splits"] = found[:, -2], found[:, -1]
    return frame


def _halves(cases: int, splits: int, seed: int) -> Array:
    """1 for the cases of the first half and 0 for the others, a row a split."""
    halves = np.zeros((splits, cases))
    halves[:, : cases // 2] = 1
    return streams(seed, "splits")[0].permuted(halves, axis=1)


def _one_metric(values: Array, halves: Array, weights: Array, level: float) -> Array:
    """Mean tau-b for each row of system weights; at the end the limits of a single split's."""
    means = [(half @ values) / half.sum(axis=1, keepdims=True) for half in (halves, 1 - halves)]
    step = rows_a_block(values.shape[1] * (values.shape[1] - 1) // 2)
    total = np.zeros(len(weights))
    defined = np.zeros(len(weights))
    single = []
    for start in range(0, len(halves), step):
        one, other = (np.sign(differences(half[start : start + step])).T for half in means)
        for first in range(0, len(weights), step):
            rows = slice(first, first + step)
            pairs = pair_weights(weights[rows])
            with np.errstate(invalid="ignore", divide="ignore"):
                tau = pairs @ (one * other) / np.sqrt((pairs @ one**2) * (pairs @ other**2))
            total[rows] += np.nansum(tau, axis=1)
            defined[rows] += np.sum(~np.isnan(tau), axis=1)
            if first == 0:
                single.append(tau[0])
    taus = np.concatenate(single)
    tail = (1 - level) / 2
    blank = np.isnan(taus).all()
    limits = [np.nan] * 2 if blank else np.nanquantile(taus, [tail, 1 - tail])
    with np.errstate(invalid="ignore"):
        return np.concatenate([total / defined, limits])
