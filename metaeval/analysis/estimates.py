"""One number a metric with its resamples: the frames that analyzers return."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from metaeval.analysis.inference import against_best, interval, pairwise
from metaeval.analysis.resampling import Plan
from metaeval.analysis.scores import ScoreTable
from metaeval.batch import Array


@dataclass(frozen=True, eq=False)
class Estimates:
    """Estimates by metric, and their resamples (replicates, metrics) where there are any."""

    name: str
    table: ScoreTable
    plan: Plan
    estimates: Array
    over_cases: Array | None = None
    over_systems: Array | None = None
    systems: int | None = None
    why_not: str = ""  # why there is no interval over test cases, if there is none

    @property
    def samples(self) -> dict[str, Array]:
        """Resamples by the ending of the columns that they give."""
        both = {"": self.over_cases, "_systems": self.over_systems}
        return {ending: found for ending, found in both.items() if found is not None}

    def frame(self) -> pd.DataFrame:
        """By metric: estimate, intervals, p-values against the best metric, undefined scores."""
        frame = pd.DataFrame({self.name: self.estimates}, index=self.table.account().index)
        for ending, replicates in self.samples.items():
            low, high = interval(self.estimates, replicates, self.plan.level)
            frame[f"low{ending}"], frame[f"high{ending}"] = low, high
        for ending, replicates in self.samples.items():
            frame[f"p{ending}"] = against_best(self.estimates, replicates)
        account = self.table.account()
        if self.systems is not None:
            account["systems"] = self.systems
        frame = frame.join(account)
        frame.attrs["no_interval"] = self.no_interval
        return frame

    @property
    def no_interval(self) -> dict[str, str]:
        """Which intervals are missing, and why."""
        if not self.plan.replicates:
            return {"any": "no resamples were asked for (replicates=0)"}
        if self.over_cases is None:
            return {"test cases": self.why_not or "there is one test case only"}
        return {}

    def pairs(self) -> pd.DataFrame:
        """By pair of metrics: difference, intervals, Holm-adjusted p-values."""
        return pairwise(self.table.metrics, self.estimates, self.samples, self.plan.level)
