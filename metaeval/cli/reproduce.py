"""metaeval reproduce: the papers' figures, published beside computed."""

from __future__ import annotations

from typing import Annotated

import typer

from metaeval.cli.options import Format, FormatOption, show


def reproduce(
    selection: Annotated[
        list[str] | None,
        typer.Argument(help="Papers (000) or tables (000-table1); everything if none is given."),
    ] = None,
    format: FormatOption = Format.table,
) -> None:
    """Recompute the published figures, cell by cell, with a verdict for each.

    Exit code 1 if a cell differs and no erratum explains it.

    Example: [bold]metaeval reproduce 000-table1 004[/bold]
    """
    from metaeval.studies.reproduce import reproduce as run

    result = run(selection or ())
    show(result.frame, format)
    if format is Format.table:
        counts = result.frame["verdict"].value_counts()
        typer.echo(", ".join(f"{n} {verdict}" for verdict, n in counts.items()))
    if not result.ok:
        raise typer.Exit(1)
