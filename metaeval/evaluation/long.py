"""Long tables (a row an item and system) made wide (a row an item, a column a system)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.errors import InputError, unknown
from metaeval.evaluation.raw import Codes, Column, RawTable, refuse_twice

LAYOUTS = ("auto", "wide", "long")
SYSTEM, PREDICTION = "system", "prediction"


def widen(raw: RawTable, layout: str, item: str, gold: str, case: str | None) -> RawTable:
    """The table if it is wide, its wide form if it is long.

    A long table has the columns item, system and prediction; `auto` takes a table that has all
    three for long. Gold labels stand in a column of their own, the same in all rows of an item,
    or are the predictions of a system that has the gold column's name.
    """
    if layout not in LAYOUTS:
        raise unknown("layout", layout, LAYOUTS)
    needed = (item, SYSTEM, PREDICTION)
    if layout == "wide" or (layout == "auto" and not all(n in raw.columns for n in needed)):
        return raw
    for name in needed:
        if name not in raw.columns:
            problem = unknown("column", name, raw.columns)
            needs = "the long layout needs item, system and prediction"
            raise InputError(f"{raw.name}: {needs}: {problem}")
    _refuse_empty(raw, item)
    _refuse_empty(raw, SYSTEM)
    items, systems = raw.columns[item], raw.columns[SYSTEM]
    source = _source_rows(raw, items, systems)
    columns = {item: Column(np.arange(len(items.values), dtype=np.int32), items.values)}
    predictions = raw.columns[PREDICTION]
    names = [str(value) for value in systems.values]
    refuse_twice(f"{raw.name}, systems", names)
    for place, name in enumerate(names):
        columns[name] = Column(_taken(predictions.codes, source[place]), predictions.values)
    for own in (gold, case):
        if own is not None and own in raw.columns:
            columns[own] = _of_items(raw, items, item, own)

    def place_of(column: str, row: int) -> str:
        if column not in names:
            first = int(np.argmax(items.codes == row))
            return raw.place(column, first)
        at = int(source[names.index(column), row])
        if at < 0:
            return f"{raw.name}, item {items.values[row]!r}, system {column!r}"
        return f"{raw.place(PREDICTION, at)} (item {items.values[row]!r}, system {column!r})"

    return RawTable(raw.name, columns, len(items.values), place_of)


def _refuse_empty(raw: RawTable, name: str) -> None:
    empty = raw.columns[name].codes < 0
    if empty.any():
        raise InputError(f"{raw.place(name, int(empty.argmax()))}: the cell is empty")


def _source_rows(raw: RawTable, items: Column, systems: Column) -> NDArray[np.int64]:
    """The row of each system and item, -1 if there is none; two are an error."""
    key = systems.codes.astype(np.int64) * len(items.values) + items.codes
    again = pd.Series(key).duplicated().to_numpy()
    if again.any():
        row = int(again.argmax())
        item, system = items.values[items.codes[row]], systems.values[systems.codes[row]]
        raise InputError(
            f"{raw.place(PREDICTION, row)}: a second prediction of system {system!r} for item "
            f"{item!r}"
        )
    source = np.full((len(systems.values), len(items.values)), -1, dtype=np.int64)
    source[systems.codes, items.codes] = np.arange(raw.rows)
    return source


def _taken(codes: Codes, rows: NDArray[np.int64]) -> Codes:
    """Codes of these rows, -1 where there is no row."""
    return np.where(rows >= 0, codes[rows], np.int32(-1))


def _of_items(raw: RawTable, items: Column, item: str, name: str) -> Column:
    """A column that says one thing an item; rows may leave it out, but not contradict."""
    column = raw.columns[name]
    said = np.flatnonzero(column.codes >= 0)
    found = np.full(len(items.values), -1, dtype=np.int32)
    where, first = np.unique(items.codes[said], return_index=True)
    found[where] = column.codes[said[first]]
    other = column.codes[said] != found[items.codes[said]]
    if other.any():
        row = int(said[other.argmax()])
        which, before = items.values[items.codes[row]], column.values[found[items.codes[row]]]
        raise InputError(
            f"{raw.place(name, row)}: {column.values[column.codes[row]]!r}, but {item} {which!r} "
            f"had {before!r} before"
        )
    return Column(found, column.values)
