"""metaeval score: metrics of the matrices or system outputs in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from metaeval.cli.execution import executed
from metaeval.cli.options import Format, FormatOption, MetricsOption, show

if TYPE_CHECKING:
    from metaeval.execution import Execution

ClassesOption = Annotated[
    str | None,
    typer.Option(help="The classes in their order, e.g. 'neg,neu,pos'; labels only."),
]


@executed
def score(
    file: Annotated[
        Path,
        typer.Argument(
            help="Matrices (.json, .npy, .npz) or labels (.csv, .tsv, .parquet, .jsonl)."
        ),
    ],
    metric: MetricsOption = None,
    classes: ClassesOption = None,
    gold: Annotated[str, typer.Option(help="Column with the gold labels.")] = "gold",
    case: Annotated[str, typer.Option(help="Column with the test case, if there is one.")] = "case",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Write the scores (.csv, .tsv, .jsonl, .parquet, .npy) part by part; "
            "for files larger than memory.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    format: FormatOption = Format.table,
    *,
    how: Execution,
) -> None:
    """Score confusion matrices, or every system of a wide label table, with every metric.

    Example: [bold]metaeval score outputs.csv --classes neg,neu,pos -m mae -m cem_ord[/bold]

    Example: [bold]metaeval score matrices.npy --out scores.parquet[/bold]
    """
    from metaeval.cli.named import named

    if out is not None:
        from metaeval.streaming import score_file

        score_file(file, out, named(metric), classes, gold, case, how, force)
        typer.echo(out)
        return
    from metaeval.inputs import read_scorable
    from metaeval.measures.scoring import score as score_stack

    found = read_scorable(file, classes, gold, case, how.memory)
    frame = score_stack(found.matrices, named(metric), how)
    frame.index = found.index
    show(frame, format)
