"""Which metrics rank systems alike: Kendall's tau-b between metrics, and clusters of metrics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from metaeval.analysis.inference import interval
from metaeval.analysis.pairs import differences, pair_weights
from metaeval.analysis.ranking import rows_a_block
from metaeval.analysis.resampling import Plan, in_blocks
from metaeval.analysis.scores import Orientation, ScoreTable, Undefined, read_scores
from metaeval.batch import Array
from metaeval.errors import InputError
from metaeval.execution import Jobs


@dataclass(frozen=True, eq=False)
class Clusters:
    """Hierarchical clustering of metrics.

    `frame` has, by metric in the order of the leaves, the number of its cluster; `linkage` is
    scipy's matrix for a dendrogram, whose leaves are the metrics in the order of `metrics`.
    """

    frame: pd.DataFrame
    linkage: Array
    metrics: tuple[str, ...]

    def _repr_html_(self) -> str:
        from metaeval.reporting.notebook import frame_html

        return frame_html(self.frame, title="Clusters of metrics")


def rank_correlation(
    scores: pd.DataFrame,
    *,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
    replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    jobs: Jobs = None,
) -> pd.DataFrame:
    """Kendall's tau-b between the rankings of systems by the mean scores of two metrics.

    Index (metric, other), every two metrics once; columns tau, low, high (bootstrap over test
    cases), low_systems, high_systems. NaN if a metric does not tell any two systems apart.
    """
    table = read_scores(scores, undefined, greater_is_better)
    plan = Plan(replicates, level, seed, jobs)
    rows, columns = np.triu_indices(len(table.metrics), 1)
    names = [(table.metrics[i], table.metrics[j]) for i, j in zip(rows, columns, strict=True)]
    tau = _taus(table.values.mean(axis=1))[rows, columns]
    index = pd.MultiIndex.from_tuples(names, names=["metric", "other"])
    frame = pd.DataFrame({"tau": tau}, index=index)
    if plan.replicates and names:
        for ending, found in _resampled(table, plan).items():
            low, high = interval(tau, found[:, rows, columns], level)
            frame[f"low{ending}"], frame[f"high{ending}"] = low, high
    return frame


def metric_clusters(
    scores: pd.DataFrame,
    *,
    distance: float = 0.1,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
) -> Clusters:
    """Metrics that rank systems alike, by average linkage on the distance 1 - tau-b.

    Metrics of one cluster are nearer than `distance` on average: 0.1 is a tau-b of 0.9. A metric
    that does not tell any two systems apart is at distance 1 from all others.
    """
    from scipy.cluster.hierarchy import fcluster, leaves_list, linkage
    from scipy.spatial.distance import squareform

    table = read_scores(scores, undefined, greater_is_better)
    if len(table.metrics) < 2:
        raise InputError("clusters need at least two metrics")
    if not distance > 0:
        raise InputError(f"the distance between clusters must be positive; got {distance}")
    apart = 1 - np.nan_to_num(_taus(table.values.mean(axis=1)), nan=0.0)
    np.fill_diagonal(apart, 0.0)
    links = linkage(squareform(np.maximum(apart, 0.0), checks=False), method="average")
    leaves = leaves_list(links)
    label = fcluster(links, distance, criterion="distance")[leaves]
    # Numbered in the order of the leaves: 1 is the topmost cluster of a dendrogram.
    numbers, _ = pd.factorize(label)
    frame = pd.DataFrame(
        {"cluster": numbers + 1},
        index=pd.Index([table.metrics[i] for i in leaves], name="metric"),
    )
    frame.attrs["no_interval"] = {"cluster": "the number of a cluster is a name, not a quantity"}
    return Clusters(frame, links, table.metrics)


def _taus(means: Array, weights: Array | None = None) -> Array:
    """tau-b between all metrics from mean scores (metrics, systems)."""
    metrics, systems = means.shape
    pairs = systems * (systems - 1) // 2
    shared = np.zeros((metrics, metrics))
    width = rows_a_block(metrics)
    for start in range(0, pairs, width):
        part = slice(start, start + width)
        sign = np.sign(differences(means, part))
        shared += (sign if weights is None else sign * weights[part]) @ sign.T
    own = np.diag(shared)
    with np.errstate(invalid="ignore", divide="ignore"):
        return shared / np.sqrt(own[:, None] * own)


def _resampled(table: ScoreTable, plan: Plan) -> dict[str, Array]:
    """Resamples (replicates, metrics, metrics), over cases and over systems."""
    metrics, cases, systems = table.values.shape
    by_case = np.moveaxis(table.values, 1, 0).reshape(cases, metrics * systems)
    case_weights, system_weights = plan.case_weights(cases), plan.system_weights(systems)
    means = table.values.mean(axis=1)

    def over_cases(rows: slice) -> Array:
        drawn = case_weights[rows] @ by_case / cases
        return np.stack([_taus(row.reshape(metrics, systems)) for row in drawn])

    def over_systems(rows: slice) -> Array:
        pairs = pair_weights(system_weights[rows])
        return np.stack([_taus(means, row) for row in pairs])

    block = rows_a_block(systems * systems // 2)
    works = {"": over_cases, "_systems": over_systems}
    if cases < 2:
        del works[""]
    return {e: in_blocks(work, plan.replicates, block, plan.jobs) for e, work in works.items()}
