"""Metrics as scikit-learn scorers; scikit-learn itself is not needed to make one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from metaeval.errors import InputError
from metaeval.labels import Classes
from metaeval.measures.metric import Metric
from metaeval.measures.registry import metric


@dataclass(frozen=True)
class Scorer:
    """scorer(estimator, X, y) -> number, higher is better."""

    metric: Metric
    classes: tuple[Any, ...] | None = None

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Score the predictions for X against y."""
        classes = self.classes
        if classes is None:
            known = getattr(estimator, "classes_", None)
            if known is None:
                raise InputError(
                    f"the scale is not known: {type(estimator).__name__} has no classes_; "
                    "give make_scorer(..., classes=[...])"
                )
            classes = tuple(np.asarray(known).tolist())
        value = self.metric.from_labels(y, estimator.predict(X), classes, sample_weight)
        return value if self.metric.greater_is_better else -value

    def __repr__(self) -> str:
        scale = "" if self.classes is None else f", classes={list(self.classes)}"
        return f"make_scorer({self.metric.name!r}{scale})"


def make_scorer(name: str | Metric, classes: Classes | None = None, **parameters: Any) -> Scorer:
    """A scorer for cross_val_score, GridSearchCV and the like, with the right sign.

    The scale is `classes` in its order, or else the estimator's own `classes_`. State it if a
    training fold may lack a class: a label outside the scale is an error, not a guess.
    """
    if isinstance(classes, int):
        classes = range(classes)
    return Scorer(metric(name, **parameters), None if classes is None else tuple(classes))
