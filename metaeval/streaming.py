"""Scores of a file that may be larger than memory, into another file, part by part."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from metaeval.batch import Array
from metaeval.cells import as_csv
from metaeval.errors import InputError
from metaeval.execution import Execution, Kind, run
from metaeval.files import by_suffix, whole_file
from metaeval.inputs import Scorable, read_scorable, reading
from metaeval.measures.metric import Metric
from metaeval.measures.scoring import Metrics, Part, choose, is_plain, score_part, unit_length
from metaeval.stack import Stack, as_stack


def score_file(
    path: Path,
    out: Path,
    metrics: Metrics = None,
    classes: str | None = None,
    gold: str = "gold",
    case: str = "case",
    how: Execution | None = None,
    force: bool = False,
) -> int:
    """Score a file into another one, which appears when it is complete; returns its rows."""
    how = how or Execution()
    writer: Any = by_suffix(out, _WRITERS)
    if out.exists() and not force:
        raise InputError(f"{out}: exists already; --force overwrites it")
    found = open_scorable(path, classes, gold, case, how.memory)
    chosen = choose(metrics, found.matrices.shape[-1])
    plain = any(is_plain(scored) for scored in chosen)
    parts = IndexedParts(found, unit_length(found.matrices.shape[-1], plain))
    parts.sent = how.backend == "dask"  # whose workers may have other disks
    work = _ScoreText(chosen, out.suffix.lower())
    # Processes read the file themselves, and nothing has to be sent to them.
    kind: Kind = "foreign" if plain else "python"
    size = 8 * parts.length * (2 * found.matrices.shape[-1] ** 2 + 4 * len(chosen))
    with whole_file(out, force) as temporary, writer(temporary, parts, chosen) as write:
        done = run(work, parts, how, name="scoring", kind=kind, size=size)
        for number, result in enumerate(done):
            write(number, result)
    return len(found.index)


def open_scorable(path: Path, classes: str | None, gold: str, case: str, memory: int) -> Scorable:
    """Matrices or labels: a NumPy file is not loaded, a large table is read in batches."""
    if path.suffix.lower() != ".npy" or classes is not None:
        return read_scorable(path, classes, gold, case, memory)
    with reading(path):
        stack = NumpyFile.open(path)
        if stack is None:
            return read_scorable(path)
        try:
            as_stack(np.empty((0, *stack.shape[1:]), stack.dtype))
        except InputError as problem:
            raise InputError(f"{path}: {problem}") from None
    return Scorable(stack, pd.RangeIndex(len(stack), name="matrix"))  # type: ignore[arg-type]


@dataclass(frozen=True)
class NumpyFile:
    """Matrices (B, K, K) in a NumPy file, of which slices are read; mapped pages would pile up."""

    path: Path
    offset: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @classmethod
    def open(cls, path: Path) -> NumpyFile | None:
        """The matrices, or None where only loading the file can tell what it holds."""
        with path.open("rb") as file:
            try:
                version = np.lib.format.read_magic(file)
            except ValueError:
                return None
            readers = {
                (1, 0): np.lib.format.read_array_header_1_0,
                (2, 0): np.lib.format.read_array_header_2_0,
            }
            if version not in readers:
                return None
            shape, fortran, dtype = readers[version](file)
            offset = file.tell()
        expected = offset + dtype.itemsize * int(np.prod(shape))
        if fortran or len(shape) != 3 or dtype.kind not in "buif" or not shape[0]:
            return None
        if path.stat().st_size < expected:
            return None
        return cls(path, offset, dtype, shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, where: slice) -> Stack:
        cells = int(np.prod(self.shape[1:]))
        place = self.offset + where.start * cells * self.dtype.itemsize
        number = (where.stop - where.start) * cells
        found = np.fromfile(self.path, self.dtype, number, offset=place)
        return found.reshape(-1, *self.shape[1:])


@dataclass(frozen=True)
class FilePart:
    """Matrices of a file, read by whoever scores them."""

    start: int
    stop: int
    file: NumpyFile

    @property
    def matrices(self) -> Stack:
        """The matrices, fresh from the file."""
        return self.file[self.start : self.stop]

    def __str__(self) -> str:
        return f"{self.file.path}, matrices {self.start} to {self.stop - 1}"


class Named(NamedTuple):
    """Matrices with their rows of the index: a unit of work."""

    part: Part | FilePart
    names: pd.Index

    def __str__(self) -> str:
        return str(self.part)


class IndexedParts:
    """Parts of matrices with their rows of the index, made when they are asked for."""

    def __init__(self, found: Scorable, length: int) -> None:
        self.found, self.length = found, length
        self.sent = False

    def __len__(self) -> int:
        return -(-len(self.found.index) // self.length)

    def where(self, number: int) -> slice:
        """The rows of a part."""
        total = len(self.found.index)
        return slice(number * self.length, min((number + 1) * self.length, total))

    def index(self, number: int) -> pd.Index:
        """The names of a part's matrices."""
        return self.found.index[self.where(number)]

    def __getitem__(self, number: int, /) -> Named:
        where, matrices = self.where(number), self.found.matrices
        if isinstance(matrices, NumpyFile) and not self.sent:
            return Named(FilePart(where.start, where.stop, matrices), self.index(number))
        return Named(Part(where.start, matrices[where]), self.index(number))


@dataclass(frozen=True)
class _ScoreText:
    """Scores of a part, for text files as they are written: that takes longer than scoring."""

    metrics: Sequence[Metric]
    suffix: str

    @property
    def text(self) -> bool:
        return self.suffix in _SEPARATORS or self.suffix == ".jsonl"

    def __call__(self, unit: Named) -> Any:
        part, index = unit
        scores = score_part(Part(part.start, part.matrices), self.metrics)
        if not self.text:
            return scores
        names = [scored.name for scored in self.metrics]
        frame = pd.DataFrame(scores.T, index=index, columns=names)
        if self.suffix == ".jsonl":
            records = frame.reset_index().astype(object).where(lambda f: f.notna(), None)
            rows = records.to_dict("records")  # pandas' own writer drops the last digits
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        else:
            text = as_csv(frame.reset_index(), _SEPARATORS[self.suffix], header=False)
        return np.frombuffer(text.encode(), dtype=np.uint8)


_SEPARATORS = {".csv": ",", ".tsv": "\t"}

Write = Callable[[int, Any], None]


@contextmanager
def _text_file(path: Path, parts: IndexedParts, metrics: Sequence[Metric]) -> Iterator[Write]:
    with path.open("wb") as file:
        names = [*parts.found.index.names, *(scored.name for scored in metrics)]
        if path.suffix.lower() in _SEPARATORS:
            header = as_csv(pd.DataFrame(columns=names), _SEPARATORS[path.suffix.lower()])
            file.write(header.encode())

        def write(number: int, text: Any) -> None:
            file.write(text.tobytes())

        yield write


@contextmanager
def _numpy_file(path: Path, parts: IndexedParts, metrics: Sequence[Metric]) -> Iterator[Write]:
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(
            file,
            {
                "descr": "<f8",
                "fortran_order": False,
                "shape": (len(parts.found.index), len(metrics)),
            },
        )

        def write(number: int, scores: Array) -> None:
            file.write(np.ascontiguousarray(scores.T).tobytes())

        yield write


@contextmanager
def _parquet_file(path: Path, parts: IndexedParts, metrics: Sequence[Metric]) -> Iterator[Write]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError(
            f"{path.name}: writing Parquet needs pyarrow: pip install 'metaeval[parquet]'"
        ) from None
    names = [scored.name for scored in metrics]
    first = parts.index(0).to_frame(index=False)
    schema = pyarrow.Schema.from_pandas(
        pd.concat([first, pd.DataFrame(columns=names, dtype=np.float64)], axis=1),
        preserve_index=False,
    )
    with pyarrow.parquet.ParquetWriter(path, schema) as file:

        def write(number: int, scores: Array) -> None:
            frame = parts.index(number).to_frame(index=False)
            frame[names] = scores.T
            table = pyarrow.Table.from_pandas(frame, schema, preserve_index=False)
            file.write_table(table)

        yield write


_WRITERS: dict[str, Callable[..., Any]] = {
    ".csv": _text_file,
    ".tsv": _text_file,
    ".jsonl": _text_file,
    ".parquet": _parquet_file,
    ".npy": _numpy_file,
}
