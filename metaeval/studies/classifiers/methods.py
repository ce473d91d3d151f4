"""The classifiers of a study, and the parameter values that they choose from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from metaeval.studies.classifiers.datasets import learner
from metaeval.studies.classifiers.frank_hall import FrankHall

Grid = Mapping[str, tuple[Any, ...]]
Parameters = Mapping[str, Any]

# TOML has no value for None; in a grid this word stands for it.
NONE = "none"


@dataclass(frozen=True)
class Method:
    """A way to learn: how a model is made from parameters and a seed, and its usual grid.

    The values of a grid go from the plainest model to the most flexible one, because of equally
    good candidates the first is chosen.
    """

    description: str
    make: Callable[[dict[str, Any], int], Any]
    grid: Grid


def _from(module: str, name: str, **fixed: Any) -> Callable[[dict[str, Any], int], Any]:
    return lambda parameters, seed: getattr(learner(module), name)(**fixed, **parameters)


def _forest(parameters: dict[str, Any], seed: int) -> Any:
    forest = learner("sklearn.ensemble").RandomForestClassifier
    return forest(n_estimators=50, random_state=seed, **parameters)


_C = (0.01, 0.1, 1.0, 10.0)
_WEIGHT = (NONE, "balanced")

METHODS: dict[str, Method] = {
    "svm": Method(
        "one-vs-one SVM, linear kernel",
        _from("sklearn.svm", "SVC", kernel="linear"),
        {"C": _C, "class_weight": _WEIGHT},
    ),
    "frank-hall": Method(
        "Frank & Hall decomposition into binary SVMs, linear kernel",
        lambda parameters, seed: FrankHall(**parameters),
        {"C": _C, "class_weight": _WEIGHT},
    ),
    "ordinal-svm": Method(
        "ordinal SVM by reduction to one binary SVM (data replication), linear kernel",
        _from("skordinal.classifiers", "REDSVM", kernel="linear"),
        {"C": _C},
    ),
    "svor": Method(
        "support vector ordinal regression, parallel thresholds, Gaussian kernel",
        _from("skordinal.classifiers", "SVOR", kernel="rbf"),
        {"C": _C},
    ),
    "logistic-at": Method(
        "all-threshold logistic model",
        _from("skordinal.classifiers", "LogisticAT"),
        {"alpha": (100.0, 10.0, 1.0), "class_weight": _WEIGHT},
    ),
    "knn": Method(
        "nearest neighbours",
        _from("sklearn.neighbors", "KNeighborsClassifier"),
        {"n_neighbors": (31, 15, 9, 5, 3, 1)},
    ),
    "random-forest": Method(
        "random forest of 50 trees",
        _forest,
        {"min_samples_leaf": (5, 1), "class_weight": _WEIGHT},
    ),
}


@dataclass(frozen=True)
class Candidate:
    """A method with one value for each of its parameters."""

    method: str
    parameters: Parameters

    @property
    def name(self) -> str:
        """The system's name in tables: svm C=0.1 class_weight=none."""
        return " ".join([self.method, *(f"{k}={_short(v)}" for k, v in self.parameters.items())])

    def make(self, seed: int) -> Any:
        """An untrained model."""
        given = {k: None if v == NONE else v for k, v in self.parameters.items()}
        return METHODS[self.method].make(given, seed)


def candidates(method: str, grid: Grid) -> list[Candidate]:
    """Every combination of the grid's values, in its order."""
    return [
        Candidate(method, dict(zip(grid, values, strict=True)))
        for values in product(*grid.values())
    ]


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
