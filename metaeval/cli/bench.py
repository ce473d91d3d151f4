"""metaeval bench: time metaeval beside the libraries that are installed here."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from metaeval.cli.options import Format, FormatOption, MetricsOption, SeedOption


def bench(
    metric: MetricsOption = None,
    peer: Annotated[
        list[str] | None,
        typer.Option(help="A library, e.g. scikit-learn; repeat for more. Default: all known."),
    ] = None,
    classes: Annotated[int, typer.Option(help="Number of classes.", min=2)] = 5,
    items: Annotated[int, typer.Option(help="Items a matrix.", min=2)] = 200,
    matrices: Annotated[
        int, typer.Option(help="Matrices that metaeval scores; peers loop over 100.", min=1)
    ] = 20_000,
    plot: Annotated[
        Path | None, typer.Option(help="Also draw the times to this file (.svg, .png).")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an earlier plot.")] = False,
    seed: SeedOption = 0,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress, nothing on stderr.")
    ] = False,
    format: FormatOption = Format.table,
) -> None:
    """Time metaeval beside the libraries installed here, and compare their values.

    Known: scikit-learn, scipy, krippendorff, skordinal, dlordinal, pycm, torchmetrics. One that
    is missing or fails is named with the reason.

    Example: [bold]metaeval bench --plot bench.svg[/bold]

    Example: [bold]metaeval bench -m mae -m cohen_kappa --peer scikit-learn --format json[/bold]
    """
    from metaeval.benchmarking.bench import bench as run
    from metaeval.benchmarking.bench import silent
    from metaeval.benchmarking.figure import check_target, write_figure
    from metaeval.benchmarking.view import skipped_lines, text
    from metaeval.execution.progress import stages

    if plot is not None:
        check_target(plot, force)
    with nullcontext(silent) if quiet else stages() as tell:
        found = run(
            metric, peer, classes=classes, items=items, matrices=matrices, seed=seed, tell=tell
        )
    if plot is not None:
        write_figure(found, plot, force)
    typer.echo(text(found, format.value), nl=False)
    if format in (Format.csv, Format.latex) and not quiet:  # the other formats have the lines
        for line in skipped_lines(found):
            typer.echo(line, err=True)
