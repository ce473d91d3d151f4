"""Counterexamples and the property matrix, as data that a template can draw."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from metaeval.properties.drawing import changed, vector
from metaeval.properties.drawing import score as score_text
from metaeval.properties.findings import Counterexample, Finding
from metaeval.reporting.evidence import Evidence
from metaeval.reporting.page import Block
from metaeval.reporting.words import count


@dataclass(frozen=True)
class Square:
    """One cell of a drawn matrix: its count, and whether items leave (-1) or arrive (1)."""

    count: int
    change: int
    marked: bool
    diagonal: bool


@dataclass(frozen=True)
class DrawnMatrix:
    """One of the matrices of a counterexample."""

    title: str
    score: str
    gold: str
    output: str
    rows: Sequence[Sequence[Square]]


@dataclass(frozen=True)
class Example:
    """A counterexample, ready to be drawn."""

    id: str
    metric: str
    property: str
    statement: str
    size: str
    why: str
    outcome: str
    python: str
    minimal: bool
    matrices: Sequence[DrawnMatrix]


@dataclass(frozen=True)
class Verdict:
    """One cell of the property matrix."""

    outcome: str
    example: str
    size: str
    title: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Examples(Block):
    """Counterexamples to unfold, where no script opens dialogs: in notebooks."""

    template = "examples.html"
    examples: Sequence[Example]
    unfolded: int = 3  # if there are no more than that


@dataclass(frozen=True, kw_only=True, eq=False)
class PropertyMatrix(Block):
    """Metrics in rows, properties in columns, counterexamples behind the violated cells."""

    template = "properties.html"
    caption: str
    heads: Sequence[tuple[str, str, str]]  # name, short name, statement
    metrics: Sequence[tuple[str, str]]  # name, role of its colour
    cells: Sequence[Sequence[Verdict]]
    strong: frozenset[str]
    examples: Sequence[Example]

    def still(self) -> Self:
        """Sizes of counterexamples only; `Examples` unfolds them without a script."""
        cells = [[replace(cell, example="") for cell in row] for row in self.cells]
        return replace(super().still(), cells=cells, examples=())


@dataclass(frozen=True, kw_only=True, eq=False)
class Dialogs(Block):
    """Counterexamples that cells of other blocks open."""

    template = "dialogs.html"
    examples: Sequence[Example]


def slug(text: str) -> str:
    """Text that can be an id and part of an address."""
    return re.sub(r"[^A-Za-z0-9_.=]+", "-", text).strip("-") or "x"


def example_id(metric: str, property: str) -> str:
    """Where a counterexample stands on the page."""
    return f"{slug(metric)}--{slug(property)}"


def sizes(evidence: Evidence, metric: str, property: str) -> str:
    """The size of a counterexample in words."""
    finding = evidence.properties.finding(property, metric)
    if finding.outcome != "violated" or finding.example is None:
        return ""
    return _size(finding.example)


def _size(example: Counterexample) -> str:
    return f"{count(example.items, 'item')}, {example.classes} classes"


def drawn(example: Counterexample, statement: str = "", lower: bool = False) -> Example:
    """A counterexample as rows of cells, the moved item marked; `lower` if lower is better."""
    matrices = [panel.matrix for panel in example.panels]
    marks = changed(matrices)
    comparable = len(matrices) == 2 and len(matrices[0]) == len(matrices[1])
    found = []
    for place, (panel, marked) in enumerate(zip(example.panels, marks, strict=True)):
        other = matrices[1 - place] if comparable else None
        rows = [
            [
                Square(
                    number,
                    _move(number - other[r][c], place) if other is not None else 0,
                    bool(marked[r][c]),
                    r == c,
                )
                for c, number in enumerate(row)
            ]
            for r, row in enumerate(panel.matrix)
        ]
        gold, output = (vector(labels) for labels in panel.labels)
        found.append(DrawnMatrix(panel.title, score_text(panel.score), gold, output, rows))
    return Example(
        id=example_id(example.metric, example.property),
        metric=example.metric,
        property=example.property,
        statement=statement,
        size=_size(example),
        why=example.why,
        outcome=_outcome(example, lower),
        python=example.python,
        minimal=example.minimal,
        matrices=found,
    )


def _move(more: int, place: int) -> int:
    """In the first matrix what leaves a cell counts, in the second what arrives in one."""
    return (1 if place else -1) if more > 0 else 0


def _outcome(example: Counterexample, lower: bool) -> str:
    """What the scores do instead, where two matrices are compared."""
    if len(example.panels) != 2:
        return ""
    before, after = (score_text(panel.score) for panel in example.panels)
    if example.panels[0].title == "before":
        text = f"stays at {before}" if before == after else f"goes from {before} to {after}"
        text = f"Instead it {text}"
    else:
        same = f"both score {before}"
        text = f"Instead {same if before == after else f'they score {before} and {after}'}"
    return f"{text}; lower is better." if lower else f"{text}."


def verdict(finding: Finding) -> Verdict:
    """A finding as a cell; its title says all that the search found."""
    words = finding.outcome.replace("-", " ")
    if finding.outcome == "violated" and finding.example is not None:
        size = f"{finding.example.items}·{finding.example.classes}"
        title = f"violated: {_size(finding.example)}"
        return Verdict("violated", example_id(finding.metric, finding.property), size, title)
    more = finding.reach if finding.outcome == "holds" else finding.note
    if finding.outcome == "holds":
        more += f"; {finding.cases + finding.random_cases:,} cases"
    return Verdict(finding.outcome, "", "", f"{words}: {more}" if more else words)
