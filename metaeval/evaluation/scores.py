"""Every metric on every case and system, with what undefined scores count as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from metaeval.analysis.scores import Undefined, natural_fill, policies, signs
from metaeval.batch import Array
from metaeval.errors import InputError
from metaeval.evaluation.outputs import Outputs
from metaeval.execution import Jobs
from metaeval.labels import Counts
from metaeval.measures.metric import Metric
from metaeval.measures.scoring import score_stack


@dataclass(frozen=True, eq=False)
class Scores:
    """Natural values of shape (metrics, cases, systems), NaN where undefined.

    `fill` is by metric the value that an undefined score counts as, `signs` is 1 where higher
    is better and -1 for errors.
    """

    metrics: tuple[Metric, ...]
    values: Array
    pooled: Array
    fill: Array
    signs: Array

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(metric.name for metric in self.metrics)

    @property
    def means(self) -> Array:
        """Mean over the cases (metrics, systems), undefined scores filled in."""
        return self.filled(self.values).mean(axis=1)

    @property
    def oriented(self) -> Array:
        """The means, higher is better."""
        return self.means * self.signs[:, None]

    def filled(self, values: Array) -> Array:
        """Values of shape (metrics, ...) without undefined ones."""
        fill = self.fill.reshape(-1, *[1] * (values.ndim - 1))
        return np.where(np.isfinite(values), values, fill)

    def frame(self, outputs: Outputs) -> pd.DataFrame:
        """Index (case, system), one column a metric: what metaeval.analysis works on."""
        return score_frame(self.values, self.names, outputs)


def score_outputs(
    outputs: Outputs,
    metrics: Sequence[Metric],
    undefined: Undefined = "zero",
    jobs: Jobs = None,
) -> Scores:
    """Score the matrices of all cases, and those of all cases together."""
    names = [metric.name for metric in metrics]
    chosen = policies(undefined, names)
    if "drop" in chosen:
        raise InputError(
            "undefined scores cannot be dropped here, where every metric is compared on the same "
            "cases; choose 'zero', 'worst' or a number"
        )
    values = score_counts(outputs.counts, metrics, jobs)
    sign = signs(names, None)
    fill = [
        natural_fill(policy, row[np.isfinite(row)] * s, s)
        for policy, row, s in zip(chosen, values, sign, strict=True)
    ]
    pooled = score_stack(outputs.counts.sum(axis=0), metrics, jobs=jobs)
    return Scores(tuple(metrics), values, pooled, np.array(fill), sign)


def score_counts(counts: Counts, metrics: Sequence[Metric], jobs: Jobs = None) -> Array:
    """Scores (metrics, cases, systems)."""
    return score_stack(counts, metrics, jobs=jobs).reshape(len(metrics), *counts.shape[:2])


def score_frame(values: Array, names: Sequence[str], outputs: Outputs) -> pd.DataFrame:
    """Scores (metrics, cases, systems) as a frame by case and system."""
    index = pd.MultiIndex.from_product([outputs.cases, outputs.systems], names=["case", "system"])
    return pd.DataFrame(values.reshape(len(names), -1).T, index=index, columns=list(names))
