"""metaeval report: one HTML page that answers which metric to trust."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from metaeval.cli.execution import executed
from metaeval.cli.options import MetricsOption

if TYPE_CHECKING:
    from metaeval.execution import Execution


class BesideFormat(StrEnum):
    """What can be written beside the page."""

    html = "html"
    json = "json"
    csv = "csv"
    latex = "latex"


@executed
def report(
    study: Annotated[
        str | None,
        typer.Option(help="A study (see metaeval studies) or a TOML file to judge metrics on."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Your systems: a label table (.csv, .tsv, .parquet, .jsonl) or matrices."
        ),
    ] = None,
    metric: MetricsOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The page. Default: reports/NAME.html.")
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Show the page in the browser.")] = False,
    format: Annotated[
        list[BesideFormat] | None,
        typer.Option("--format", "-f", help="Also write the tables beside the page; repeatable."),
    ] = None,
    classes: Annotated[
        str | None, typer.Option(help="The classes of --data in their order, e.g. 'neg,neu,pos'.")
    ] = None,
    gold: Annotated[str, typer.Option(help="Column of --data with the gold labels.")] = "gold",
    case: Annotated[str, typer.Option(help="Column of --data with the test case.")] = "case",
    seed: Annotated[
        int | None, typer.Option(help="Another seed than the study's own.", min=0)
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite a file that is no earlier report.")
    ] = False,
    *,
    how: Execution,
) -> None:
    """Write one self-contained HTML page: which metrics to consider, why, what each fails at.

    Without options, all metrics are judged on the synthetic study of Amigo et al. (2020).

    Example: [bold]metaeval report --open[/bold]

    Example: [bold]metaeval report --data judges.csv --out judges.html --format csv[/bold]
    """
    import sys

    from metaeval.cli.named import named
    from metaeval.execution.progress import stages
    from metaeval.reporting.plain import plain
    from metaeval.reporting.run import run

    with stages(how.quiet) as progress:
        found, files = run(
            study,
            data,
            named(metric),
            out,
            [f.value for f in format or () if f is not BesideFormat.html],
            seed,
            how,
            classes,
            gold,
            case,
            force,
            command=["metaeval", *sys.argv[1:]],
            progress=progress,
        )
    typer.echo(f"Consider {', '.join(found.shortlist)}.")
    for file in files:
        typer.echo(plain(file))
    if open_:
        typer.launch(files[0].resolve().as_uri())
