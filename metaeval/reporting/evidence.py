"""Everything a report is written from: plain frames, each absent if there is no ground for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from metaeval.analysis.rank_correlation import Clusters
    from metaeval.execution import Jobs
    from metaeval.properties.report import PropertyReport
    from metaeval.reporting.given import Given


@dataclass(frozen=True)
class Settings:
    """How uncertainty and undefined scores are dealt with."""

    reference: tuple[str, ...] = ("accuracy", "kendall_tau_a", "mutual_information")
    undefined: str | float | Mapping[str, str | float] = "zero"
    replicates: int = 1000
    level: float = 0.95
    seed: int = 0
    jobs: Jobs = None

    @property
    def uncertainty(self) -> dict[str, Any]:
        """As arguments of the analyzers."""
        return {
            "undefined": self.undefined,
            "replicates": self.replicates,
            "level": self.level,
            "seed": self.seed,
            "jobs": self.jobs,
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """What is known about some metrics, and what it was found on."""

    title: str
    source: str  # in words: on how many systems and test cases
    parameters: Mapping[str, Any]  # of the study or the user's table
    settings: Settings
    metrics: pd.DataFrame  # by metric: family, meaning, greater_is_better, premises
    properties: PropertyReport
    tridiagonal: pd.DataFrame  # classes in rows, a column a metric
    single: pd.DataFrame  # distances in rows, a column a metric, share of its range lost
    scores: pd.DataFrame | None = None
    coverage: pd.DataFrame | None = None
    left_out: pd.DataFrame | None = None  # index (left_out, metric): coverage, low, high
    robustness: pd.DataFrame | None = None
    power: pd.DataFrame | None = None
    consistency: pd.DataFrame | None = None
    clusters: Clusters | None = None
    pairs: pd.DataFrame | None = None  # index (metric, other): tau, agreement
    decline: pd.DataFrame | None = None  # metric, family, ratio, score
    frames: Mapping[str, pd.DataFrame] = field(default_factory=dict)  # of a study of matrices
    given: Given | None = None
    notes: Sequence[str] = ()
    asked: Sequence[str] = ()  # metrics that were asked for; the others are only for comparison

    @property
    def names(self) -> list[str]:
        """The metrics."""
        return [str(name) for name in self.metrics.index]
