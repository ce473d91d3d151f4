"""me.evaluate: everything that can be said about a user's own system outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from metaeval.evaluation.recommendation import no_ground, recommend, shown_metric
from metaeval.evaluation.scores import score_outputs
from metaeval.evaluation.significance import groups, pair_tests
from metaeval.evaluation.swaps import agreement, swaps
from metaeval.execution import Jobs
from metaeval.measures.scoring import Metrics, choose
from metaeval.tables import Stated

# Told before every stage: its name, and how much is done of how much.
Progress = Callable[[str, float, float], None]


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
    metric: str  # the recommended one, or the one to show if none can be recommended
    recommended: bool
    settings: dict[str, Any]

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """All frames by name."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: v for name, v in found.items() if isinstance(v, pd.DataFrame)}

    @property
    def summary(self) -> pd.DataFrame:
        """Systems under the metric of the evaluation, with their best and worst rank under any."""
        ranks = self.leaderboard["rank"].groupby(level="system")
        joined = self.leaderboard.join(self.groups[["group", "beats", "loses_to"]])
        joined = joined.rename(columns={"value": self.metric})
        frame = joined[joined.index.get_level_values("metric") == self.metric].droplevel("metric")
        shown = ["rank", self.metric, "low", "high", "pooled", "group", "beats", "loses_to"]
        return frame[shown].assign(best_rank=ranks.min(), worst_rank=ranks.max())

    def _repr_html_(self) -> str:
        from metaeval.evaluation.board import board_figure, board_table
        from metaeval.evaluation.page import headline
        from metaeval.reporting.html import fragment
        from metaeval.reporting.page import Listing, Prose

        advice = Listing(entries=[*self.recommendation, *self.flags["message"]])
        parts = (board_figure(self), board_table(self), advice)
        return fragment(Prose(paragraphs=[headline(self)]), *parts)


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
    progress: Progress = lambda *_: None,
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
    `progress` is told the stage by name, how much is done and how much there is to do.
    """
    plan = Plan(replicates, level, seed, jobs)
    progress("reading", 0, 10)
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
    progress("scoring", 1, 10)
    scores = score_outputs(outputs, choose(metrics, len(outputs.classes)), undefined, jobs)
    progress(f"{replicates:,} resamples of the items", 2, 10)
    resamples = bootstrap(outputs, scores, plan) if replicates else None
    board = leaderboard(outputs, scores, resamples, level)
    progress("coverage, robustness and power of the metrics", 6, 10)
    qualities = metric_qualities(outputs, scores, plan, undefined)
    progress("tests of every two systems", 9, 10)
    pairs = pair_tests(outputs, scores, resamples)
    alone = len(outputs.systems) < 2
    grouped = groups(outputs, scores, pairs)
    alike = pd.DataFrame() if alone else agreement(outputs, scores, undefined)
    swapped = pd.DataFrame() if alone else swaps(outputs, scores, pairs, alike)
    no_advice = no_ground(qualities, outputs)
    chosen = shown_metric(qualities, no_advice)
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
        recommendation=recommend(chosen, qualities, board, grouped, pairs, swapped, no_advice),
        metric=chosen,
        recommended=not no_advice,
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
