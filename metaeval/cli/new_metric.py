"""metaeval new-metric: a file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def new_metric(
    file: Annotated[Path, typer.Argument(help="The file to write; its name is the metric's.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Write a metric of your own to start from: function, metadata, tests, all working.

    Example: [bold]metaeval new-metric my_metric.py[/bold]
    """
    from metaeval.measures.template import write_template
    from metaeval.reporting.plain import plain

    name = write_template(file, force)
    typer.echo(f"{plain(file)}\nNext: metaeval check {plain(file)}:{name}")
