"""metaeval study, metaeval studies: experiments as TOML, their frames into a folder."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from metaeval.cli.execution import executed
from metaeval.cli.options import Format, FormatOption, MetricsOption, show

if TYPE_CHECKING:
    from metaeval.execution import Execution


class FileFormat(StrEnum):
    """How frames are stored."""

    csv = "csv"
    json = "json"
    parquet = "parquet"


@executed
def study(
    name: Annotated[str, typer.Argument(help="A study (see metaeval studies), or a TOML file.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the results; it is made.")],
    format: Annotated[
        FileFormat, typer.Option("--format", "-f", help="How the frames are stored.")
    ] = FileFormat.csv,
    metric: MetricsOption = None,
    seed: Annotated[
        int | None, typer.Option(help="Another seed than the study's own.", min=0)
    ] = None,
    replicates: Annotated[
        int | None, typer.Option(help="Another number of bootstrap resamples.", min=0)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier result.")] = False,
    *,
    how: Execution,
) -> None:
    """Run a study: generate or train, score, analyse; one file an analysis, and provenance.json.

    Example: [bold]metaeval study paper-002-synthetic --out coverage --jobs 0[/bold]

    Example: [bold]metaeval study classifiers --out selection --jobs 0[/bold]
    """
    from dataclasses import replace

    from metaeval.cli.named import named
    from metaeval.files import check_free
    from metaeval.studies.classifiers.views import views
    from metaeval.studies.run import run_study
    from metaeval.studies.store import summary, write_result
    from metaeval.studies.study import Classifiers, find_study

    found = find_study(name).scored_with(named(metric))
    check_free(out, force)
    found = replace(
        found,
        seed=found.seed if seed is None else seed,
        replicates=found.replicates if replicates is None else replicates,
    )
    result = run_study(found, how, lambda step: None if how.quiet else _tell(step))
    write_result(result, out, format.value, force)
    tables = views(result.frames) if isinstance(found.data, Classifiers) else []
    for title, frame in tables:
        show(frame, Format.table, title=title)
        typer.echo()
    title = "Files of this study" if tables else found.title
    show(summary(result, out, format.value), Format.table, title=title)


def _tell(step: str) -> None:
    """What is being done, on stderr and only if somebody is looking."""
    if sys.stderr.isatty():
        typer.echo(f"metaeval: {step} ...", err=True)


def studies(format: FormatOption = Format.table) -> None:
    """List the studies that come with metaeval.

    Example: [bold]metaeval studies --format json[/bold]
    """
    from metaeval.studies.study import studies as listing

    show(listing(), format)
