"""me.evaluate: everything that can be said about a user's own system outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pandas as pd

from metaeval.analysis.resampling import Plan
from metaeval.analysis.scores import Undefined
from metaeval.evaluation.bootstrap import bootstrap
from metaeval.evaluation.flags import find_flags
from metaeval.evaluation.leaderboard import leaderboard
from metaeval.evaluation.outputs import Outputs, read_outputs
from metaeval.evaluation.qualities import metric_qualities
from metaeval.evaluation.recommendation import best_metric, recommend
from metaeval.evaluation.scores import score_outputs
from metaeval.evaluation.significance import groups, pair_tests
from metaeval.evaluation.swaps import agreement, swaps
from metaeval.execution import Jobs
from metaeval.measures.scoring import Metrics, choose
from metaeval.tables import Stated


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Frames about the systems of one table; `settings` say how they were made."""

    leaderboard: pd.DataFrame
    groups: pd.DataFrame
    pairs: pd.DataFrame
    agreement: pd.DataFrame
    swaps: pd.DataFrame
    metrics: pd.DataFrame
    flags: pd.DataFrame
    confusion: pd.DataFrame
    scores: pd.DataFrame
    recommendation: tuple[str, ...]
    metric: str  # the recommended one
    settings: dict[str, Any]

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """All frames by name."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: v for name, v in found.items() if isinstance(v, pd.DataFrame)}

    @property
    def summary(self) -> pd.DataFrame:
        """Systems under the recommended metric, with their best and worst rank under any."""
        ranks = self.leaderboard["rank"].groupby(level="system")
        joined = self.leaderboard.join(self.groups[["group", "beats", "loses_to"]])
        joined = joined.rename(columns={"value": self.metric})
        frame = joined[joined.index.get_level_values("metric") == self.metric].droplevel("metric")
        shown = ["rank", self.metric, "low", "high", "pooled", "group", "beats", "loses_to"]
        return frame[shown].assign(best_rank=ranks.min(), worst_rank=ranks.max())


def evaluate(
    frame: pd.DataFrame | str | Path,
    gold: str = "gold",
    case: str | None = None,
    systems: Sequence[str] | None = None,
    classes: Stated = None,
    *,
    item: str | None = None,
    layout: str = "auto",
    metrics: Metrics = None,
    partitions: int = 10,
    replicates: int = 1000,
    level: float = 0.95,
    missing: str = "error",
    clip: bool = False,
    undefined: Undefined = "zero",
    seed: int = 0,
    jobs: Jobs = None,
) -> Evaluation:
    """Evaluate every system of a table, or of a file, under every metric.

    The table has one row an item, a column of gold labels, an optional column of test cases,
    and every other column is a system (or the `systems` named); or, long, the columns item,
    system, prediction. Without cases the items are parted at random into `partitions`. The
    scale is `classes` in their order, or numeric and from the whole table.

    A system's value is the mean of its scores over the test cases. Uncertainty comes from
    `replicates` bootstrap resamples of the items within their cases, the same items for all
    systems; 0 leaves out intervals and tests. `missing` is "error", "drop" (the item is left
    out for all systems) or "wrong" (the class farthest from the gold label); `clip` moves
    numeric predictions beyond the stated classes to their ends; `undefined` is what an undefined
    score counts as: "zero", "worst" or a number. Same seed, same numbers, for any `jobs`.
    """
    plan = Plan(replicates, level, seed, jobs)
    outputs = read_outputs(
        frame,
        gold,
        case,
        systems,
        classes,
        item=item,
        layout=layout,
        missing=missing,
        clip=clip,
        partitions=partitions,
        seed=seed,
    )
    scores = score_outputs(outputs, choose(metrics, len(outputs.classes)), undefined, jobs)
    resamples = bootstrap(outputs, scores, plan) if replicates else None
    board = leaderboard(outputs, scores, resamples, level)
    qualities = metric_qualities(outputs, scores, plan, undefined)
    pairs = pair_tests(outputs, scores, resamples)
    alone = len(outputs.systems) < 2
    grouped = groups(outputs, scores, pairs)
    alike = pd.DataFrame() if alone else agreement(outputs, scores, undefined)
    swapped = pd.DataFrame() if alone else swaps(outputs, scores, pairs, alike)
    return Evaluation(
        leaderboard=board,
        groups=grouped,
        pairs=pairs,
        agreement=alike,
        swaps=swapped,
        metrics=qualities,
        flags=find_flags(outputs, scores, missing),
        confusion=_confusion(outputs),
        scores=scores.frame(outputs),
        recommendation=recommend(qualities, board, grouped, pairs, swapped),
        metric=best_metric(qualities),
        settings={
            "items": len(outputs.gold),
            "cases": len(outputs.cases),
            "random_partition": outputs.partition,
            "systems": len(outputs.systems),
            "classes": list(outputs.classes),
            "missing": missing,
            "clip": clip,
            "undefined": undefined,
            "replicates": replicates,
            "level": level,
            "seed": seed,
        },
    )


def _confusion(outputs: Outputs) -> pd.DataFrame:
    """Counts over all cases: index (system, gold), one column a predicted class."""
    counts = outputs.counts.sum(axis=0)
    index = pd.MultiIndex.from_product([outputs.systems, outputs.classes], names=["system", "gold"])
    columns = pd.Index(outputs.classes, name="predicted")
    return pd.DataFrame(counts.reshape(len(index), -1), index=index, columns=columns)
