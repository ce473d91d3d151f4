"""The analyses that a study can name, each a frame from the study's data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from metaeval.analysis.coverage import coverage, coverage_by_family, coverage_differences
from metaeval.analysis.discrimination import discriminative_power
from metaeval.analysis.rank_correlation import metric_clusters, rank_correlation
from metaeval.analysis.robustness import robustness, robustness_differences
from metaeval.analysis.split_half import split_half
from metaeval.analysis.unanimity import uir_table
from metaeval.execution import Jobs
from metaeval.studies.streaming import Summary
from metaeval.studies.study import Study


@dataclass(frozen=True, eq=False)
class ScoredOutputs:
    """Scores of all systems, and the family of each system."""

    scores: pd.DataFrame
    families: dict[Any, str]


OutputAnalysis = Callable[[ScoredOutputs, Study, Jobs], pd.DataFrame]
MatrixAnalysis = Callable[[Summary, Study], pd.DataFrame]


def _with_uncertainty(analyse: Callable[..., pd.DataFrame], *reads: str) -> OutputAnalysis:
    """An analyzer of scores, called with the study's options and what else it reads."""

    def run(data: ScoredOutputs, study: Study, jobs: Jobs) -> pd.DataFrame:
        extra = {"reference": study.reference, "families": data.families}
        return analyse(
            data.scores,
            **{name: extra[name] for name in reads},
            undefined=study.undefined,
            replicates=study.replicates,
            level=study.level,
            seed=study.seed,
            jobs=jobs,
        )

    return run


def _scores(data: ScoredOutputs, study: Study, jobs: Jobs) -> pd.DataFrame:
    return data.scores


def _uir(data: ScoredOutputs, study: Study, jobs: Jobs) -> pd.DataFrame:
    return uir_table(data.scores, study.reference, undefined=study.undefined, level=study.level)


def _clusters(data: ScoredOutputs, study: Study, jobs: Jobs) -> pd.DataFrame:
    return metric_clusters(data.scores, undefined=study.undefined).frame


OUTPUT_ANALYSES: dict[str, OutputAnalysis] = {
    "scores": _scores,
    "uir": _uir,
    "coverage": _with_uncertainty(coverage, "reference"),
    "coverage-differences": _with_uncertainty(coverage_differences, "reference"),
    "coverage-by-family": _with_uncertainty(coverage_by_family, "families", "reference"),
    "robustness": _with_uncertainty(robustness),
    "robustness-differences": _with_uncertainty(robustness_differences),
    "discrimination": _with_uncertainty(discriminative_power),
    "discrimination-bootstrap": _with_uncertainty(partial(discriminative_power, test="bootstrap")),
    "split-half": _with_uncertainty(split_half),
    "rank-correlation": _with_uncertainty(rank_correlation),
    "clusters": _clusters,
}


def _values(data: Summary, study: Study) -> pd.DataFrame:
    """Mean value of each metric over the setting's matrices, with a normal interval."""
    from scipy.special import ndtri

    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.where(data.number > 1, np.sqrt(data.squares / (data.number - 1)), np.nan)
        half = float(ndtri((1 + study.level) / 2)) * spread / np.sqrt(data.number)
    missing = data.counted.counts["missing"]
    frame = pd.DataFrame(
        {
            "value": data.mean,
            "low": data.mean - half,
            "high": data.mean + half,
            "matrices": data.number,
            "undefined": missing,
        },
        index=pd.Index(data.counted.metrics, name="metric"),
    )
    if data.number[0] + missing[0] == 1:
        frame.attrs["no_interval"] = {"any": "the value of one matrix is exact"}
    return frame


def _agreement(data: Summary, study: Study, reference: bool) -> pd.DataFrame:
    if not reference:
        return data.counted.pairs(study.level)
    if data.reference is None:
        raise TypeError("there is no reference metric")
    return data.counted.with_reference(data.reference, study.level)


MATRIX_ANALYSES: dict[str, MatrixAnalysis] = {
    "values": _values,
    "agreement": partial(_agreement, reference=False),
    "agreement-with-reference": partial(_agreement, reference=True),
}
