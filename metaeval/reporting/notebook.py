"""Results in notebooks: the page's templates, without its scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from metaeval.reporting.embed import flat
from metaeval.reporting.html import fragment
from metaeval.reporting.page import Cell, Column, Table
from metaeval.reporting.words import number

if TYPE_CHECKING:
    from metaeval.properties.findings import Counterexample
    from metaeval.properties.report import PropertyReport

FIRST = 20  # rows of a frame that are shown
MANY = 4  # metrics from which on a matrix is better to read than a table of findings


def frame_table(frame: pd.DataFrame, name: str = "", note: str = "", digits: int = 4) -> Table:
    """Any frame as a table of the page: numbers aligned, a dash for what is undefined."""
    table = flat(frame)
    kinds = [
        pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)
        for kind in table.dtypes
    ]
    shown = [_cells(table.iloc[:, place], kind, digits) for place, kind in enumerate(kinds)]
    return Table(
        name=name,
        caption=name.replace("-", " ").capitalize(),
        columns=[Column(str(c), number=k) for c, k in zip(table.columns, kinds, strict=True)],
        rows=list(zip(*shown, strict=True)),
        note=note,
        code=False,
    )


def _cells(column: pd.Series[Any], is_number: bool, digits: int) -> list[Cell]:
    """The cells of a column, all with as many digits."""
    values = column.astype(object).tolist()
    missing = [value is None or value is pd.NA or value != value for value in values]
    if not is_number:
        return [Cell("–" if m else str(v)) for v, m in zip(values, missing, strict=True)]
    numbers = [float("nan") if m else float(v) for v, m in zip(values, missing, strict=True)]
    whole = all(m or n.is_integer() for n, m in zip(numbers, missing, strict=True))
    return [
        Cell("–", "–") if m else Cell(f"{n:,.0f}" if whole else _rounded(n, digits), n)
        for n, m in zip(numbers, missing, strict=True)
    ]


def _rounded(value: float, digits: int) -> str:
    least = 10.0**-digits
    return f"<{number(least, digits)}" if 0 < value < least / 2 else number(value, digits)


def frame_html(frame: pd.DataFrame, title: str = "", note: str = "") -> str:
    """A frame as a fragment, for `_repr_html_`."""
    return fragment(frame_table(frame, note=note), title=title)


def frames_html(frames: Mapping[str, pd.DataFrame], title: str = "") -> str:
    """Several frames below each other; of long ones the first rows."""
    tables = []
    for name, frame in frames.items():
        cut = f"The first {FIRST} of {len(frame):,} rows." if len(frame) > FIRST else ""
        head = name.replace("-", " ").capitalize()
        tables.append(replace(frame_table(frame.head(FIRST), name, cut), title=head))
    return fragment(*tables, title=title)


def example_html(example: Counterexample) -> str:
    """A counterexample, drawn."""
    from metaeval.properties.report import properties
    from metaeval.reporting.examples import Examples, drawn
    from metaeval.reporting.sections.properties import lower_is_better

    statement = str(properties()["statement"].get(example.property, ""))
    shown = drawn(example, statement, lower_is_better(example.metric))
    return fragment(Examples(examples=[shown]))


def properties_html(report: PropertyReport) -> str:
    """A few metrics as a table of findings, many as the matrix; every violation drawn."""
    from metaeval.reporting.examples import Examples
    from metaeval.reporting.sections.properties import examples, matrix

    metrics = {finding.metric for finding in report.findings}
    table = matrix(report) if len(metrics) >= MANY else frame_table(report.summary)
    return fragment(table, Examples(examples=examples(report)))
