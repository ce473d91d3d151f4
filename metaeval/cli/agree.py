"""metaeval agree: how often two metrics prefer the same one of two matrices."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from metaeval.cli.execution import executed
from metaeval.cli.options import (
    Format,
    FormatOption,
    MetricsOption,
    SeedOption,
    show,
)

if TYPE_CHECKING:
    from metaeval.execution import Execution


@executed
def agree(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Matrices (.json, .npy, .npz): two files, or one of pairs. Default: generated."
        ),
    ] = None,
    metric: MetricsOption = None,
    reference: Annotated[
        str | None, typer.Option(help="Show each metric's agreement with this one.")
    ] = None,
    between: Annotated[
        str | None,
        typer.Option(help="Two metrics, as in mae,oc: where they disagree most, smallest first."),
    ] = None,
    top: Annotated[int, typer.Option(help="How many disagreements to list.", min=1)] = 10,
    family: Annotated[
        str | None, typer.Option(help="Family of generated matrices (metaeval generate --list).")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="A parameter of the family, one value or several: accuracy=0.6,0.8."
        ),
    ] = None,
    pairs: Annotated[int, typer.Option(help="Generated pairs a setting.", min=1)] = 10_000,
    undefined: Annotated[
        str, typer.Option(help="Undefined scores: zero, worst, drop, or a number.")
    ] = "zero",
    long: Annotated[
        bool, typer.Option("--long", help="A row for every two metrics, with intervals.")
    ] = False,
    seed: SeedOption = 0,
    format: FormatOption = Format.table,
    *,
    how: Execution,
) -> None:
    """Agreement of metrics on pairs of matrices, per accuracy level and imbalance.

    Example: [bold]metaeval agree -m amae -m kendall_tau_b --reference misclassification_cost[/bold]

    Example: [bold]metaeval agree --between mae,oc[/bold]
    """
    from metaeval.cli.named import named
    from metaeval.studies import agree as study

    metric = named(metric)
    reference, between = (",".join(named(text) or ()) or text for text in (reference, between))
    found = study.find_pairs(files, family, set_ or (), pairs, seed, small=between is not None)
    if between is not None:
        frame, title = study.disagreement_view(found, between, top)
    else:
        frame, title = study.agreement_view(
            found, metric, reference, long=long, undefined=undefined, jobs=how
        )
    show(frame, format, title=title)
