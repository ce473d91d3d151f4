"""Options that several commands share."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import pandas as pd


class Format(StrEnum):
    """How a table is printed."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"


FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How to print the table.")]
SeedOption = Annotated[int, typer.Option(help="Seed: same seed, same result.", min=0)]
MetricsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        "--metrics",
        "-m",
        help="mae, 'oc(beta=0.75)' or path/file.py:function; repeat or join by commas. "
        "Default: all, or the study's own.",
    ),
]


def show(frame: pd.DataFrame, format: Format, title: str = "") -> None:
    """Print a frame on stdout."""
    from metaeval.reporting.plain import screened
    from metaeval.reporting.tables import render

    # Not typer's echo, which takes escape sequences out of names when nobody is watching.
    sys.stdout.write(screened(render(frame, format.value, title=title), format.value))
