"""Robustness: do different test cases rank the systems alike? (Amigo et al. 2020, 5.4)"""

from __future__ import annotations

import numpy as np
import pandas as pd

from metaeval.analysis.estimates import Estimates
from metaeval.analysis.ranking import Ranking, rows_a_block
from metaeval.analysis.resampling import Plan, in_blocks
from metaeval.analysis.scores import Orientation, ScoreTable, Undefined, read_scores, steps
from metaeval.batch import Array
from metaeval.errors import InputError
from metaeval.execution import Jobs


def robustness(
    scores: pd.DataFrame,
    *,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
    replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    jobs: Jobs = None,
) -> pd.DataFrame:
    """Mean Spearman correlation between the system rankings of all pairs of test cases, by metric.

    Columns robustness; intervals and p-values as of `coverage`; alike, the number of test cases
    on which the metric scores all systems alike. Such a case ranks nothing and has no
    correlation with any other: pairs with it are left out of the mean.
    """
    estimates, alike = _estimate(
        read_scores(scores, undefined, greater_is_better), Plan(replicates, level, seed, jobs)
    )
    frame = estimates.frame()
    frame["alike"] = alike
    return frame


def robustness_differences(
    scores: pd.DataFrame,
    *,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
    replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    jobs: Jobs = None,
) -> pd.DataFrame:
    """Differences of robustness between any two metrics, with Holm-adjusted p-values."""
    table = read_scores(scores, undefined, greater_is_better)
    return _estimate(table, Plan(replicates, level, seed, jobs))[0].pairs()


def _estimate(table: ScoreTable, plan: Plan) -> tuple[Estimates, Array]:
    cases, systems = len(table.cases), len(table.systems)
    if cases < 2:
        raise InputError("robustness compares test cases with each other; there is only one")
    over_cases = plan.case_weights(cases)
    over_systems = plan.system_weights(systems)
    columns = [
        _one_metric(steps(values), over_cases, over_systems, plan.jobs) for values in table.values
    ]
    rows = np.stack(columns, axis=1)
    alike = np.array([(np.ptp(steps(values), axis=1) == 0).sum() for values in table.values])
    split = 1 + plan.replicates
    found = Estimates(
        "robustness",
        table,
        plan,
        rows[0],
        rows[1:split] if plan.replicates else None,
        rows[split:] if plan.replicates else None,
    )
    return found, alike


def _one_metric(values: Array, over_cases: Array, over_systems: Array, jobs: Jobs) -> Array:
    """The estimate, then its resamples over cases, then those over systems, as one vector."""
    ranking = Ranking(values)
    cases, systems = values.shape
    ranks = _standardised(ranking, np.ones(systems))
    correlations = ranks @ ranks.T
    np.fill_diagonal(correlations, 0.0)
    by_case = _mean_over_pairs(
        np.concatenate([np.ones((1, cases)), over_cases]), correlations, np.any(ranks, axis=1)
    )

    def work(rows: slice) -> Array:
        return np.array([_mean_correlation(ranking, weights) for weights in over_systems[rows]])

    if not len(over_systems):
        return by_case
    block = rows_a_block(values.size)
    return np.concatenate([by_case, in_blocks(work, len(over_systems), block, jobs)])


def _standardised(ranking: Ranking, weights: Array) -> Array:
    """Ranks of each case with mean 0 and length 1 under the weights; 0 if all are alike."""
    ranks = ranking.centred(weights)
    ranks *= np.sqrt(weights)
    length = np.sqrt(np.einsum("ts,ts->t", ranks, ranks))
    ranks /= np.where(length > 0, length, 1.0)[:, None]
    return ranks


def _mean_correlation(ranking: Ranking, weights: Array) -> float:
    """Mean over the pairs of cases: the square of a sum holds every pair twice, and the cases."""
    ranks = _standardised(ranking, weights)
    used = np.count_nonzero(np.any(ranks, axis=1))
    total = ranks.sum(axis=0)
    return float(total @ total - used) / (used * (used - 1)) if used > 1 else float("nan")


def _mean_over_pairs(weights: Array, correlations: Array, used: Array) -> Array:
    """Weighted mean over pairs of different cases, for each row of case weights."""
    weights = weights * used
    shared = np.einsum("bt,bt->b", weights @ correlations, weights)
    pairs = weights.sum(axis=1) ** 2 - np.einsum("bt,bt->b", weights, weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        return shared / pairs
