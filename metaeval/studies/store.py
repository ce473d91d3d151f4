"""A study's frames in a folder, written whole or not at all."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd

import metaeval
from metaeval.errors import unknown
from metaeval.files import PROVENANCE, whole_folder, write_parquet
from metaeval.reporting.tables import render
from metaeval.stack import Stack
from metaeval.studies.run import StudyResult
from metaeval.studies.study import Classifiers

FORMATS = ("csv", "json", "parquet")


def write_result(result: StudyResult, out: Path, format: str = "csv", force: bool = False) -> None:
    """One file an analysis and `provenance.json`, into a new folder or, with force, an old one.

    Matrices are always JSON, names to matrices, which `metaeval score` and `agree` read.

    The folder appears when everything is written. Only a folder that holds nothing but an
    earlier result is replaced.
    """
    if format not in FORMATS:
        raise unknown("format", format, FORMATS)
    with whole_folder(Path(out), force) as folder:
        for name, frame in result.frames.items():
            _write(frame, folder / f"{name}.{format}", format)
        for name, matrices in result.matrices.items():
            (folder / _matrix_file(name)).write_text(_named_lines(matrices), encoding="utf-8")
        content = json.dumps(provenance(result, format), indent=1, default=str) + "\n"
        (folder / PROVENANCE).write_text(content, encoding="utf-8")


def _write(frame: pd.DataFrame, path: Path, format: str) -> None:
    if format == "parquet":
        flat = frame.reset_index()
        write_parquet(flat.rename(columns=str), path)
    else:
        path.write_text(render(frame, format), encoding="utf-8")


def provenance(result: StudyResult, format: str) -> dict[str, Any]:
    """What the result depends on, and what it consists of; no dates: same study, same bytes."""
    study = asdict(result.study)
    packages = ["numpy", "scipy", "pandas"]
    if isinstance(result.study.data, Classifiers):
        packages += ["scikit-learn", "skordinal"]
    return {
        "command": ["metaeval", *sys.argv[1:]],
        "seed": study["seed"],
        "study": study,
        "undefined": result.undefined,
        "versions": {
            "metaeval": metaeval.__version__,
            "python": platform.python_version(),
            **{name: _version(name) for name in packages},
        },
        "files": {
            f"{name}.{format}": {"rows": len(frame), "columns": _columns(frame), **frame.attrs}
            for name, frame in result.frames.items()
        }
        | {_matrix_file(name): {"matrices": len(m)} for name, m in result.matrices.items()},
    }


def summary(result: StudyResult, out: Path, format: str) -> pd.DataFrame:
    """What was written, a row a file."""
    rows = [
        {"file": str(out / f"{name}.{format}"), "rows": len(frame), "columns": len(_columns(frame))}
        for name, frame in result.frames.items()
    ]
    rows += [
        {"file": str(out / _matrix_file(name)), "rows": len(found), "columns": 2}
        for name, found in result.matrices.items()
    ]
    return pd.DataFrame(rows).set_index("file")


def _matrix_file(name: str) -> str:
    return f"matrices-{name}.json"


def _named_lines(matrices: Mapping[str, Stack]) -> str:
    """Names to matrices, one a line."""
    lines = (f"{json.dumps(name)}: {matrix.tolist()}" for name, matrix in matrices.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _columns(frame: pd.DataFrame) -> list[str]:
    return [str(name) for name in (*frame.index.names, *frame.columns)]
