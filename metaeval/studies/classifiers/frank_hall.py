"""Frank & Hall's decomposition of ordered classes into binary questions, with linear SVMs."""

from __future__ import annotations

from typing import Any

import numpy as np

from metaeval.batch import Array
from metaeval.labels import Labels
from metaeval.studies.classifiers.datasets import learner


class FrankHall:
    """One binary SVM a threshold asks "is the class above it?"; the class is the number of yeses.

    Frank & Hall 2001 combine probabilities, which an SVM does not have. Counting its answers is
    what is left, needs no calibration, and takes the same class wherever the answers agree.
    """

    def __init__(self, **parameters: Any) -> None:
        self.parameters = parameters
        self.svc = learner("sklearn.svm").SVC

    def fit(self, x: Array, y: Labels) -> FrankHall:
        """Train a binary model for every threshold between two classes that occur."""
        self.classes = np.unique(y)
        self.models = [
            self.svc(kernel="linear", **self.parameters).fit(x, y > lower)
            for lower in self.classes[:-1]
        ]
        return self

    def predict(self, x: Array) -> Labels:
        """The class that as many thresholds as say yes lie below."""
        above = np.sum([model.predict(x) for model in self.models], axis=0)
        return self.classes[above]
