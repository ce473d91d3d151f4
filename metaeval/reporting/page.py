"""What a page consists of: sections of blocks, each block with the template that draws it.

Blocks hold text, numbers and frames, never HTML; only a figure's SVG is markup, and it was made
here. In prose, `backquotes` mark names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

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
    """A cell: what is shown, what it sorts by, a remark below it, and marks (best, alike)."""

    text: str
    sort: float | str | None = None
    note: str = ""
    marks: frozenset[str] = frozenset()
    role: str = ""


@dataclass(frozen=True, eq=False)
class Column:
    """The head of a column; `lower` if the smallest value comes first when sorting."""

    title: str
    number: bool = True
    hint: str = ""
    lower: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Table(Block):
    """A table that can be sorted and, with `groups`, filtered; row groups and flags for that."""

    template = "table.html"
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    groups: Sequence[str] = ()
    flags: Sequence[bool] = ()
    flag: str = ""
    sorted_by: int | None = None
    note: str = ""
    code: bool = True  # whether the first column holds names of metrics or systems

    @property
    def choices(self) -> list[str]:
        """The groups to filter by."""
        return list(dict.fromkeys(self.groups))


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

    def frames(self) -> dict[str, pd.DataFrame]:
        """Every frame on the page by name, in the page's order."""
        return {
            name: frame
            for section in self.sections
            for block in section.blocks
            for name, frame in block.frames()
        }
