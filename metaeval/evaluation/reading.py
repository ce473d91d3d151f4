"""Tables from files: CSV, TSV, Parquet, JSONL, in seconds for ten million cells.

Plain text files go through pandas' reader, which is fast but forgives short rows and does not
keep line numbers. So it reads only what is certainly regular; everything else, and every search
for the line of an error, goes through Python's strict reader.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metaeval.cells import unguarded
from metaeval.errors import InputError
from metaeval.evaluation.raw import (
    ROWS_AT_A_TIME,
    Builder,
    Columns,
    RawTable,
    from_frame,
    refuse_twice,
)
from metaeval.files import by_suffix


def read_raw(path: Path) -> RawTable:
    """A table by the suffix of its file."""
    from metaeval.inputs import reading

    with reading(path):
        found: RawTable = by_suffix(path, _READERS)(path)
    return found


def _read_delimited(path: Path, delimiter: str) -> RawTable:
    data = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    text = data.decode("utf-8")
    if not text.strip():
        raise InputError(f"{path}: the file is empty")
    rows = Rows(path, io.StringIO(text, newline=""), delimiter)
    columns = None if '"' in text else _regular(path, data, rows.header, delimiter)
    if columns is None:
        columns = rows.columns()

    def place(column: str, row: int) -> str:
        again = Rows(path, io.StringIO(text, newline=""), delimiter)
        return f"{path}, line {again.line(row)}, column {column!r}"

    return RawTable(str(path), columns, len(next(iter(columns.values())).codes), place)


class Rows:
    """The rows of a delimited text, read strictly, blank lines left out."""

    def __init__(self, path: Path, lines: Iterable[str], delimiter: str) -> None:
        self.path = path
        self.reader = csv.reader(lines, delimiter=delimiter, strict=True)
        with self._complaints():
            first = next(row for row in self.reader if row)
            self.header = [unguarded(cell.strip()) for cell in first]
        refuse_twice(f"{path}, line 1", self.header)

    def __iter__(self) -> Iterator[list[str]]:
        width = len(self.header)
        with self._complaints():
            for row in self.reader:
                if len(row) == width and (width > 1 or row[0].strip()):
                    yield row
                elif row and (len(row) > 1 or row[0].strip()):
                    raise InputError(
                        f"{self.path}, line {self.reader.line_num}: {len(row)} cells; the header "
                        f"has {width}"
                    )

    def columns(self) -> Columns:
        found = Builder(self.header, unguarded)
        rows = iter(self)
        while block := list(islice(rows, ROWS_AT_A_TIME)):
            cells = dict(zip(self.header, zip(*block, strict=True), strict=True))
            found.add(cells, len(block), str(self.path))
        return found.columns()

    def line(self, row: int) -> int:
        """The line on which a row ends, where editors show it."""
        next(islice(self, row, None))
        return self.reader.line_num

    @contextmanager
    def _complaints(self) -> Iterator[None]:
        try:
            yield
        except csv.Error as problem:
            line = self.reader.line_num
            raise InputError(f"{self.path}, line {line}: {problem}") from None


def _regular(path: Path, data: bytes, header: list[str], delimiter: str) -> Columns | None:
    """The columns of a text without quotes, or None if its rows are not all of one length."""
    body = data.lstrip(b"\r\n")
    end = min((at for at in (body.find(b"\n"), body.find(b"\r")) if at >= 0), default=len(body))
    found = Builder(header, unguarded)
    filled = _filled_lines(body, delimiter, len(header))
    # pandas spends most of a millisecond on a column, however short.
    if filled is None or filled < len(header):
        return None
    try:
        blocks = pd.read_csv(
            io.BytesIO(body[end:]),
            sep=delimiter,
            names=header,
            index_col=False,
            dtype=object,
            na_filter=False,
            quoting=csv.QUOTE_NONE,
            chunksize=ROWS_AT_A_TIME,
        )
        for block in blocks:
            cells = {name: block[name].to_numpy() for name in header}
            found.add(cells, len(block), str(path))
    except (pd.errors.EmptyDataError, pd.errors.ParserError):
        return None
    # A line that is neither blank nor of the right width would have made a row more.
    return found.columns() if filled == found.rows + 1 else None


def _filled_lines(data: bytes, delimiter: str, width: int) -> int | None:
    """How many lines have as many cells as there are columns; None if a line has others."""
    characters = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero((characters == ord("\n")) | (characters == ord("\r")))
    upto = np.searchsorted(np.flatnonzero(characters == ord(delimiter)), [0, *ends, len(data)])
    cells = np.diff(upto) + 1
    filled = cells == width
    return int(filled.sum()) if (filled | (cells == 1)).all() else None


def _read_jsonl(path: Path) -> RawTable:
    from metaeval.inputs import refuse_bomb

    found = Builder()
    lines: list[int] = []
    with path.open(encoding="utf-8-sig") as file:
        numbered = ((n, line) for n, line in enumerate(file, start=1) if line.strip())
        while block := list(islice(numbered, ROWS_AT_A_TIME)):
            records = [parse_record(path, number, line) for number, line in block]
            names = dict.fromkeys(name for record in records for name in record)
            # Records that have no name in common make a table of nothing but empty cells.
            every = len({*found.names(), *names})
            refuse_bomb(path, 4 * (found.rows + len(records)) * every)
            cells = {name: [record.get(name) for record in records] for name in names}
            found.add(cells, len(records), str(path))
            lines += [number for number, _ in block]
    if not lines:
        raise InputError(f"{path}: the file is empty")

    def place(column: str, row: int) -> str:
        return f"{path}, line {lines[row]}, column {column!r}"

    return RawTable(str(path), found.columns(), len(lines), place)


def parse_record(path: Path, number: int, line: str) -> dict[str, Any]:
    from metaeval.inputs import parse_json

    try:
        record = parse_json(line)
    except json.JSONDecodeError as problem:
        raise InputError(f"{path}, line {number}: not JSON: {problem.msg}") from None
    if not isinstance(record, dict):
        raise InputError(f"{path}, line {number}: expected an object, column to label")
    return record


def _read_parquet(path: Path) -> RawTable:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise InputError(
            f"{path}: reading Parquet needs pyarrow: pip install 'metaeval[parquet]'"
        ) from None
    from metaeval.inputs import foreign, refuse_bomb

    with foreign():
        shape = parquet.read_metadata(path)
        # Labels that repeat take hardly any space in the file; each cell takes eight bytes here.
        refuse_bomb(path, 8 * shape.num_rows * shape.num_columns)
        frame: pd.DataFrame = parquet.read_table(path).to_pandas()
    return from_frame(frame.reset_index(drop=True), str(path))


_READERS: dict[str, Callable[[Path], Any]] = {
    ".csv": lambda path: _read_delimited(path, ","),
    ".tsv": lambda path: _read_delimited(path, "\t"),
    ".jsonl": _read_jsonl,
    ".parquet": _read_parquet,
}
