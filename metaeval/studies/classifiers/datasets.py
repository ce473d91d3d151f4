"""The ordinal data sets that classifiers can be trained on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

import generators
from metaeval.batch import Array
from metaeval.errors import InputError
from metaeval.labels import Labels

# Points of the synthetic set, as many as Cardoso & Sousa 2011, 4.3, drew.
POINTS = 400


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features (items, features) and class codes 0..classes-1."""

    x: Array
    y: Labels
    classes: int


def _bundled(loader: str) -> Callable[[int], Dataset]:
    """A data set that comes with skordinal; it is the same for every seed."""

    def load(seed: int) -> Dataset:
        found = getattr(learner("skordinal.datasets"), loader)()
        return Dataset(np.asarray(found.data, dtype=float), found.target, len(found.target_names))

    return load


def _synthetic(seed: int) -> Dataset:
    x, y = generators.features(POINTS, np.random.SeedSequence(seed))
    return Dataset(x, y, 5)


DATASETS: dict[str, Callable[[int], Dataset]] = {
    "ESL": _bundled("load_esl"),
    "SWD": _bundled("load_swd"),
    "LEV": _bundled("load_lev"),
    "ERA": _bundled("load_era"),
    "balance-scale": _bundled("load_balance_scale"),
    "synthetic": _synthetic,
}


def learner(module: str) -> Any:
    """A module of the optional packages that classifiers and data sets come from."""
    try:
        return import_module(module)
    except ModuleNotFoundError as problem:
        missing = (problem.name or module).partition(".")[0]
        raise InputError(
            f"a study of classifiers needs the package {missing}: pip install 'metaeval[sklearn]'"
        ) from None
