"""Training: every candidate once a fold and once a split, whatever it will be judged by.

Nothing here knows a metric. What comes out are predictions, from which any number of metrics can
choose and judge without another fit.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from generators.streams import Stream
from metaeval.batch import Array
from metaeval.errors import InputError
from metaeval.execution import Jobs, run
from metaeval.labels import Counts, Labels, confusion
from metaeval.studies.classifiers.datasets import DATASETS, Dataset, learner
from metaeval.studies.classifiers.methods import Candidate, candidates
from metaeval.studies.study import Classifiers


@dataclass(frozen=True, eq=False)
class Unit:
    """The work that is done in one go: the candidates of one method on one split of one set."""

    name: str
    data: Dataset
    train: Labels
    test: Labels
    folds: int
    candidates: list[Candidate]
    seed: int

    def __str__(self) -> str:
        return f"{self.candidates[0].method} on {self.name}"


@dataclass(frozen=True, eq=False)
class Fitted:
    """Predictions of all candidates on one data set.

    `gold` and `predicted` are what cross-validation saw, (splits, items) and (splits,
    candidates, items) of the training part, where item i is in fold i modulo `folds`;
    `test_gold` and `test_predicted` are the same of the test part.
    """

    name: str
    classes: int
    folds: int
    candidates: list[Candidate]
    gold: Labels
    predicted: Labels
    test_gold: Labels
    test_predicted: Labels

    @property
    def items(self) -> int:
        """The size of the data set."""
        return self.gold.shape[1] + self.test_gold.shape[1]

    def fold_matrices(self) -> Counts:
        """Confusion matrices (splits, folds, candidates, K, K) of the cross-validation."""
        parts = [slice(fold, None, self.folds) for fold in range(self.folds)]
        found = [
            confusion(self.gold[:, None, part], self.predicted[:, :, part], self.classes)
            for part in parts
        ]
        return np.stack(found, axis=1)

    def test_matrices(self) -> Counts:
        """Confusion matrices (splits, candidates, K, K) of the test parts."""
        return confusion(self.test_gold[:, None], self.test_predicted, self.classes)

    def named_matrices(self) -> dict[str, Counts]:
        """The test matrices by split and candidate; neighbours are of the same split."""
        return {
            f"split {split + 1}, {candidate.name}": matrix
            for split, matrices in enumerate(self.test_matrices())
            for candidate, matrix in zip(self.candidates, matrices, strict=True)
        }


def fit_all(data: Classifiers, seed: int, jobs: Jobs = None) -> list[Fitted]:
    """Train everything that a study asks for; a result a data set, the same for any jobs."""
    sets = {name: DATASETS[name](seed) for name in data.datasets}
    for method in data.methods:
        # A package that is not there is told before the work, not in the middle of it.
        candidates(method, data.grid[method])[0].make(seed)
    work = [unit for name in sets for unit in _units(data, name, sets[name], seed)]
    found = list(run(fit, work, jobs, name="training", kind="python"))
    results, a_set = [], data.splits * len(data.methods)
    for place, (name, dataset) in enumerate(sets.items()):
        units = list(_units(data, name, dataset, seed))
        parts = found[place * a_set : (place + 1) * a_set]
        inner, outer = (
            _by_split([part[side] for part in parts], data.splits) for side in ("inner", "outer")
        )
        one_a_split = units[:: len(data.methods)]
        results.append(
            Fitted(
                name=name,
                classes=dataset.classes,
                folds=data.folds,
                candidates=[c for unit in units[: len(data.methods)] for c in unit.candidates],
                gold=np.stack([dataset.y[unit.train] for unit in one_a_split]),
                predicted=inner,
                test_gold=np.stack([dataset.y[unit.test] for unit in one_a_split]),
                test_predicted=outer,
            )
        )
    return results


def _units(data: Classifiers, name: str, dataset: Dataset, seed: int) -> Iterable[Unit]:
    """By split, then by method. A split depends on seed, data set and number, on nothing else."""
    root = np.random.SeedSequence(seed)
    items = len(dataset.y)
    cut = round(data.train * items)
    if min(cut // data.folds, items - cut) < 1:
        raise InputError(
            f"{name} has {items} items; {cut} to train on and {items - cut} to test on are too "
            f"few for {data.folds} folds and a test"
        )
    for split in range(data.splits):
        order = Stream(root, f"split {name}").unit(split).permutation(items)
        for method in data.methods:
            yield Unit(
                name=name,
                data=dataset,
                train=order[:cut],
                test=order[cut:],
                folds=data.folds,
                candidates=candidates(method, data.grid[method]),
                seed=int(Stream(root, f"fit {name} {method}").unit(split).integers(2**31)),
            )


def fit(unit: Unit) -> dict[str, Labels]:
    """Predictions (candidates, items) of the training part by cross-validation, and of the test."""
    # Small matrices gain nothing from threads, and the order of additions stays fixed.
    with learner("threadpoolctl").threadpool_limits(1), warnings.catch_warnings():
        # A candidate that does not converge is a poor candidate; choosing will tell.
        warnings.simplefilter("ignore")
        x, y = unit.data.x[unit.train], unit.data.y[unit.train]
        kind = np.int16 if unit.data.classes > 127 else np.int8
        inner = np.empty((len(unit.candidates), len(unit.train)), dtype=kind)
        outer = np.empty((len(unit.candidates), len(unit.test)), dtype=kind)
        fold = np.arange(len(unit.train)) % unit.folds
        for place, candidate in enumerate(unit.candidates):
            try:
                for number in range(unit.folds):
                    held = fold == number
                    inner[place, held] = _predict(candidate, unit.seed, x[~held], y[~held], x[held])
                outer[place] = _predict(candidate, unit.seed, x, y, unit.data.x[unit.test])
            except ValueError as problem:
                reason = " ".join(str(problem).split())
                raise InputError(f"{candidate.name} on {unit.name}: {reason}") from None
    return {"inner": inner, "outer": outer}


def _predict(candidate: Candidate, seed: int, x: Array, y: Labels, new: Array) -> Labels:
    """Train on standardised features and predict; the scale is that of the training items."""
    if (y == y[0]).all():
        return np.full(len(new), y[0])  # there is one answer, and most learners refuse to learn it
    centre, spread = x.mean(axis=0), x.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    model = candidate.make(seed).fit((x - centre) / spread, y)
    found: Labels = model.predict((new - centre) / spread)
    return found


def _by_split(parts: list[Labels], splits: int) -> Labels:
    """Predictions (splits, candidates, items) from parts ordered by split, then by method."""
    methods = len(parts) // splits
    return np.stack([np.concatenate(parts[s * methods : (s + 1) * methods]) for s in range(splits)])
