"""metaeval properties: the list of formal properties."""

from __future__ import annotations

from metaeval.cli.options import Format, FormatOption, show


def properties(format: FormatOption = Format.table) -> None:
    """List the formal properties: what they say, their premises, where they come from.

    Example: [bold]metaeval properties --format csv[/bold]
    """
    from metaeval.properties import properties as catalogue

    frame = catalogue()
    show(frame.drop(columns="formal") if format is Format.table else frame, format)
