"""Label tables larger than memory: read in batches of rows, counted into matrices as they pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metaeval.cells import unguarded
from metaeval.errors import InputError
from metaeval.evaluation.raw import Builder, Column, RawTable, from_frame
from metaeval.evaluation.reading import Rows, parse_record
from metaeval.inputs import Scorable, reading
from metaeval.labels import Counts, grouped_confusion
from metaeval.tables import label_table, numeric_scale

ROWS = 1 << 16  # rows of a batch
ITEM = "item"  # a column of ids; of a table in batches, twice the same is noticed within a batch

# Bytes of memory that a byte of a text file takes while it is read whole.
TEXT_GROWS = 8


def is_large(path: Path, memory: int) -> bool:
    """Whether a label table is better read in batches, if so much memory may be used."""
    with reading(path):
        if path.suffix.lower() == ".parquet":
            found = _parquet(path).metadata
            return bool(found.num_rows * found.num_columns * 16 > memory)
        return TEXT_GROWS * path.stat().st_size > memory


def count_in_batches(path: Path, classes: str | None, gold: str, case: str) -> Scorable:
    """One matrix a case and system, as `metaeval.inputs.count_labels` counts a whole table.

    A scale that is not stated takes a reading of its own, because it is that of all labels.
    """
    stated: Any = classes
    if classes is None:
        stated = numeric_scale(*_distinct(path, gold, case))
    systems: list[str] = []
    places: dict[Any, int] = {}
    counts: Counts = np.zeros((0, 0, 0, 0), dtype=np.int64)
    for raw in batches(path):
        item = ITEM if ITEM in raw.columns else None
        table = label_table(raw, gold, case, stated, systems=systems or None, item=item)
        systems = systems or table.systems
        names: Any = [None]
        groups = np.zeros(raw.rows, dtype=np.int64)
        if table.cases is not None:
            groups, names = pd.factorize(table.cases)
        outputs = [table.codes[name] for name in systems]
        found = grouped_confusion(table.codes[gold], outputs, groups, len(table.scale))
        here = [places.setdefault(name, len(places)) for name in names]
        counts = _grown(counts, len(places), found.shape[1:])
        counts[here] += found
    if not places:
        raise InputError(f"{path}: the table has no rows")
    index: pd.Index = pd.Index(systems, name="system")
    if list(places) != [None]:
        index = pd.MultiIndex.from_product([list(places), systems], names=["case", "system"])
    matrices = counts[: len(places)]
    return Scorable(matrices.reshape(-1, *matrices.shape[-2:]), index)


def _grown(counts: Counts, cases: int, shape: tuple[int, ...]) -> Counts:
    """Room for so many cases; doubled, so that growing costs little in all."""
    if cases <= len(counts):
        return counts
    larger = np.zeros((max(cases, 2 * len(counts)), *shape), dtype=np.int64)
    if len(counts):
        larger[: len(counts)] = counts
    return larger


def _distinct(path: Path, gold: str, case: str) -> tuple[RawTable, dict[str, Column]]:
    """Every label of every column once, each with the place where it stands first."""
    seen: dict[str, dict[Any, Callable[[], str]]] = {}
    rows = 0
    for raw in batches(path):
        rows += raw.rows
        if gold not in raw.columns:
            label_table(raw, gold, case, None)  # complains
        for name, column in raw.columns.items():
            if name in (case, ITEM):
                continue
            known = seen.setdefault(name, {})
            for code, value in enumerate(column.values):
                if value not in known:
                    row = int((column.codes == code).argmax())
                    known[value] = partial(raw.place, name, row)
    if not rows:
        raise InputError(f"{path}: the table has no rows")
    columns = {
        name: Column(np.arange(len(known), dtype=np.int32), list(known))
        for name, known in seen.items()
    }

    def place(name: str, row: int) -> str:
        return list(seen[name].values())[row]()

    return RawTable(str(path), columns, rows, place), columns


def batches(path: Path) -> Iterator[RawTable]:
    """A label table in batches of rows; complaints name the rows of the whole table."""
    readers = {".parquet": _parquet_batches, ".jsonl": _jsonl_batches}
    with reading(path):
        yield from readers.get(path.suffix.lower(), _text_batches)(path)


def _text_batches(path: Path) -> Iterator[RawTable]:
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","

    def place(first: int, column: str, row: int) -> str:
        with path.open(encoding="utf-8-sig", newline="") as again:
            line = Rows(path, again, delimiter).line(first + row)
        return f"{path}, line {line}, column {column!r}"

    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = Rows(path, file, delimiter)
        first = 0
        cells = iter(rows)
        while block := list(islice(cells, ROWS)):
            found = Builder(rows.header, unguarded)
            columns = dict(zip(rows.header, zip(*block, strict=True), strict=True))
            found.add(columns, len(block), str(path))
            yield RawTable(str(path), found.columns(), len(block), partial(place, first))
            first += len(block)


def _jsonl_batches(path: Path) -> Iterator[RawTable]:
    def place(lines: list[int], column: str, row: int) -> str:
        return f"{path}, line {lines[row]}, column {column!r}"

    with path.open(encoding="utf-8-sig") as file:
        numbered = ((n, line) for n, line in enumerate(file, start=1) if line.strip())
        while block := list(islice(numbered, ROWS)):
            records = [parse_record(path, number, line) for number, line in block]
            names = dict.fromkeys(name for record in records for name in record)
            found = Builder()
            cells = {name: [record.get(name) for record in records] for name in names}
            found.add(cells, len(records), str(path))
            lines = [number for number, _ in block]
            yield RawTable(str(path), found.columns(), len(records), partial(place, lines))


def _parquet(path: Path) -> Any:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise InputError(
            f"{path}: reading Parquet needs pyarrow: pip install 'metaeval[parquet]'"
        ) from None
    return parquet.ParquetFile(path)


def _parquet_batches(path: Path) -> Iterator[RawTable]:
    first = 0
    for batch in _parquet(path).iter_batches(batch_size=ROWS):
        frame = batch.to_pandas()
        frame.index = pd.RangeIndex(first, first + len(frame))
        yield from_frame(frame, str(path))
        first += len(frame)
