"""The frames of a report as files: one JSON, a folder of CSV, or one LaTeX document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from metaeval.errors import InputError, unknown
from metaeval.files import whole_file
from metaeval.reporting.embed import flat
from metaeval.reporting.tables import cell, escape_latex, render

FORMATS = ("json", "csv", "latex")
MOST_COLUMNS = 9  # that fit on a page; the other formats have them all
LONGEST = 40  # characters of a cell in LaTeX

_PREAMBLE = r"""\documentclass[a4paper,landscape]{article}
\usepackage[margin=1.5cm]{geometry}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}
\usepackage{booktabs,longtable}
\begin{document}
\scriptsize
"""


def beside(page: Path, format: str) -> Path:
    """Where the frames of a page go: NAME-tables.json, NAME-tables.tex or NAME-tables/*.csv."""
    if format not in FORMATS:
        raise unknown("format", format, FORMATS)
    # Not NAME.json: that could be the very file which the systems were read from.
    ending = {"json": ".json", "latex": ".tex", "csv": ""}[format]
    return page.with_name(f"{page.stem}-tables{ending}")


def export(
    frames: Mapping[str, pd.DataFrame], page: Path, format: str, force: bool = False
) -> Path:
    """Write all frames beside a page; returns the file or folder."""
    target = beside(page, format)
    if format == "csv":
        make_folder(target)
        for name, frame in frames.items():
            _write(target / f"{name}.csv", render(frame, "csv"), force)
    else:
        _write(target, as_json(frames) if format == "json" else as_latex(frames), force)
    return target


def make_folder(folder: Path) -> None:
    """The folder of an output; `reports/` need not exist."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(f"{folder}: cannot be made: {problem.strerror}") from None


def _write(path: Path, text: str, force: bool) -> None:
    with whole_file(path, force) as temporary:
        temporary.write_text(text, encoding="utf-8")


def as_json(frames: Mapping[str, pd.DataFrame]) -> str:
    """All frames in one object, each a list of records; undefined is null."""
    found = {name: json.loads(render(frame, "json")) for name, frame in frames.items()}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def as_latex(frames: Mapping[str, pd.DataFrame]) -> str:
    """A document that compiles: one booktabs table a frame, over several pages if needed."""
    return _PREAMBLE + "\n".join(_longtable(n, f) for n, f in frames.items()) + "\\end{document}\n"


def _longtable(name: str, frame: pd.DataFrame) -> str:
    table = flat(frame)
    table = table[list(table.columns[:MOST_COLUMNS])]
    sides = "".join(
        "r" if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind) else "l"
        for kind in table.dtypes
    )
    head = " & ".join(_latex(str(column)) for column in table.columns)
    rows = [
        " & ".join(_latex(cell(value, 4)) for value in row) + r" \\"
        for row in table.astype(object).to_numpy().tolist()
    ]
    return "\n".join(
        [
            rf"\section*{{{_latex(name)}}}",
            rf"\begin{{longtable}}{{{sides}}}",
            r"\toprule",
            head + r" \\",
            r"\midrule",
            r"\endhead",
            r"\bottomrule",
            r"\endfoot",
            *rows,
            r"\end{longtable}",
            "",
        ]
    )


def _latex(text: str) -> str:
    return escape_latex(text if len(text) <= LONGEST else text[: LONGEST - 3] + "...")
