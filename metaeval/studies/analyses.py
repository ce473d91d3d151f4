"""The analyses that a study can name, each a frame from the study's data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from metaeval.analysis.agreement import agreement_table
from metaeval.analysis.coverage import coverage, coverage_by_family, coverage_differences
from metaeval.analysis.discrimination import discriminative_power
from metaeval.analysis.rank_correlation import metric_clusters, rank_correlation
from metaeval.analysis.robustness import robustness, robustness_differences
from metaeval.analysis.split_half import split_half
from metaeval.analysis.unanimity import uir_table
from metaeval.studies.study import Setting, Study


@dataclass(frozen=True, eq=False)
class ScoredOutputs:
    """Scores of all systems, and the family of each system."""

    scores: pd.DataFrame
    families: dict[Any, str]


@dataclass(frozen=True, eq=False)
class ScoredSetting:
    """Scores of one setting's matrices; for pairs also of the second matrices."""

    setting: Setting
    first: pd.DataFrame
    second: pd.DataFrame | None = None


OutputAnalysis = Callable[[ScoredOutputs, Study, int], pd.DataFrame]
MatrixAnalysis = Callable[[ScoredSetting, Study], pd.DataFrame]


def _with_uncertainty(analyse: Callable[..., pd.DataFrame], *reads: str) -> OutputAnalysis:
    """An analyzer of scores, called with the study's options and what else it reads."""

    def run(data: ScoredOutputs, study: Study, jobs: int) -> pd.DataFrame:
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


def _scores(data: ScoredOutputs, study: Study, jobs: int) -> pd.DataFrame:
    return data.scores


def _uir(data: ScoredOutputs, study: Study, jobs: int) -> pd.DataFrame:
    return uir_table(data.scores, study.reference, undefined=study.undefined, level=study.level)


def _clusters(data: ScoredOutputs, study: Study, jobs: int) -> pd.DataFrame:
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


def _values(data: ScoredSetting, study: Study) -> pd.DataFrame:
    """Mean value of each metric over the setting's matrices, with a normal interval."""
    from scipy.special import ndtri

    values = data.first if data.second is None else pd.concat([data.first, data.second])
    number = values.notna().sum()
    half = float(ndtri((1 + study.level) / 2)) * values.std() / np.sqrt(number)
    mean = values.mean()
    frame = pd.DataFrame(
        {
            "value": mean,
            "low": mean - half,
            "high": mean + half,
            "matrices": number,
            "undefined": values.isna().sum(),
        }
    ).rename_axis("metric")
    if len(values) == 1:
        frame.attrs["no_interval"] = {"any": "the value of one matrix is exact"}
    return frame


def _agreement(data: ScoredSetting, study: Study, reference: bool) -> pd.DataFrame:
    if data.second is None:
        raise TypeError("agreement compares pairs of matrices")
    return agreement_table(
        data.first,
        data.second,
        study.reference[0] if reference else None,
        undefined=study.undefined,
        level=study.level,
    )


MATRIX_ANALYSES: dict[str, MatrixAnalysis] = {
    "values": _values,
    "agreement": partial(_agreement, reference=False),
    "agreement-with-reference": partial(_agreement, reference=True),
}
