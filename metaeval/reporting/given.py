"""The systems that a user brings: a label table or matrices, as counts by case and system."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.inputs import LABEL_SUFFIXES, read_scorable
from metaeval.labels import grouped_confusion
from metaeval.tables import LabelTable, read_label_table, refuse_many

PARTITIONS = 10


@dataclass(frozen=True, eq=False)
class Given:
    """Counts of shape (cases, systems, K, K) with their names."""

    name: str
    counts: NDArray[Any]
    cases: tuple[Any, ...]
    systems: tuple[str, ...]
    classes: tuple[Any, ...]
    partition: bool = False  # whether the cases were made here, at random

    @property
    def pooled(self) -> NDArray[Any]:
        """Counts (systems, K, K) over all cases."""
        return np.asarray(self.counts.sum(axis=0))

    @property
    def index(self) -> pd.MultiIndex:
        """The index of scores, row by row of the counts."""
        return pd.MultiIndex.from_product([self.cases, self.systems], names=["case", "system"])

    @property
    def words(self) -> str:
        """How much there is."""
        items = int(self.counts[:, 0].sum())
        cases = f"{len(self.cases)} test cases" if len(self.cases) > 1 else "one test case"
        made = " (a random partition of the items)" if self.partition else ""
        systems = f"{len(self.systems)} system{'s' * (len(self.systems) != 1)}"
        size = f"{items:,} items in {cases}{made}, {len(self.classes)} classes"
        return f"{systems} of {self.name}, {size}"


def read_given(
    path: Path,
    classes: str | None = None,
    gold: str = "gold",
    case: str = "case",
    seed: int = 0,
) -> Given:
    """Read systems from a file; without a case column the items are parted at random."""
    if path.suffix.lower() in LABEL_SUFFIXES:
        table = read_label_table(path, gold=gold, case=case, classes=classes)
        refuse_many(str(path), len(table.systems))
        return from_table(table, path.name, seed)
    found = read_scorable(path, classes=classes, gold=gold, case=case)
    refuse_many(str(path), len(found.matrices))
    size = found.matrices.shape[-1]
    names = tuple(f"matrix {n}" if isinstance(n, int) else str(n) for n in found.index)
    return Given(path.name, found.matrices[None], (1,), names, tuple(range(size)))


def from_table(table: LabelTable, name: str, seed: int = 0) -> Given:
    """Count a label table by case and system."""
    gold = table.codes[table.gold]
    if table.cases is not None:
        groups, names = pd.factorize(table.cases)
    else:
        parts = max(1, min(PARTITIONS, len(gold) // 5))
        order = np.random.default_rng(seed).permutation(len(gold))
        groups, names = order % parts, pd.Index(range(1, parts + 1))
    outputs = [table.codes[system] for system in table.systems]
    counts = grouped_confusion(gold, outputs, np.asarray(groups), len(table.scale))
    return Given(
        name,
        counts,
        tuple(names),
        tuple(table.systems),
        table.scale.classes,
        partition=table.cases is None,
    )
