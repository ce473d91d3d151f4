"""Counterexamples on a terminal: the matrices side by side, what differs in brackets and bold."""

from __future__ import annotations

import io
from collections.abc import Iterable
from math import isnan

import numpy as np
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from metaeval.properties.findings import Counterexample, Panel
from metaeval.properties.subject import Matrix
from metaeval.reporting.plain import plain

MOST_LABELS = 40  # longer vectors are cut: the matrix says it all


def show(console: Console, example: Counterexample) -> None:
    """Print everything about a counterexample."""
    size = f"{example.items} item{'s' * (example.items != 1)}, {example.classes} classes"
    title = f"{example.metric} · {example.property}"
    console.print(Text.assemble((plain(title), "bold"), f"  ({size}; {example.how})"))
    marks = changed([panel.matrix for panel in example.panels])
    panels = [_panel(*both) for both in zip(example.panels, marks, strict=True)]
    console.print(Padding(Columns(panels, padding=(0, 4)), (0, 0, 0, 2)))
    console.print(Padding(Text(f"Why: {example.why}."), (0, 0, 0, 2)))
    # Never folded, so that it can be copied in one piece.
    console.print(Text(f"  Python: {plain(example.python)}"), soft_wrap=True)


def as_text(example: Counterexample, width: int = 100) -> str:
    """The drawing as plain text."""
    console = Console(file=io.StringIO(), width=width, color_system=None)
    show(console, example)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.splitlines())


def changed(matrices: list[Matrix]) -> list[np.ndarray]:
    """Cells to highlight: where two matrices differ, or the class that one of them has more."""
    tables = [np.array(matrix) for matrix in matrices]
    if len(tables) == 2 and tables[0].shape == tables[1].shape:
        return [tables[0] != tables[1]] * 2
    marks = [np.zeros(table.shape, dtype=bool) for table in tables]
    if len(tables) == 2 and len(tables[1]) == len(tables[0]) + 1:
        for place in range(len(tables[1])):
            rest = np.delete(np.delete(tables[1], place, axis=0), place, axis=1)
            if np.array_equal(rest, tables[0]) and not tables[1][place].any():
                marks[1][place] = marks[1][:, place] = True
                break
    return marks


def _panel(panel: Panel, marked: np.ndarray) -> RenderableType:
    table = Table(box=None, pad_edge=False)
    table.add_column("gold\\out", style="dim", justify="right")
    for column in range(len(panel.matrix)):
        table.add_column(str(column), justify="right")
    for number, row in enumerate(panel.matrix):
        table.add_row(str(number), *_cells(row, marked[number]))
    gold, output = panel.labels
    return Group(
        Text(panel.title, style="italic"),
        table,
        Text(f"gold   {vector(gold)}"),
        Text(f"output {vector(output)}"),
        Text(f"score  {score(panel.score)}", style="bold"),
        Text(""),
    )


def _cells(row: tuple[int, ...], marked: Iterable[bool]) -> list[Text]:
    return [
        Text(f"[{count}]", style="bold reverse") if mark else Text(f" {count} ")
        for count, mark in zip(row, marked, strict=True)
    ]


def vector(values: tuple[int, ...]) -> str:
    """A label vector on one line."""
    shown = ", ".join(map(str, values[:MOST_LABELS]))
    more = f", ... ({len(values)} items)" if len(values) > MOST_LABELS else ""
    return f"({shown}{more})"


def score(value: float | None) -> str:
    """A score as people read it."""
    return "undefined" if value is None or isnan(value) else f"{value:.6g}"
