"""metaeval metrics: the catalogue."""

from __future__ import annotations

from metaeval.cli.options import Format, FormatOption, show


def metrics(format: FormatOption = Format.table) -> None:
    """List every registered metric: meaning, orientation, range, premises, paper.

    Example: [bold]metaeval metrics --format csv > metrics.csv[/bold]
    """
    from metaeval.catalogue import metrics as catalogue

    frame = catalogue()
    if format is Format.table:
        short = frame[["family", "low", "high", "parameters", "meaning"]]
        better = frame["greater_is_better"].map({True: "higher", False: "lower"})
        frame = short.assign(better=better)[
            ["family", "better", "low", "high", "parameters", "meaning"]
        ]
    show(frame, format)
