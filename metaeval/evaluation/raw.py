"""Tables as they come, column by column: each value once, and a small number for every row.

A table of 100 systems and 100,000 items has ten million cells but a handful of labels. Whatever
is costly is done once a label; only numbers are handled by the million.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.errors import InputError

Codes = NDArray[np.int32]

# Rows that are held as Python objects at a time while a file is read.
ROWS_AT_A_TIME = 4096


@dataclass(frozen=True, eq=False)
class Column:
    """Which of the values stands in each row; -1 where there is none."""

    codes: Codes
    values: Sequence[Any]

    def cells(self) -> pd.Series[Any]:
        """The values row by row."""
        values = np.empty(len(self.values) + 1, dtype=object)
        values[:-1] = list(self.values)
        values[-1] = None  # where the code -1 points to
        return pd.Series(values[self.codes]).infer_objects()


Columns = dict[str, Column]


@dataclass(frozen=True, eq=False)
class RawTable:
    """Columns by name, and `place`, which says in words where a row of a column is found."""

    name: str
    columns: Columns
    rows: int
    place: Callable[[str, int], str]


def from_frame(frame: pd.DataFrame, name: str = "the table") -> RawTable:
    """A data frame as it is."""
    names = [str(c) for c in frame.columns]
    refuse_twice(name, names)
    columns = {}
    for place, column in enumerate(names):
        codes, values = _factorize(frame.iloc[:, place], f"{name}, column {column!r}")
        columns[column] = Column(codes.astype(np.int32), list(values))
    rows = frame.index

    def place_of(column: str, row: int) -> str:
        return f"{name}, row {rows[row]}, column {column!r}"

    return RawTable(name, columns, len(frame), place_of)


def refuse_twice(where: str, names: Sequence[str]) -> None:
    """Complain if two columns have one name."""
    if len(set(names)) < len(names):
        twice = min(name for name, times in Counter(names).items() if times > 1)
        raise InputError(f"{where}: column {twice!r} stands there twice")


class Builder:
    """Columns put together from blocks of rows."""

    def __init__(
        self, names: Iterable[str] = (), clean: Callable[[Any], Any] = lambda value: value
    ) -> None:
        self.rows = 0
        self._clean = clean  # done once a value and block
        self._codes: dict[str, list[Codes]] = {name: [] for name in names}
        self._known: dict[str, dict[Any, int]] = {name: {} for name in names}

    def names(self) -> list[str]:
        """The columns so far."""
        return list(self._codes)

    def add(self, block: Mapping[str, Sequence[Any] | NDArray[Any]], rows: int, where: str) -> None:
        """Append a block; a column that it lacks is empty there, as a new one is above."""
        for name in block:
            if name not in self._codes:
                self._codes[name] = [np.full(self.rows, -1, dtype=np.int32)]
                self._known[name] = {}
        for name, parts in self._codes.items():
            if name not in block:
                parts.append(np.full(rows, -1, dtype=np.int32))
                continue
            cells = np.empty(rows, dtype=object)
            cells[:] = block[name]
            codes, values = _factorize(cells, f"{where}, column {name!r}")
            known = self._known[name]
            own = [
                -1 if value == "" else known.setdefault(self._clean(value), len(known))
                for value in values
            ]
            own.append(-1)  # where the code -1 points to
            parts.append(np.array(own, dtype=np.int32)[codes])
        self.rows += rows

    def columns(self) -> Columns:
        """The finished columns."""
        empty = [np.empty(0, dtype=np.int32)]
        return {
            name: Column(np.concatenate(parts or empty), list(self._known[name]))
            for name, parts in self._codes.items()
        }


def _factorize(cells: Any, where: str) -> tuple[NDArray[np.intp], Any]:
    try:
        return pd.factorize(cells)
    except TypeError:
        raise InputError(f"{where}: holds lists or objects; expected labels") from None
