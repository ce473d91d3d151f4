"""metaeval evaluate: everything about the systems in a table of outputs."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from metaeval.cli.options import Format, FormatOption, JobsOption, MetricsOption, SeedOption
from metaeval.cli.score import ClassesOption


class Layout(StrEnum):
    """How a table holds predictions."""

    auto = "auto"
    wide = "wide"
    long = "long"


class Missing(StrEnum):
    """What a missing prediction means."""

    error = "error"
    drop = "drop"
    wrong = "wrong"


class View(StrEnum):
    """What is printed."""

    summary = "summary"
    leaderboard = "leaderboard"
    groups = "groups"
    pairs = "pairs"
    agreement = "agreement"
    swaps = "swaps"
    metrics = "metrics"
    flags = "flags"
    confusion = "confusion"
    scores = "scores"
    recommendation = "recommendation"


def evaluate(
    file: Annotated[Path, typer.Argument(help="Labels (.csv, .tsv, .parquet, .jsonl).")],
    gold: Annotated[str, typer.Option(help="Column with the gold labels.")] = "gold",
    case: Annotated[
        str | None, typer.Option(help="Column with the test case; default: case, if there is one.")
    ] = None,
    item: Annotated[
        str | None, typer.Option(help="Column with item ids; default: item, if there is one.")
    ] = None,
    systems: Annotated[
        str | None, typer.Option(help="Only these systems, e.g. 'a,b'. Default: all.")
    ] = None,
    classes: ClassesOption = None,
    metric: MetricsOption = None,
    layout: Annotated[
        Layout, typer.Option(help="wide, or long: columns item, system, prediction.")
    ] = Layout.auto,
    partitions: Annotated[
        int, typer.Option(help="Random test cases to make if there is no case column.", min=1)
    ] = 10,
    missing: Annotated[
        Missing,
        typer.Option(
            help="Missing predictions: error; drop the item for all systems; wrong, as the class "
            "farthest from gold."
        ),
    ] = Missing.error,
    clip: Annotated[
        bool, typer.Option("--clip", help="Move numbers beyond --classes to the ends.")
    ] = False,
    replicates: Annotated[
        int, typer.Option(help="Bootstrap resamples; 0: no intervals and tests.", min=0)
    ] = 1000,
    show: Annotated[View, typer.Option(help="What to print.")] = View.summary,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Also write a page (.html), or all frames (a folder)."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an earlier result.")] = False,
    seed: SeedOption = 0,
    jobs: JobsOption = 1,
    format: FormatOption = Format.table,
) -> None:
    """Evaluate your own systems: leaderboard, significance, metric choice, warnings.

    The table has a row an item, a column gold, maybe a column case; other columns are systems.

    Example: [bold]metaeval evaluate examples/judges.csv --out judges.html[/bold]

    Example: [bold]metaeval evaluate runs.csv --classes neg,neu,pos --show swaps -f csv[/bold]
    """
    from metaeval.evaluation.evaluating import evaluate as run
    from metaeval.evaluation.writing import text, write_folder
    from metaeval.files import check_free
    from metaeval.reporting.plain import screened

    paged = out is not None and out.suffix.lower() in (".html", ".htm")
    if out is not None and not paged:
        check_free(out, force)
    found = run(
        file,
        gold,
        case,
        None if systems is None else [name.strip() for name in systems.split(",")],
        classes,
        item=item,
        layout=layout.value,
        metrics=metric,
        partitions=partitions,
        replicates=replicates,
        missing=missing.value,
        clip=clip,
        seed=seed,
        jobs=jobs,
    )
    if out is not None and paged:
        from metaeval.evaluation.page import write_page

        write_page(found, out, ["metaeval", *sys.argv[1:]], force)
    elif out is not None:
        write_folder(found, out, "json" if format == Format.json else "csv", force)
    sys.stdout.write(screened(text(found, format.value, show.value), format.value))
