"""Discriminative power: for how many pairs of systems is the difference significant? (Sakai)"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from metaeval.analysis.estimates import Estimates
from metaeval.analysis.pairs import differences, pair_weights, system_pairs
from metaeval.analysis.ranking import BLOCK, rows_a_block
from metaeval.analysis.resampling import Plan, draws, in_blocks, streams
from metaeval.analysis.scores import RESOLUTION, Orientation, Undefined, read_scores, steps
from metaeval.batch import Array, Mask
from metaeval.errors import InputError, unknown
from metaeval.execution import Jobs


def discriminative_power(
    scores: pd.DataFrame,
    *,
    test: str = "tukey",
    alpha: float = 0.05,
    trials: int = 1000,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
    replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    jobs: Jobs = None,
) -> pd.DataFrame:
    """Share of system pairs whose mean scores differ significantly at `alpha`, by metric.

    `test` is "tukey", the randomised Tukey HSD test (scores are shuffled among the systems
    within each test case; one error rate for all pairs together), or "bootstrap", the paired
    bootstrap test with studentised differences (an error rate for each pair by itself). Columns
    power, intervals and p-values over systems as of `coverage`, and delta, the smallest
    difference of means that was significant.
    """
    if test not in _TESTS:
        raise unknown("test", test, _TESTS)
    if not 0 < alpha < 1 or trials < 1:
        raise InputError(f"alpha lies between 0 and 1, trials is positive; got {alpha}, {trials}")
    table = read_scores(scores, undefined, greater_is_better)
    if len(table.cases) < 2:
        raise InputError("a significance test needs at least two test cases; there is only one")
    plan = Plan(replicates, level, seed, jobs)
    # The observed data count as one trial, so that no p-value is 0.
    limit = alpha * (trials + 1) - 1 + 1e-9
    significant = _TESTS[test](table.values, trials, limit, plan)
    found = Estimates(
        "power",
        table,
        plan,
        significant.mean(axis=1),
        over_systems=_over_systems(significant, plan, len(table.systems)),
        why_not="every resample of the cases would need a test of its own",
    )
    frame = found.frame()
    frame["delta"] = _smallest(significant, table.values)
    return frame


def _smallest(significant: Mask, values: Array) -> list[float]:
    """By metric the smallest significant difference of means, NaN if there is none."""
    found = []
    for chosen, means in zip(significant, values.mean(axis=1), strict=True):
        gaps = np.abs(differences(means)[chosen])
        found.append(float(gaps.min()) * RESOLUTION if gaps.size else np.nan)
    return found


def _over_systems(significant: Mask, plan: Plan, systems: int) -> Array | None:
    """Power of each metric on resampled systems, with the same verdict on each pair."""
    if not plan.replicates:
        return None
    weights = plan.system_weights(systems)

    def work(rows: slice) -> Array:
        pairs = pair_weights(weights[rows])
        with np.errstate(invalid="ignore"):
            return np.stack([pairs @ row for row in significant], axis=1) / pairs.sum(
                axis=1, keepdims=True
            )

    return in_blocks(work, plan.replicates, rows_a_block(significant.shape[1]), plan.jobs)


def _tukey(values: Array, trials: int, limit: float, plan: Plan) -> Mask:
    """Significant unless the range of shuffled means often reaches the pair's difference."""
    _, cases, systems = values.shape
    generators = streams(plan.seed, "tukey", trials)
    rows = np.arange(cases)[:, None]

    def work(part: slice) -> Array:
        ranges = []
        for rng in generators[part]:
            # One shuffle serves all metrics: they are then compared on the same trials.
            order = np.argsort(rng.random((cases, systems)), axis=1)
            ranges.append(np.ptp(values[:, rows, order].mean(axis=1), axis=1))
        return np.stack(ranges)

    ranges = np.sort(steps(in_blocks(work, trials, 16, plan.jobs)), axis=0)
    return np.stack(
        [
            trials - np.searchsorted(reached, np.abs(differences(means))) <= limit
            for reached, means in zip(ranges.T, values.mean(axis=1), strict=True)
        ]
    )


def _bootstrap(values: Array, trials: int, limit: float, plan: Plan) -> Mask:
    """Significant unless studentised differences are often as large without a true one."""
    cases = values.shape[1]
    first, second = system_pairs(values.shape[2])
    weights = draws(cases, trials, streams(plan.seed, "bootstrap")[0])
    width = max(1, 8 * BLOCK // trials)

    def work(row: slice) -> Mask:
        found = np.empty((1, len(first)), dtype=np.bool_)
        for start in range(0, len(first), width):
            here = slice(start, start + width)
            gaps = values[row.start][:, first[here]] - values[row.start][:, second[here]]
            centre = gaps.mean(axis=0)
            around = gaps - centre
            observed = np.abs(_studentised(centre, (around**2).mean(axis=0)))
            means = weights @ around / cases
            spread = weights @ around**2 / cases - means**2
            beyond = (np.abs(_studentised(means, spread)) >= observed).sum(axis=0)
            found[0, here] = beyond <= limit
        return found

    return in_blocks(work, len(values), 1, plan.jobs)


def _studentised(means: Array, variances: Array) -> Array:
    """Means over their standard deviations; without variation 0 or, if there is a mean, infinite.

    Differences within the resolution of scores count as none.
    """
    spread = np.sqrt(np.maximum(variances, 0.0))
    still = spread < RESOLUTION
    ratio = means / np.where(still, 1.0, spread)
    return np.where(still, np.where(np.abs(means) < RESOLUTION, 0.0, np.inf), ratio)


_TESTS: dict[str, Callable[[Array, int, float, Plan], Mask]] = {
    "tukey": _tukey,
    "bootstrap": _bootstrap,
}
