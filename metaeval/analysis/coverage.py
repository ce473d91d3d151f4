"""Coverage: does a metric's lead mean a lead on every aspect? With intervals (Amigo et al. 2020).

Coverage of a metric is Spearman's correlation, over ordered pairs of systems, between the
difference of their mean scores and their unanimous improvement ratio.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from metaeval.analysis.estimates import Estimates
from metaeval.analysis.pairs import SignedRanking, differences, pair_weights
from metaeval.analysis.ranking import rows_a_block
from metaeval.analysis.resampling import Plan, in_blocks
from metaeval.analysis.scores import Orientation, ScoreTable, Undefined, read_scores
from metaeval.analysis.unanimity import REFERENCE, Verdicts, verdicts, weighted_ratios
from metaeval.batch import Array
from metaeval.errors import InputError
from metaeval.execution import Jobs


def coverage(
    scores: pd.DataFrame,
    reference: Sequence[str] = REFERENCE,
    *,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
    replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    jobs: Jobs = None,
) -> pd.DataFrame:
    """Coverage of every metric (column of `scores`), by metric.

    `scores` has the index (case, system), one column a metric, natural values; the reference
    metrics are among the columns. The result has the columns coverage; low, high (bootstrap
    over test cases); low_systems, high_systems (bootstrap over systems); p and p_systems, the
    Holm-adjusted p-values of the distance to the best metric; undefined and undefined_as, how
    many scores were undefined and what they counted as; cases, systems. With `replicates=0`
    there are no intervals. For `undefined` see `metaeval.analysis.scores.read_scores`.

    With few systems the intervals over systems are rather too narrow: in a simulation with 25 or
    50 systems those of nominally 95 % held the expected coverage in 76 to 96 % of the samples,
    by metric; intervals over 30 test cases in 89 to 93 %.
    """
    table = read_scores(scores, undefined, greater_is_better)
    plan = Plan(replicates, level, seed, jobs)
    return _estimate(table, reference, plan, {"": np.ones(len(table.systems))})[""].frame()


def coverage_differences(
    scores: pd.DataFrame,
    reference: Sequence[str] = REFERENCE,
    *,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
    replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    jobs: Jobs = None,
) -> pd.DataFrame:
    """Differences of coverage between any two metrics, with Holm-adjusted p-values."""
    table = read_scores(scores, undefined, greater_is_better)
    plan = Plan(replicates, level, seed, jobs)
    return _estimate(table, reference, plan, {"": np.ones(len(table.systems))})[""].pairs()


def coverage_by_family(
    scores: pd.DataFrame,
    families: Mapping[object, str],
    reference: Sequence[str] = REFERENCE,
    *,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
    replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    jobs: Jobs = None,
    systems: bool = True,
) -> pd.DataFrame:
    """Coverage with one family of systems left out at a time, as in Table 3 of paper 002.

    `families` maps each system to its family. Index (left_out, metric), where "" leaves out
    none; columns as of `coverage`. `frame["coverage"].unstack("left_out")` is the table. Without
    `systems` there are no intervals over systems, which take the longer half of the time.
    """
    table = read_scores(scores, undefined, greater_is_better)
    member = _members(table, families)
    parts = {"": np.ones(len(table.systems))}
    for family in dict.fromkeys(member):
        parts[family] = np.array([float(other != family) for other in member])
        if parts[family].sum() < 2:
            raise InputError(f"without family {family!r} there are fewer than two systems")
    found = _estimate(table, reference, Plan(replicates, level, seed, jobs), parts, systems)
    frame = pd.concat({name: part.frame() for name, part in found.items()}, names=["left_out"])
    frame.attrs = {"no_interval": found[""].no_interval}
    return frame


def _members(table: ScoreTable, families: Mapping[object, str]) -> list[str]:
    for system in table.systems:
        if system not in families:
            raise InputError(f"families names no family for system {system!r}")
    return [families[system] for system in table.systems]


def _estimate(
    table: ScoreTable,
    reference: Sequence[str],
    plan: Plan,
    parts: Mapping[str, Array],
    systems: bool = True,
) -> dict[str, Estimates]:
    """Coverage on each part of the systems, given by the systems' weights 0 and 1."""
    task = _Task(table, verdicts(table, reference), np.stack(list(parts.values())))
    estimates = task.over_cases(np.ones((1, len(table.cases))))[0]
    over_cases = over_systems = None
    if plan.replicates:
        if systems:
            over_systems = task.over_systems(plan.system_weights(len(table.systems)), plan.jobs)
        if len(table.cases) > 1:
            over_cases = task.over_cases(plan.case_weights(len(table.cases)), plan.jobs)
    return {
        name: Estimates(
            "coverage",
            table,
            plan,
            estimates[row],
            None if over_cases is None else over_cases[:, row],
            None if over_systems is None else over_systems[:, row],
            systems=int(weights.sum()),
        )
        for row, (name, weights) in enumerate(parts.items())
    }


@dataclass(frozen=True, eq=False)
class _Task:
    table: ScoreTable
    found: Verdicts
    parts: Array

    def over_cases(self, weights: Array, jobs: Jobs = None) -> Array:
        """Coverage (rows of weights, parts, metrics) for weighted test cases."""
        metrics, cases, systems = self.table.values.shape
        kept = pair_weights(self.parts)
        by_case = np.moveaxis(self.table.values, 1, 0).reshape(cases, metrics * systems)

        def work(rows: slice) -> Array:
            means = weights[rows] @ by_case / cases
            ratios = weighted_ratios(self.found, weights[rows])
            return np.stack(
                [
                    self._correlate(row.reshape(metrics, systems), ratio, kept)
                    for row, ratio in zip(means, ratios, strict=True)
                ]
            )

        return in_blocks(work, len(weights), rows_a_block(self.found.shape[1]), jobs)

    def _correlate(self, means: Array, ratios: Array, weights: Array) -> Array:
        """Coverage (rows of weights, metrics) for pairs with these weights."""
        reference = SignedRanking(ratios[None])
        ranks = [reference.ranks(row)[0] for row in weights]
        result = np.empty((len(weights), len(means)))
        step = rows_a_block(len(ratios))
        for start in range(0, len(means), step):
            here = slice(start, start + step)
            own = SignedRanking(differences(means[here]))
            for row, (other, weight) in enumerate(zip(ranks, weights, strict=True)):
                result[row, here] = own.correlate(other, weight)
        return result

    def over_systems(self, weights: Array, jobs: Jobs = None) -> Array:
        """Coverage (rows of weights, parts, metrics) for weighted systems."""
        means = self.table.values.mean(axis=1)
        ratios = weighted_ratios(self.found, np.ones((1, len(self.found))))[0]

        def work(rows: slice) -> Array:
            both = pair_weights((weights[rows, None] * self.parts).reshape(-1, weights.shape[1]))
            return self._correlate(means, ratios, both).reshape(-1, len(self.parts), len(means))

        return in_blocks(work, len(weights), rows_a_block(self.found.shape[1]), jobs)
