"""What a page consists of: sections of blocks, each block with the template that draws it.

Blocks hold text, numbers and frames, never HTML; only a figure's SVG is markup, and it was made
here. In prose, `backquotes` mark names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import pandas as pd


@dataclass(frozen=True, kw_only=True, eq=False)
class Block:
    """Something on a page; `data` can be downloaded from there."""

    template: ClassVar[str]
    name: str = ""
    data: pd.DataFrame | None = None

    def frames(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """Everything that can be downloaded, by name."""
        if self.data is not None:
            yield self.name, self.data

    def still(self) -> Self:
        """Without what needs a script: as it stands in a notebook."""
        return replace(self, data=None)


@dataclass(frozen=True, kw_only=True, eq=False)
class Prose(Block):
    """Paragraphs."""

    template = "prose.html"
    paragraphs: Sequence[str]


@dataclass(frozen=True, kw_only=True, eq=False)
class Listing(Block):
    """A list of sentences."""

    template = "listing.html"
    title: str = ""
    entries: Sequence[str]


@dataclass(frozen=True, kw_only=True, eq=False)
class Definitions(Block):
    """Terms with what is to be said about each."""

    template = "definitions.html"
    title: str = ""
    folded: bool = False
    entries: Sequence[tuple[str, str]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Papers(Block):
    """Papers in full, with their errata (`metaeval.studies.published.Paper`)."""

    template = "papers.html"
    papers: Sequence[Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class Figure(Block):
    """A figure with its caption and the sentence that says what it shows."""

    template = "figure.html"
    svg: str
    width: float
    alt: str
    caption: str = ""
    title: str = ""


@dataclass(frozen=True, eq=False)
class Swatch:
    """An entry of a legend: the role of its colour, and how its line is dashed."""

    label: str
    role: str
    dash: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Gallery(Block):
    """Small figures side by side, with one legend; those after `first` are folded away."""

    template = "gallery.html"
    figures: Sequence[Figure]
    caption: str
    legend: Sequence[Swatch] = ()
    first: int = 10
    rest: str = ""
    wide: bool = False  # whether the figures need more room


@dataclass(frozen=True, eq=False)
class Cell:
    """A cell: what is shown, what it sorts by, a remark below it, and marks (best, alike).

    `example` is the counterexample that it opens.
    """

    text: str
    sort: float | str | None = None
    note: str = ""
    marks: frozenset[str] = frozenset()
    role: str = ""
    example: str = ""


@dataclass(frozen=True, eq=False)
class Column:
    """The head of a column; `lower` if the smallest value comes first when sorting."""

    title: str
    number: bool = True
    hint: str = ""
    lower: bool = False


@dataclass(frozen=True, eq=False)
class Filter:
    """What the rows of a table can be filtered by: the value of every row."""

    label: str
    values: Sequence[str]

    @property
    def choices(self) -> list[str]:
        """Every value once."""
        return list(dict.fromkeys(self.values))


@dataclass(frozen=True, kw_only=True, eq=False)
class Table(Block):
    """A table that can be sorted and, with `filters`, filtered; `flags` mark rows to keep."""

    template = "table.html"
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    title: str = ""  # the caption is for those who do not see the table, this one for all
    filters: Sequence[Filter] = ()
    searched: str = "name or meaning"  # what the text filter looks at
    flags: Sequence[bool] = ()
    flag: str = ""
    sorted_by: int | None = None
    sortable: bool = True
    note: str = ""
    code: bool = True  # whether the first column holds names of metrics or systems

    def still(self) -> Self:
        """Neither sorted nor filtered."""
        rows = [[replace(cell, example="") for cell in row] for row in self.rows]
        return replace(super().still(), rows=rows, filters=(), sortable=False)


@dataclass(frozen=True, eq=False)
class Section:
    """A part of the page that can be linked to."""

    id: str
    title: str
    blocks: Sequence[Block]
    lead: str = ""
    papers: frozenset[str] = frozenset()  # ids of the papers that it rests on


@dataclass(frozen=True, eq=False)
class Page:
    """A whole page."""

    title: str
    subtitle: str
    sections: Sequence[Section]
    headline: str = ""
    facts: Sequence[tuple[str, str]] = ()

    def blocks(self) -> Iterator[Block]:
        """Every block, in the page's order."""
        for section in self.sections:
            yield from section.blocks

    def frames(self) -> dict[str, pd.DataFrame]:
        """Every frame on the page by name, in the page's order."""
        return {name: frame for block in self.blocks() for name, frame in block.frames()}

    @property
    def about(self) -> dict[str, Any]:
        """What the page is, for lists of pages."""
        return {
            "title": self.title,
            "subtitle": self.subtitle,
            "headline": self.headline,
            "facts": [list(fact) for fact in self.facts],
        }
