"""metaeval check: the formal properties of metrics, with the smallest counterexamples."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from metaeval.cli.execution import executed
from metaeval.cli.options import SeedOption

if TYPE_CHECKING:
    from metaeval.execution import Execution


class CheckFormat(StrEnum):
    """How the findings are printed."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    html = "html"


@executed
def check(
    metric: Annotated[
        list[str] | None,
        typer.Argument(
            help="Registered metrics, package.module:function or path/file.py:function."
        ),
    ] = None,
    property: Annotated[
        list[str] | None,
        typer.Option("--property", "-p", help="Only these properties; repeat or join by commas."),
    ] = None,
    require: Annotated[
        list[str] | None,
        typer.Option(help="Exit with 1 unless these properties hold; repeat or join by commas."),
    ] = None,
    all: Annotated[
        bool, typer.Option("--all", help="The atlas: all registered metrics in one table.")
    ] = False,
    max_items: Annotated[int | None, typer.Option(help="Items of the search.", min=1)] = None,
    max_classes: Annotated[int | None, typer.Option(help="Classes of the search.", min=2)] = None,
    budget: Annotated[
        float | None, typer.Option(help="Seconds a metric: more items until they are used up.")
    ] = None,
    takes: Annotated[
        str | None, typer.Option(help="What a function takes: labels or matrix.")
    ] = None,
    lower_is_better: Annotated[
        bool | None, typer.Option("--lower-is-better/--higher-is-better", help="Orientation.")
    ] = None,
    arg: Annotated[
        list[str] | None,
        typer.Option(help="A keyword argument, e.g. weights=linear; repeat for more."),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds that one call of a function may take.")
    ] = None,
    seed: SeedOption = 0,
    format: Annotated[
        CheckFormat, typer.Option("--format", "-f", help="How to print the findings.")
    ] = CheckFormat.table,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write a page (.html) instead.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite a file that is no earlier report.")
    ] = False,
    *,
    how: Execution,
) -> None:
    """Check formal properties of metrics on all small matrices; show the smallest violations.

    Exit code 1 if a required property does not hold.

    Example: [bold]metaeval check sklearn.metrics:cohen_kappa_score --arg weights=linear[/bold]

    Example: [bold]metaeval check --all --out atlas.html[/bold]
    """
    from metaeval.properties.command import run
    from metaeval.reporting.plain import plain

    missed = run(
        metric or [],
        everything=all,
        properties=property,
        required=require,
        format=format.value,
        arguments=arg or [],
        max_items=max_items,
        max_classes=max_classes,
        budget=budget,
        takes=takes,
        lower_is_better=lower_is_better,
        time_limit=time_limit,
        seed=seed,
        jobs=how,
        out=out,
        force=force,
        command=["metaeval", *sys.argv[1:]],
    )
    for text in missed:
        typer.echo(f"metaeval: {plain(text)}", err=True)
    if missed:
        raise typer.Exit(1)
