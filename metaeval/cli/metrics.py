"""metaeval metrics: the catalogue."""

from __future__ import annotations

from typing import Annotated

import typer

from metaeval.cli.options import Format, FormatOption, show


def metrics(
    metric: Annotated[
        list[str] | None,
        typer.Argument(help="Everything about these: keys or path/file.py:function."),
    ] = None,
    format: FormatOption = Format.table,
) -> None:
    """List every registered metric, or tell all about some: meaning, formula, range, paper.

    Example: [bold]metaeval metrics --format csv > metrics.csv[/bold]

    Example: [bold]metaeval metrics cem_ord[/bold]
    """
    from metaeval.catalogue import metrics as catalogue
    from metaeval.cli.named import named
    from metaeval.measures.registry import metric as find

    chosen = named(metric)
    frame = catalogue()
    if chosen is not None:
        frame = frame.loc[list(dict.fromkeys(find(name).key for name in chosen))]
    if format is Format.table:
        better = frame["greater_is_better"].map({True: "higher", False: "lower"})
        frame = frame.drop(columns="greater_is_better").assign(better=better)
        if chosen is not None:
            # A column a metric: there is much to say about each.
            frame = frame.reindex(columns=["meaning", "formula", "better", *frame]).T
            frame = frame[~frame.index.duplicated()].rename_axis("about")
        else:
            frame = frame[["family", "better", "low", "high", "parameters", "meaning"]]
    show(frame, format)
