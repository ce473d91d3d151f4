"""Systems' outputs by test case: labels, the case of each item, and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.errors import InputError, unknown
from metaeval.evaluation.long import widen
from metaeval.evaluation.raw import RawTable, from_frame
from metaeval.evaluation.reading import read_raw
from metaeval.labels import Counts, grouped_confusion
from metaeval.tables import Labels, LabelTable, Stated, label_table, refuse_many

# The streams of randomness in this package, apart from those of metaeval.analysis.
PARTITION, ITEMS = 1001, 1002


@dataclass(frozen=True, eq=False)
class Outputs:
    """A label table whose items belong to test cases, codes 0..C-1 with these names."""

    table: LabelTable
    groups: NDArray[np.int64]
    cases: tuple[Any, ...]
    partition: bool  # whether the cases were made here, at random

    @property
    def gold(self) -> Labels:
        return self.table.codes[self.table.gold]

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(self.table.systems)

    @property
    def classes(self) -> tuple[Any, ...]:
        return self.table.scale.classes

    @cached_property
    def predictions(self) -> Labels:
        """Class codes (systems, items)."""
        return np.stack([self.table.codes[name] for name in self.systems])

    @cached_property
    def counts(self) -> Counts:
        """Confusion matrices (cases, systems, K, K)."""
        outputs = [self.table.codes[name] for name in self.systems]
        return grouped_confusion(self.gold, outputs, self.groups, len(self.classes))


def read_outputs(
    source: pd.DataFrame | str | Path,
    gold: str = "gold",
    case: str | None = None,
    systems: Sequence[str] | None = None,
    classes: Stated = None,
    *,
    item: str | None = None,
    layout: str = "auto",
    missing: str = "error",
    clip: bool = False,
    partitions: int = 10,
    seed: int = 0,
) -> Outputs:
    """The outputs in a frame or file, checked and complete.

    Columns `case` and `item` are what their names say even if they are not named. Without a
    case column the items are parted at random into `partitions` cases of equal size.
    """
    raw = from_frame(source) if isinstance(source, pd.DataFrame) else read_raw(Path(source))
    raw = widen(raw, layout, item or "item", gold, case or "case")
    table = label_table(
        raw,
        gold,
        _column(raw, case, "case"),
        classes,
        systems=systems,
        item=_column(raw, item, "item"),
        missing=missing,
        clip=clip,
    )
    refuse_many(raw.name, len(table.systems))
    if table.cases is not None:
        groups, names = pd.factorize(table.cases)
        return Outputs(table, groups.astype(np.int64), tuple(names), partition=False)
    items = len(table.codes[gold])
    if not 1 <= partitions <= items:
        raise InputError(
            f"{raw.name}: {items} items without a case column cannot be parted into "
            f"{partitions} cases; choose --partitions from 1 to {items}"
        )
    groups = _partition(items, partitions, seed)
    return Outputs(table, groups, tuple(range(1, partitions + 1)), partition=True)


def _column(raw: RawTable, named: str | None, usual: str) -> str | None:
    """The named column, which must exist, or the one of the usual name, if it exists."""
    if named is None:
        return usual if usual in raw.columns else None
    if named not in raw.columns:
        problem = unknown("column", named, raw.columns)
        raise InputError(f"{raw.name}: no column with the {usual}s: {problem}")
    return named


def _partition(items: int, partitions: int, seed: int) -> NDArray[np.int64]:
    if seed < 0:
        raise InputError(f"the seed must not be negative; got {seed}")
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(PARTITION,)))
    return rng.permutation(np.arange(items) % partitions)
