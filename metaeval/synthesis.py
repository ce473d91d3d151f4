"""Generated data as tables and files: what `metaeval generate` writes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import generators
from metaeval.errors import InputError, unknown
from metaeval.execution import Jobs, run
from metaeval.files import by_suffix, whole_file, write_frame, write_parquet

MATRICES_A_UNIT = 1 << 15


def families() -> pd.DataFrame:
    """One row a family: kind, parameters with their defaults, paper, description."""
    rows = [
        {
            "family": family.name,
            "kind": family.kind,
            "parameters": ", ".join(f"{k}={v!r}" for k, v in family.parameters.items()),
            "paper": family.paper,
            "description": family.description,
        }
        for family in generators.families()
    ]
    return pd.DataFrame(rows).set_index("family")


def parse_settings(settings: Sequence[str]) -> dict[str, Any]:
    """`name=value` texts as a mapping; a value that is no Python literal stays text."""
    parsed: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or not name.strip():
            raise InputError(f"--set takes name=value; got {setting!r}")
        try:
            parsed[name.strip()] = ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            parsed[name.strip()] = text.strip()
    return parsed


def kind_of(family: str) -> str:
    """ "outputs" or "matrices"."""
    kinds = {known.name: known.kind for known in generators.families()}
    if family not in kinds:
        raise unknown("family", family, kinds)
    return kinds[family]


def label_table(
    chosen: Sequence[str],
    ratios: Sequence[float],
    seed: int,
    *,
    gold: Mapping[str, Any],
    placement: str = "bernoulli",
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
) -> pd.DataFrame:
    """A wide label table: case, gold, and a system `family@ratio` for each family and ratio.

    `parameters` are given by family. Every system has a stream of its own: another family or
    ratio leaves it as it is.
    """
    root = np.random.SeedSequence(seed)
    labels = generators.gold(rng=root, **gold)
    classes = gold.get("classes", 11)
    columns: dict[str, Any] = {
        "case": np.repeat(np.arange(1, len(labels) + 1), labels.shape[1]),
        "gold": labels.ravel(),
    }
    for family in chosen:
        for ratio in ratios:
            columns[f"{family}@{ratio:g}"] = generators.outputs(
                family,
                labels,
                classes=classes,
                ratio=ratio,
                rng=root,
                placement=placement,
                **(parameters or {}).get(family, {}),
            ).ravel()
    return pd.DataFrame(columns)


def matrix_table(stack: np.ndarray[Any, Any]) -> pd.DataFrame:
    """One row a matrix, one column a cell: n_0_1 is true class 0 predicted as class 1."""
    classes = stack.shape[-1]
    names = [f"n_{r}_{c}" for r in range(classes) for c in range(classes)]
    frame = pd.DataFrame(stack.reshape(len(stack), -1), columns=names)
    frame.insert(0, "matrix", np.arange(len(stack)))
    return frame


def write_labels(frame: pd.DataFrame, path: Path, force: bool = False) -> None:
    """A wide label table by suffix; NPZ holds an array a column."""
    if path.suffix.lower() != ".npz":
        write_frame(frame, path, force)
        return
    with whole_file(path, force) as temporary:
        arrays: dict[str, Any] = {str(name): frame[name].to_numpy() for name in frame}
        np.savez_compressed(temporary, **arrays)


@dataclass(frozen=True)
class _Matrices:
    """The matrices of a slice, wherever they are made."""

    family: str
    seed: int
    parameters: Mapping[str, Any]

    def __call__(self, part: slice) -> Any:
        root = np.random.SeedSequence(self.seed)
        count = part.stop - part.start
        return generators.matrices(
            self.family, count=count, rng=root, start=part.start, **self.parameters
        )


def matrices_in_parts(
    family: str, count: int, seed: int, parameters: Mapping[str, Any], jobs: Jobs = None
) -> Iterator[np.ndarray[Any, Any]]:
    """So many matrices of a family, part by part."""
    ends = range(0, max(count, 1), MATRICES_A_UNIT)
    parts = [slice(start, min(start + MATRICES_A_UNIT, count)) for start in ends]
    work = _Matrices(family, seed, parameters)
    return run(work, parts, jobs, name="generating", kind="python")


def joined(parts: Iterator[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    """All parts as one stack."""
    return np.concatenate(list(parts))


def write_npy(
    parts: Iterator[np.ndarray[Any, Any]], count: int, path: Path, force: bool = False
) -> None:
    """Matrices into a NumPy file as they come: there may be more than memory holds."""
    with whole_file(path, force) as temporary, temporary.open("wb") as file:
        for number, part in enumerate(parts):
            if not number:
                shape = (count, *part.shape[1:])
                header = {"descr": part.dtype.str, "fortran_order": False, "shape": shape}
                np.lib.format.write_array_header_1_0(file, header)
            file.write(np.ascontiguousarray(part).tobytes())


def write_matrices(stack: np.ndarray[Any, Any], path: Path, force: bool = False) -> None:
    """Matrices by suffix: .json and .npz can be scored, .csv and .parquet have a row a matrix."""
    write = by_suffix(
        path,
        {
            ".json": lambda p: p.write_text(json_lines(stack), encoding="utf-8"),
            ".npz": lambda p: np.savez_compressed(p, matrices=stack),
            ".npy": lambda p: np.save(p, stack),
            ".csv": lambda p: matrix_table(stack).to_csv(p, index=False, lineterminator="\n"),
            ".parquet": lambda p: write_parquet(matrix_table(stack), p),
        },
    )
    with whole_file(path, force) as temporary:
        write(temporary)


def json_lines(stack: np.ndarray[Any, Any]) -> str:
    """A list of matrices, one a line."""
    return "[\n" + ",\n".join(str(matrix) for matrix in stack.tolist()) + "\n]\n"
