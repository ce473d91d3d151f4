"""Label tables: one row an item, a gold column, an optional case column, systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.errors import InputError, unknown
from metaeval.evaluation.raw import Column, RawTable
from metaeval.evaluation.reading import read_raw
from metaeval.labels import Scale

# A scale read off the data is every whole (or half) step between the extremes; more classes
# than this are taken for something else than grades.
MOST_CLASSES = 100

# What programs write where they have no label. In a scale that names one of them it is a label.
EMPTY = frozenset({"", "na", "n/a", "nan", "null", "none", "<na>"})

# Systems that are compared two by two; time and results grow with their square.
MOST_SYSTEMS = 500

MISSING = ("error", "drop", "wrong")

# Places of a lookup table beside the classes: no label, and a label that is not of the scale.
NONE, OUTSIDE = -1, -2

Labels = NDArray[np.int16]
Stated = str | int | Sequence[Any] | None


@dataclass(frozen=True)
class LabelTable:
    """Labels as class codes 0..K-1 of a scale, by column.

    `missing` counts empty cells by column, `clipped` labels that were moved to an end of the
    scale, `left_out` the items that are not in the table because of empty cells.
    """

    codes: dict[str, Labels]
    gold: str
    cases: pd.Series[Any] | None
    systems: list[str]
    scale: Scale
    missing: dict[str, int] = field(default_factory=dict)
    clipped: dict[str, int] = field(default_factory=dict)
    left_out: int = 0


def read_label_table(
    path: Path, gold: str = "gold", case: str = "case", classes: str | None = None
) -> LabelTable:
    """Read CSV, TSV, Parquet or JSONL; the scale is `classes`, or numeric and from the table.

    A column `item` has the items' ids and is no system.
    """
    raw = read_raw(path)
    return label_table(raw, gold, case, classes, item="item" if "item" in raw.columns else None)


def label_table(
    raw: RawTable,
    gold: str,
    case: str | None,
    classes: Stated = None,
    *,
    systems: Sequence[str] | None = None,
    item: str | None = None,
    missing: str = "error",
    clip: bool = False,
) -> LabelTable:
    """Find the columns, settle the scale, and turn labels into class codes.

    Empty cells are, by the policy `missing`: an error; with "drop" the item is left out for all
    systems, so that comparisons stay paired; with "wrong" a prediction counts as the class
    farthest from the gold label (the highest one if both ends are as far). An item without a
    gold label is left out under both. `clip` moves numeric predictions beyond the scale to its
    ends.
    """
    if missing not in MISSING:
        raise unknown("policy for missing predictions", missing, MISSING)
    chosen = _systems(raw, gold, {gold, case, item}, systems)
    if not raw.rows:
        raise InputError(f"{raw.name}: the table has no rows")
    if item is not None and item in raw.columns:
        _refuse_again(raw, item)
    cases = _cases(raw, case)
    columns = {name: raw.columns[name] for name in (gold, *chosen)}
    stated = _stated(classes)
    if clip and (stated is None or isinstance(stated[0], str)):
        raise InputError("clipping needs the scale: give numeric classes with --classes")
    scale = Scale(stated if stated is not None else numeric_scale(raw, columns))
    codes, clipped = {}, {}
    for name, column in columns.items():
        codes[name], clipped[name] = _encode(raw, name, column, scale, clip and name != gold)
    gone = {name: int(np.count_nonzero(found == NONE)) for name, found in codes.items()}
    if any(gone.values()):
        if missing == "error":
            raise _no_label(raw, codes, scale)
        kept = _settle(raw, codes, gold, missing, len(scale))
        codes = {name: found[kept] for name, found in codes.items()}
        cases = None if cases is None else cases[kept].reset_index(drop=True)
    return LabelTable(codes, gold, cases, chosen, scale, gone, clipped, raw.rows - len(codes[gold]))


def refuse_many(name: str, systems: int) -> None:
    """Complain about more systems than can be compared two by two."""
    if systems > MOST_SYSTEMS:
        raise InputError(
            f"{name}: {systems:,} systems; at most {MOST_SYSTEMS} are compared two by two "
            "(metaeval score takes any number)"
        )


def _systems(
    raw: RawTable, gold: str, others: set[str | None], systems: Sequence[str] | None
) -> list[str]:
    if gold not in raw.columns:
        problem = unknown("column", gold, raw.columns)
        raise InputError(f"{raw.name}: no column with the gold labels: {problem}")
    if systems is not None:
        for name in systems:
            if name not in raw.columns or name in others:
                known = [c for c in raw.columns if c not in others]
                raise InputError(f"{raw.name}: {unknown('system', name, known)}")
    chosen = [c for c in raw.columns if c not in others] if systems is None else list(systems)
    if not chosen:
        named = " and ".join(repr(name) for name in sorted(o for o in others if o))
        raise InputError(f"{raw.name}: no system: every column but {named} is one")
    if len(set(chosen)) < len(chosen):
        raise InputError("a system is named twice")
    return chosen


def _refuse_again(raw: RawTable, item: str) -> None:
    """Items are told apart by their ids; an empty id is none."""
    codes = raw.columns[item].codes
    again = pd.Series(codes).duplicated().to_numpy() & (codes >= 0)
    if again.any():
        row = int(again.argmax())
        value = raw.columns[item].values[codes[row]]
        raise InputError(f"{raw.place(item, row)}: item {value!r} stands there a second time")


def _cases(raw: RawTable, case: str | None) -> pd.Series[Any] | None:
    if case is None or case not in raw.columns:
        return None
    column = raw.columns[case]
    if (column.codes < 0).any():
        row = int((column.codes < 0).argmax())
        raise InputError(f"{raw.place(case, row)}: no case given")
    return column.cells()


def _stated(classes: Stated) -> list[Any] | None:
    """The stated classes: numbers if all are, else text."""
    if classes is None:
        return None
    if isinstance(classes, int):
        classes = range(classes)
    listed = classes.split(",") if isinstance(classes, str) else list(classes)
    numbers = [_number(label) for label in listed]
    if any(number is None for number in numbers):
        return [_text(label) for label in listed]
    whole = all(number == round(number) for number in numbers if number is not None)
    return [round(n) if whole else n for n in numbers if n is not None]


def _number(label: Any) -> float | None:
    """A label as a number, however it is written: 1, 1.0, "1", " 1 "; None if it is no number."""
    try:
        number = float(label)
    except (TypeError, ValueError, OverflowError):
        return None
    # Python reads "1_0" as 10; nobody who writes tables does.
    return number if np.isfinite(number) and "_" not in str(label) else None


def _text(label: Any) -> str:
    """A label as text; a whole number has no decimals."""
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(round(label))
    return str(label).strip()


def _is_empty(label: Any) -> bool:
    return str(label).strip().lower() in EMPTY


def _labels(column: Column) -> Iterator[tuple[int, Any]]:
    return ((code, value) for code, value in enumerate(column.values) if not _is_empty(value))


def numeric_scale(raw: RawTable, columns: dict[str, Column]) -> list[float]:
    """Every step of 1 (or 0.5 if there are half points) from the lowest to the highest label."""
    numbers = set()
    for name, column in columns.items():
        parsed = {code: _number(value) for code, value in _labels(column)}
        strange = [code for code, number in parsed.items() if number is None]
        if strange:
            row = int(np.isin(column.codes, strange).argmax())
            label = column.values[column.codes[row]]
            raise InputError(
                f"{raw.place(name, row)}: label {label!r} is not a number; give the class order "
                "with --classes"
            )
        numbers |= {number for number in parsed.values() if number is not None}
    found = np.array(sorted(numbers))
    if len(found) < 2:
        raise InputError(f"{raw.name}: all labels are the same; give the scale with --classes")
    for step in (1.0, 0.5):
        if (found % step == 0).all():
            count = (float(found[-1]) - float(found[0])) / step + 1
            if count <= MOST_CLASSES:
                scale: list[float] = (found[0] + step * np.arange(round(count))).tolist()
                return [int(v) for v in scale] if step == 1 else scale
    if len(found) > MOST_CLASSES:
        raise InputError(
            f"{raw.name}: {len(found)} different labels are no scale; give it with --classes"
        )
    return found.tolist()


def _encode(
    raw: RawTable, name: str, column: Column, scale: Scale, clip: bool
) -> tuple[Labels, int]:
    """Class codes of a column, and how many of its labels were clipped."""
    textual = isinstance(scale.classes[0], str)
    index = {label: code for code, label in enumerate(scale.classes)}
    # One place more: where the code -1 of an empty cell points to.
    lookup = np.full(len(column.values) + 1, NONE, dtype=np.int16)
    beyond = np.zeros(len(lookup), dtype=np.bool_)
    for code, value in enumerate(column.values):
        label = _text(value) if textual else _number(value)
        found = OUTSIDE if label is None else index.get(label, OUTSIDE)
        if found == OUTSIDE and clip and isinstance(label, float):
            low, high = float(str(scale.classes[0])), float(str(scale.classes[-1]))
            beyond[code] = not low <= label <= high
            found = 0 if label < low else len(scale) - 1 if label > high else OUTSIDE
        lookup[code] = NONE if found == OUTSIDE and _is_empty(value) else found
    codes = lookup[column.codes]
    outside = codes == OUTSIDE
    if outside.any():
        row = int(outside.argmax())
        label = column.values[column.codes[row]]
        place = raw.place(name, row)
        raise InputError(f"{place}: label {label!r}; expected one of {_shown(scale)}")
    return codes, int(np.count_nonzero(beyond[column.codes])) if clip else 0


def _shown(scale: Scale) -> str:
    return ", ".join(map(str, scale.classes[:12])) + (", ..." if len(scale) > 12 else "")


def _no_label(raw: RawTable, codes: dict[str, Labels], scale: Scale) -> InputError:
    name, found = next((n, f) for n, f in codes.items() if (f == NONE).any())
    place = raw.place(name, int((found == NONE).argmax()))
    return InputError(f"{place}: no label; expected one of {_shown(scale)}")


def _settle(
    raw: RawTable, codes: dict[str, Labels], gold: str, missing: str, classes: int
) -> NDArray[np.bool_]:
    """Fill empty cells in place if they count as wrong; the mask of the items that stay."""
    truth = codes[gold]
    kept: NDArray[np.bool_] = truth != NONE
    farthest = np.where(2 * truth <= classes - 1, classes - 1, 0)
    for name, found in codes.items():
        if name != gold and missing == "wrong":
            np.copyto(found, farthest, where=found == NONE, casting="unsafe")
        elif name != gold:
            kept &= found != NONE
    if not kept.any():
        raise InputError(f"{raw.name}: every item lacks a label; nothing is left to evaluate")
    return kept
