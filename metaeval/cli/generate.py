"""metaeval generate: synthetic outputs and matrices into a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from metaeval.cli.execution import executed
from metaeval.cli.options import Format, FormatOption, show

if TYPE_CHECKING:
    from metaeval.execution import Execution


@executed
def generate(
    family: Annotated[
        str | None, typer.Argument(help="A family (see --list), or the word study.")
    ] = None,
    study: Annotated[
        str | None, typer.Argument(help="After the word study: its name, or a TOML file.")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            help="File (.csv, .tsv, .jsonl, .parquet, .npz, .json), or - for stdout.",
        ),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the families and stop.")] = False,
    ratio: Annotated[
        list[float] | None,
        typer.Option(help="Share of items hit, for outputs; repeat for more systems. Default 0.3."),
    ] = None,
    cases: Annotated[int, typer.Option(help="Test cases, for outputs.")] = 100,
    items: Annotated[int | None, typer.Option(help="Items a case, or a matrix.")] = None,
    classes: Annotated[int | None, typer.Option(help="Number of classes.")] = None,
    placement: Annotated[
        str, typer.Option(help="How outputs are hit: bernoulli or exact.")
    ] = "bernoulli",
    count: Annotated[int, typer.Option(help="How many matrices.")] = 1000,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="A parameter of the family, name=value; repeat for more."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed: same seed, same bytes. Default: 0, or the study's.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Overwrite an existing file.")] = False,
    format: FormatOption = Format.table,
    *,
    how: Execution,
) -> None:
    """Generate system outputs (a wide label table) or confusion matrices.

    Example: [bold]metaeval generate fixed_accuracy --set accuracy=0.8 -o matrices.npz[/bold]

    Example: [bold]metaeval generate proximity --ratio 0.1 --ratio 0.5 --out outputs.csv[/bold]

    Example: [bold]metaeval generate study paper-002 --out paper-002[/bold]
    """
    from metaeval import synthesis
    from metaeval.cells import as_csv
    from metaeval.errors import InputError

    if list_:
        show(synthesis.families(), format)
        return
    if family is None or out is None:
        raise InputError("generate needs a family and --out FILE; --list shows the families")
    if family == "study":
        from metaeval.studies.generate import write_study

        for path in write_study(study, Path(out), seed, force):
            typer.echo(path)
        return
    given = {"items": items, "classes": classes}
    sizes = {name: value for name, value in given.items() if value is not None}
    parameters = synthesis.parse_settings(set_ or ())
    if synthesis.kind_of(family) == "outputs":
        frame = synthesis.label_table(
            [family],
            ratio or [0.3],
            seed or 0,
            gold={"cases": cases, **sizes},
            placement=placement,
            parameters={family: parameters},
        )
        if out == "-":
            typer.echo(as_csv(frame), nl=False)
        else:
            synthesis.write_labels(frame, Path(out), force)
        return
    made = synthesis.matrices_in_parts(family, count, seed or 0, {**sizes, **parameters}, how)
    if out == "-":
        typer.echo(synthesis.json_lines(synthesis.joined(made)), nl=False)
    elif out.lower().endswith(".npy"):
        synthesis.write_npy(made, count, Path(out), force)
    else:
        synthesis.write_matrices(synthesis.joined(made), Path(out), force)
