"""Wide label tables: one row an item, a gold column, an optional case column, systems."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.errors import InputError, unknown
from metaeval.labels import Scale

# A scale read off the data is every whole (or half) step between the extremes; more classes
# than this are taken for something else than grades.
MOST_CLASSES = 100


@dataclass(frozen=True)
class LabelTable:
    """Labels as class codes 0..K-1 of a scale, by column."""

    codes: dict[str, NDArray[np.int64]]
    gold: str
    cases: pd.Series[Any] | None
    systems: list[str]
    scale: Scale


def read_label_table(
    path: Path, gold: str = "gold", case: str = "case", classes: str | None = None
) -> LabelTable:
    """Read CSV, TSV, Parquet or JSONL; the scale is `classes`, or numeric and from the table."""
    from metaeval.inputs import reading

    with reading(path):
        frame = _READERS[path.suffix.lower()](path)
    return label_table(frame, str(path), gold, case, classes)


def label_table(
    frame: pd.DataFrame, name: str, gold: str, case: str, classes: str | None
) -> LabelTable:
    """Find the columns, settle the scale, and turn labels into class codes."""
    if gold not in frame.columns:
        problem = unknown("column", gold, map(str, frame.columns))
        raise InputError(f"{name}: no column with the gold labels: {problem}")
    systems = [str(c) for c in frame.columns if c not in (gold, case)]
    if not systems:
        raise InputError(f"{name}: no system: every column but {gold!r} and {case!r} is one")
    if frame.empty:
        raise InputError(f"{name}: the table has no rows")
    cases = frame[case] if case in frame.columns else None
    if cases is not None and cases.isna().any():
        raise InputError(f"{_place(name, frame, case, int(cases.isna().argmax()))}: no case given")
    labels = frame[[gold, *systems]]
    stated = None if classes is None else [c.strip() for c in classes.split(",")]
    numeric = pd.DataFrame({c: pd.to_numeric(labels[c], errors="coerce") for c in labels})
    if stated is not None:
        numbers = pd.to_numeric(pd.Series(stated), errors="coerce")
        scale = Scale(stated) if numbers.isna().any() else Scale(numbers.tolist())
        values = _stripped(labels) if numbers.isna().any() else numeric
    else:
        _require_numbers(name, labels, numeric)
        scale, values = Scale(_numeric_scale(name, numeric)), numeric
    return LabelTable(_encode(name, labels, values, scale), gold, cases, systems, scale)


def _stripped(labels: pd.DataFrame) -> pd.DataFrame:
    return labels.map(lambda v: v.strip() if isinstance(v, str) else v)


def _require_numbers(name: str, labels: pd.DataFrame, numeric: pd.DataFrame) -> None:
    for column in labels.columns:
        bad = (numeric[column].isna() & labels[column].notna()).to_numpy()
        if bad.any():
            row = int(bad.argmax())
            label = labels[column].iloc[row]
            raise InputError(
                f"{_place(name, labels, column, row)}: label {label!r} is not a number; give the "
                "class order with --classes"
            )


def _numeric_scale(name: str, numeric: pd.DataFrame) -> list[float]:
    """Every step of 1 (or 0.5 if there are half points) from the lowest to the highest label."""
    found = np.unique(numeric.to_numpy(dtype=np.float64, na_value=np.nan))
    found = found[np.isfinite(found)]
    if len(found) < 2:
        raise InputError(f"{name}: all labels are the same; give the scale with --classes")
    for step in (1.0, 0.5):
        if (found % step == 0).all():
            count = round((found[-1] - found[0]) / step) + 1
            if count <= MOST_CLASSES:
                scale: list[float] = (found[0] + step * np.arange(count)).tolist()
                return [int(v) for v in scale] if step == 1 else scale
    if len(found) > MOST_CLASSES:
        raise InputError(
            f"{name}: {len(found)} different labels are no scale; give it with --classes"
        )
    return found.tolist()


def _encode(
    name: str, labels: pd.DataFrame, values: pd.DataFrame, scale: Scale
) -> dict[str, NDArray[np.int64]]:
    index = pd.Index(scale.classes)
    codes = {}
    for column in labels.columns:
        found = index.get_indexer(pd.Index(values[column]))
        if (found < 0).any():
            row = int((found < 0).argmax())
            label = labels[column].iloc[row]
            what = "no label" if pd.isna(label) or label == "" else f"label {label!r}"
            shown = ", ".join(map(str, scale.classes[:12])) + (", ..." if len(scale) > 12 else "")
            raise InputError(
                f"{_place(name, labels, column, row)}: {what}; expected one of {shown}"
            )
        codes[str(column)] = np.asarray(found, dtype=np.int64)
    return codes


def _place(name: str, frame: pd.DataFrame, column: object, row: int) -> str:
    """Where a cell is: by line in text files, whose frames carry the line as their index name."""
    unit = "line" if frame.index.name == "line" else "row"
    return f"{name}, {unit} {frame.index[row]}, column {str(column)!r}"


def _read_delimited(path: Path, delimiter: str) -> pd.DataFrame:
    text = path.read_text(encoding="utf-8-sig")
    if not text.strip():
        raise InputError(f"{path}: the file is empty")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        header = next(row for row in reader if row)
        rows, lines = [], []
        for row in reader:
            if not row or row == [""]:
                continue
            if len(row) != len(header):
                raise InputError(
                    f"{path}, line {reader.line_num}: {len(row)} cells; the header has "
                    f"{len(header)}"
                )
            rows.append(row)
            lines.append(reader.line_num)
    except csv.Error as problem:
        raise InputError(f"{path}, line {reader.line_num}: {problem}") from None
    header = [cell.strip() for cell in header]
    twice = {c for c in header if header.count(c) > 1}
    if twice:
        raise InputError(f"{path}, line 1: column {min(twice)!r} stands there twice")
    frame = pd.DataFrame(rows, columns=header, index=pd.Index(lines, name="line"), dtype=object)
    return frame.replace("", np.nan)


def _read_jsonl(path: Path) -> pd.DataFrame:
    records, lines = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as problem:
            raise InputError(f"{path}, line {number}: not JSON: {problem.msg}") from None
        if not isinstance(record, dict):
            raise InputError(f"{path}, line {number}: expected an object, column to label")
        records.append(record)
        lines.append(number)
    if not records:
        raise InputError(f"{path}: the file is empty")
    return pd.DataFrame(records, index=pd.Index(lines, name="line"), dtype=object)


def _read_parquet(path: Path) -> pd.DataFrame:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise InputError(
            f"{path}: reading Parquet needs pyarrow: pip install 'metaeval[parquet]'"
        ) from None
    frame: pd.DataFrame = parquet.read_table(path).to_pandas()
    return frame.reset_index(drop=True)


_READERS = {
    ".csv": lambda path: _read_delimited(path, ","),
    ".tsv": lambda path: _read_delimited(path, "\t"),
    ".jsonl": _read_jsonl,
    ".parquet": _read_parquet,
}
