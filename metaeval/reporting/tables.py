"""One frame, four views: a terminal table, JSON, CSV, LaTeX."""

from __future__ import annotations

import io
import json
import math
import shutil
import sys
from typing import Any

import pandas as pd

from metaeval.cells import as_csv
from metaeval.reporting.embed import flat
from metaeval.reporting.plain import plain

# Cells that are drawn with borders; of larger tables that takes seconds, and nobody admires them.
MOST_DRAWN = 3000
WIDEST = 60  # characters that a column of a large table is filled up to

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # At the start of a row these would belong to the \\ before it.
    "[": "{[}",
    "*": "{*}",
}


def render(frame: pd.DataFrame, format: str = "table", *, title: str = "", digits: int = 4) -> str:
    """The frame as text in one of the formats table, json, csv, latex.

    A named index becomes leading columns. JSON and CSV keep every digit; undefined is null or
    an empty cell there.
    """
    return {"table": _table, "json": _json, "csv": _csv, "latex": _latex}[format](
        flat(frame), title, digits
    )


def cell(value: Any, digits: int) -> str:
    """A value as people read it: rounded, and a dash where there is none."""
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, float):
        return f"{value:.{digits}f}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _is_number(dtype: Any) -> bool:
    return pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)


def _rows(frame: pd.DataFrame, digits: int) -> list[list[str]]:
    return [[cell(v, digits) for v in row] for row in frame.astype(object).to_numpy().tolist()]


def _table(frame: pd.DataFrame, title: str, digits: int) -> str:
    if frame.size > MOST_DRAWN:
        return _lines(frame, title, digits)
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(plain(title)) if title else None, title_justify="left")
    for name, dtype in frame.dtypes.items():
        side: Any = "right" if _is_number(dtype) else "left"
        table.add_column(Text(plain(name)), justify=side, overflow="fold")
    for row in _rows(frame, digits):
        table.add_row(*(Text(plain(text)) for text in row))
    # Into a pipe or file goes the full width: nothing is folded where nobody looks at columns.
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else 10_000
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal)
    console.print(table)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines()) + "\n"  # type: ignore[attr-defined]


def _lines(frame: pd.DataFrame, title: str, digits: int) -> str:
    """A large table without borders: aligned columns, a line a row."""
    from rich.cells import cell_len

    columns = []
    for number, name in enumerate(frame.columns):
        column = frame.iloc[:, number]
        texts = [plain(name), *(plain(cell(v, digits)) for v in column.astype(object))]
        widths = [len(text) if text.isascii() else cell_len(text) for text in texts]
        full = min(max(widths), WIDEST)
        gaps = [" " * (full - width) for width in widths]
        pairs = zip(gaps, texts, strict=True)
        right = _is_number(column.dtype)
        columns.append([gap + text if right else text + gap for gap, text in pairs])
    lines = ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]
    return "\n".join([*([plain(title)] if title else ()), *lines]) + "\n"


def _json(frame: pd.DataFrame, title: str, digits: int) -> str:
    records = frame.astype(object).to_dict(orient="records")
    return json.dumps([{k: _json_value(v) for k, v in r.items()} for r in records], indent=1) + "\n"


def _json_value(value: Any) -> Any:
    if hasattr(value, "item"):
        value = value.item()
    if value is pd.NA or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value


def _csv(frame: pd.DataFrame, title: str, digits: int) -> str:
    return as_csv(frame)


def escape_latex(text: str) -> str:
    """Text as it should appear in LaTeX, whatever it contains."""
    safe = plain(text).replace("\N{REPLACEMENT CHARACTER}", "?")  # which LaTeX's fonts lack
    return "".join(_LATEX.get(c, c) for c in safe).replace("–", "--")


def _latex(frame: pd.DataFrame, title: str, digits: int) -> str:
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{tabular}{" + "".join("r" if _is_number(d) else "l" for d in frame.dtypes) + "}",
        r"\toprule",
        " & ".join(escape_latex(str(c)) for c in frame.columns) + r" \\",
        r"\midrule",
        *(" & ".join(map(escape_latex, row)) + r" \\" for row in _rows(frame, digits)),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if title:
        lines.insert(0, "% " + plain(title))
    return "\n".join(lines) + "\n"
