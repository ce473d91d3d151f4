"""Choosing a candidate by cross-validation under a metric (Cardoso & Sousa 2011, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.analysis.scores import Undefined, natural_fill, policies, steps
from metaeval.batch import Array
from metaeval.measures.metric import Metric
from metaeval.measures.scoring import score_stack
from metaeval.studies.classifiers.fitting import Fitted

# The choice among the candidates of all methods at once, beside that within each method.
ANY = "any"


@dataclass(frozen=True, eq=False)
class Judged:
    """A data set's candidates under every metric.

    `validated` are the cross-validated scores (metrics, splits, candidates), turned so that
    higher is better; `test` are the natural values on the test parts, in the same shape, and
    `counted` is what these count as: higher is better, undefined ones as the study says.
    """

    fitted: Fitted
    metrics: list[Metric]
    validated: Array
    test: Array
    counted: Array

    def only(self, names: Sequence[str] | None) -> Judged:
        """The same under these metrics only; None means all."""
        if names is None:
            return self
        rows = [i for i, scored in enumerate(self.metrics) if scored.name in names]
        return replace(
            self,
            metrics=[self.metrics[i] for i in rows],
            validated=self.validated[rows],
            test=self.test[rows],
            counted=self.counted[rows],
        )

    @property
    def groups(self) -> dict[str, list[int]]:
        """The candidates that a choice is made from: those of each method, and all together."""
        found: dict[str, list[int]] = {}
        for place, candidate in enumerate(self.fitted.candidates):
            found.setdefault(candidate.method, []).append(place)
        return found if len(found) == 1 else {**found, ANY: list(range(self.test.shape[-1]))}

    def chosen(self, group: list[int]) -> NDArray[np.int64]:
        """The candidate (metrics, splits) of a group that each metric chooses."""
        return np.asarray(group)[best(self.validated[..., group])]

    def test_frame(self) -> pd.DataFrame:
        """Test scores with index (case, system): a case is a split."""
        splits = range(1, self.test.shape[1] + 1)
        names = [candidate.name for candidate in self.fitted.candidates]
        index = pd.MultiIndex.from_product([splits, names], names=["case", "system"])
        values = self.test.reshape(len(self.metrics), -1).T
        return pd.DataFrame(values, index=index, columns=[m.name for m in self.metrics])


def judge(fitted: Fitted, metrics: list[Metric], undefined: Undefined = "zero") -> Judged:
    """Score every candidate on every fold and every test part, with all metrics at once."""
    folds, test = fitted.fold_matrices(), fitted.test_matrices()
    by_fold = score_stack(folds, metrics).reshape(len(metrics), *folds.shape[:3])
    validated = [mean_of_folds(m.oriented(v)) for m, v in zip(metrics, by_fold, strict=True)]
    scores = score_stack(test, metrics).reshape(len(metrics), *test.shape[:2])
    counted = [m.oriented(v) for m, v in zip(metrics, scores, strict=True)]
    for place, policy in enumerate(policies(undefined, [m.name for m in metrics])):
        if policy != "drop":
            sign = 1.0 if metrics[place].greater_is_better else -1.0
            known = counted[place][np.isfinite(counted[place])]
            fill = sign * natural_fill(policy, known, sign)
            counted[place] = np.where(np.isfinite(counted[place]), counted[place], fill)
    return Judged(fitted, metrics, np.stack(validated), scores, np.stack(counted))


def mean_of_folds(scores: Array) -> Array:
    """Means over the folds of scores (..., folds, candidates).

    A fold on which the metric is undefined for every candidate says nothing and is left out. A
    candidate that is undefined on another fold has no mean, so that it is not chosen.
    """
    undefined = np.isnan(scores)
    useless = undefined.all(axis=-1, keepdims=True)
    kept = (~useless).sum(axis=-2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(useless, 0.0, scores).sum(axis=-2) / kept


def best(means: Array) -> NDArray[np.int64]:
    """The first of the best candidates along the last axis; also the first if none has a mean."""
    values = steps(np.where(np.isnan(means), -np.inf, means))
    found: NDArray[np.int64] = np.argmax(values, axis=-1)
    return found
