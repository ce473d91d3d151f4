"""metaeval evaluate: everything about the systems in a table of outputs."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from metaeval.cli.execution import executed
from metaeval.cli.options import Format, FormatOption, MetricsOption, SeedOption
from metaeval.cli.score import ClassesOption

if TYPE_CHECKING:
    from metaeval.execution import Execution


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


@executed
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
    level: Annotated[
        float, typer.Option(help="Confidence level of the intervals, between 0 and 1.")
    ] = 0.95,
    undefined: Annotated[
        str, typer.Option(help="Undefined scores count as: zero, worst, or a number.")
    ] = "zero",
    show: Annotated[View, typer.Option(help="What to print.")] = View.summary,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Also write a page (.html), or all frames (a folder)."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an earlier result.")] = False,
    seed: SeedOption = 0,
    format: FormatOption = Format.table,
    *,
    how: Execution,
) -> None:
    """Evaluate your own systems: leaderboard, significance, metric choice, warnings.

    The table has a row an item, a column gold, maybe a column case; other columns are systems.

    Example: [bold]metaeval evaluate examples/judges.csv --out judges.html[/bold]

    Example: [bold]metaeval evaluate runs.csv --classes neg,neu,pos --show swaps -f csv[/bold]
    """
    from metaeval.cli.named import named
    from metaeval.evaluation.evaluating import evaluate as run
    from metaeval.evaluation.writing import text, write_folder
    from metaeval.execution.progress import stages
    from metaeval.files import check_free
    from metaeval.reporting.plain import screened
    from metaeval.reporting.writing import check_page
    from metaeval.studies.agree import policy

    paged = out is not None and out.suffix.lower() in (".html", ".htm")
    if out is not None:
        (check_page if paged else check_free)(out, force)
    with stages(how.quiet) as progress:
        found = run(
            file,
            gold,
            case,
            None if systems is None else [name.strip() for name in systems.split(",")],
            classes,
            item=item,
            layout=layout.value,
            metrics=named(metric),
            partitions=partitions,
            replicates=replicates,
            level=level,
            missing=missing.value,
            clip=clip,
            undefined=policy(undefined),
            seed=seed,
            jobs=how,
            progress=progress,
        )
    if out is not None and paged:
        from metaeval.evaluation.page import page
        from metaeval.reporting.writing import write_page

        write_page(page(found, ["metaeval", *sys.argv[1:]]), out, force)
    elif out is not None:
        write_folder(found, out, "json" if format == Format.json else "csv", force)
    sys.stdout.write(screened(text(found, format.value, show.value), format.value))
