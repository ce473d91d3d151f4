"""metaeval reproduce: the papers' figures, published beside computed."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from metaeval.cli.options import Format, show


class ReproduceFormat(StrEnum):
    """How the cells are printed."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    html = "html"


def reproduce(
    selection: Annotated[
        list[str] | None,
        typer.Argument(help="Papers (000) or tables (000-table1); everything if none is given."),
    ] = None,
    format: Annotated[
        ReproduceFormat, typer.Option("--format", "-f", help="How to print the cells.")
    ] = ReproduceFormat.table,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write a page (.html) instead.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite a file that is no earlier report.")
    ] = False,
) -> None:
    """Recompute the published figures, cell by cell, with a verdict for each.

    Exit code 1 if a cell differs and no erratum explains it.

    Example: [bold]metaeval reproduce 000-table1 004[/bold]

    Example: [bold]metaeval reproduce --out reproduction.html[/bold]
    """
    from metaeval.reporting.plain import plain
    from metaeval.studies.reproduce import compare, select

    if out is not None:
        from metaeval.reporting.writing import check_page

        check_page(out, force)
    chosen = select(selection or ())
    result = compare(chosen)
    if out is not None or format is ReproduceFormat.html:
        from metaeval.reporting.html import render_page
        from metaeval.reporting.reproduction import reproduction_page
        from metaeval.reporting.writing import write_page

        page = reproduction_page(result, chosen, ["metaeval", *sys.argv[1:]])
        if out is None:
            typer.echo(render_page(page), nl=False)
        else:
            write_page(page, out, force)
            typer.echo(f"{page.headline}\n{plain(out)}")
    else:
        show(result.frame, Format(format.value))
    if out is None and format is ReproduceFormat.table:
        counts = result.frame["verdict"].value_counts()
        typer.echo(", ".join(f"{n} {verdict}" for verdict, n in counts.items()))
    if not result.ok:
        raise typer.Exit(1)
