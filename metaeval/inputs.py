"""Reading users' files. Every complaint about a file is made here, in one sentence."""

from __future__ import annotations

import json
import math
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd

from metaeval.errors import InputError
from metaeval.labels import grouped_confusion
from metaeval.stack import Stack, as_stack, batches, flatten
from metaeval.tables import LabelTable, read_label_table

MATRIX_SUFFIXES = (".json", ".npy", ".npz")
# A file may unpack to so many bytes, or to so many times its own size: deflating zeros gives a
# thousand, sparse matrices of many classes a hundred.
MOST_UNPACKED, MOST_TIMES = 1 << 28, 400
LABEL_SUFFIXES = (".csv", ".tsv", ".parquet", ".jsonl")


@dataclass(frozen=True)
class Scorable:
    """Confusion matrices (B, K, K) and the index that names them."""

    matrices: Stack
    index: pd.Index


def read_scorable(
    path: Path,
    classes: str | None = None,
    gold: str = "gold",
    case: str = "case",
    memory: int = 1 << 30,
) -> Scorable:
    """Matrices, or a wide label table counted into one matrix a case and system.

    A table that would take more than `memory` bytes is read in batches.
    """
    suffix = path.suffix.lower()
    if suffix in MATRIX_SUFFIXES:
        if classes is not None:
            raise InputError(f"{path}: --classes is for labels; a matrix has its classes already")
        return read_matrices(path)
    if suffix in LABEL_SUFFIXES:
        from metaeval.evaluation.batches import count_in_batches, is_large

        if is_large(path, memory):
            return count_in_batches(path, classes, gold, case)
        return count_labels(read_label_table(path, gold=gold, case=case, classes=classes))
    known = ", ".join(MATRIX_SUFFIXES + LABEL_SUFFIXES)
    raise InputError(f"{path}: unknown kind of file {suffix!r}; expected one of {known}")


def count_labels(table: LabelTable) -> Scorable:
    """One matrix a case and system, or one a system if the table has no cases."""
    outputs = [table.codes[name] for name in table.systems]
    gold = table.codes[table.gold]
    if table.cases is None:
        groups = np.zeros(len(gold), dtype=np.int64)
        index: pd.Index = pd.Index(table.systems, name="system")
    else:
        groups, names = pd.factorize(table.cases)
        index = pd.MultiIndex.from_product([names, table.systems], names=["case", "system"])
    counts = grouped_confusion(gold, outputs, groups, len(table.scale))
    return Scorable(counts.reshape(-1, *counts.shape[-2:]), index)


def read_matrices(path: Path) -> Scorable:
    """Matrices from JSON (one, a list, or names to matrices), NPY or NPZ (an array a name)."""
    with reading(path):
        if path.suffix.lower() == ".json":
            found = _named_json(path, parse_json(path.read_text(encoding="utf-8-sig")))
        elif path.suffix.lower() == ".npy":
            found = {"": _load_npy(path)}
        elif path.suffix.lower() == ".npz":
            found = _load_npz(path)
        else:
            known = ", ".join(MATRIX_SUFFIXES)
            raise InputError(f"{path}: expected a file of matrices, one of {known}")
    stacks = {}
    for name, value in found.items():
        try:
            stacks[name] = as_stack(value)
        except InputError as problem:
            where = f", matrix {name!r}" if name else ""
            raise InputError(f"{path}{where}: {problem}") from None
    return _join(path, stacks)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn whatever goes wrong while reading a file into one sentence about that file."""
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: this is a folder; expected a file") from None
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror or problem}") from None
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: not UTF-8 text (byte {problem.start})") from None
    except UnicodeEncodeError:
        raise InputError(f"{path}: holds half of a character, a surrogate on its own") from None
    except json.JSONDecodeError as problem:
        raise InputError(
            f"{path}, line {problem.lineno}, column {problem.colno}: not JSON: {problem.msg}"
        ) from None
    except RecursionError:
        raise InputError(f"{path}: nested too deeply") from None
    except (ValueError, MemoryError) as problem:
        reason = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise InputError(
            f"{path}: truncated, or not what its name says ({path.suffix}): {reason}"
        ) from None


def _named_json(path: Path, value: Any) -> dict[str, Any]:
    if isinstance(value, dict) and value:
        return {str(name): matrix for name, matrix in value.items()}
    if isinstance(value, list) and value:
        return {"": value}
    raise InputError(f"{path}: expected a matrix, a list of matrices, or names with matrices")


def parse_json(text: str) -> Any:
    """JSON without halves of characters (an escaped surrogate alone), which nothing can print."""
    value = json.loads(text)
    if "\\u" in text:
        json.dumps(value, ensure_ascii=False).encode()
    return value


@contextmanager
def foreign() -> Iterator[None]:
    """Another library at work on a file: whatever it raises is about the file, and it is quiet.

    numpy, zipfile and pyarrow promise no particular error for a damaged file.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (InputError, OSError, UnicodeError):
        raise
    except Exception as problem:
        raise ValueError(str(problem)) from None


def refuse_bomb(path: Path, unpacked: int) -> None:
    """Complain about a small file that would fill the memory."""
    if unpacked > max(MOST_UNPACKED, MOST_TIMES * path.stat().st_size):
        raise InputError(
            f"{path}: would take {unpacked / 2**20:,.0f} MiB, more than {MOST_TIMES} times the "
            "size of the file; store it without compression if that is meant"
        )


def _load_npy(path: Path) -> Any:
    with path.open("rb") as file, foreign():
        return _array(file, path.stat().st_size, str(path))


def _load_npz(path: Path) -> dict[str, Any]:
    with foreign(), zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        if not entries:
            raise ValueError("there is no array in it")
        refuse_bomb(path, sum(entry.file_size for entry in entries))
        found: dict[str, Any] = {}
        for entry in entries:
            name = entry.filename.removesuffix(".npy")
            if name in found:
                raise InputError(f"{path}: array {name!r} stands there twice")
            with archive.open(entry) as file:
                found[name] = _array(file, entry.file_size, f"{path}, array {name!r}")
        return found


def _array(file: IO[bytes], size: int, where: str) -> Any:
    """An array, once its header is known to tell the truth: it decides how much is allocated."""
    from numpy.lib import format as npy

    if size == 0:
        raise ValueError("it is empty")
    if file.read(len(npy.MAGIC_PREFIX)) != npy.MAGIC_PREFIX:
        raise ValueError("it does not begin like a NumPy file")
    file.seek(0)
    headers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    version = npy.read_magic(file)
    if version not in headers:
        raise ValueError(f"version {version} of the format is not read")
    shape, _, dtype = headers[version](file)
    if dtype.hasobject:
        raise InputError(f"{where}: holds pickled objects, which are not read")
    if min(shape, default=1) < 0 or math.prod(shape) * dtype.itemsize != size - file.tell():
        raise ValueError(f"its header announces an array of shape {shape}, which it does not hold")
    file.seek(0)
    return npy.read_array(file, allow_pickle=False)


def _join(path: Path, stacks: dict[str, Stack]) -> Scorable:
    sizes = {stack.shape[-1] for stack in stacks.values()}
    if len(sizes) > 1:
        raise InputError(f"{path}: matrices of {sorted(sizes)} classes; all must have the same K")
    names: list[Any] = []
    for name, stack in stacks.items():
        count = int(np.prod(stack.shape[:-2]))
        if stack.ndim == 2 and name:
            names.append(name)
        else:
            names += [f"{name}[{i}]" if name else i for i in range(count)]
    if not names:
        raise InputError(f"{path}: there is no matrix in it")
    joined = np.concatenate([flatten(stack) for stack in stacks.values()])
    try:
        with np.errstate(over="ignore"):  # a sum that is too large is complained about below
            for _ in batches(joined):
                pass  # each batch is validated as it is made
    except InputError as problem:
        raise InputError(f"{path}: {problem}") from None
    return Scorable(joined, pd.Index(names, name="matrix"))
