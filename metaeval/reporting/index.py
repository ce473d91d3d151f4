"""A page that lists pages: `python -m metaeval.reporting.index FOLDER/index.html PAGE ...`.

Nothing about the listed pages is written here. Every page carries its title, its headline and its
figures, and the list repeats them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote

from metaeval.errors import InputError
from metaeval.inputs import reading
from metaeval.reporting.page import Block, Page, Section
from metaeval.reporting.sections.method import provenance
from metaeval.reporting.words import count
from metaeval.reporting.writing import write_page


@dataclass(frozen=True)
class Entry:
    """A page as it is listed."""

    file: str
    title: str
    subtitle: str
    headline: str
    facts: Sequence[tuple[str, str]]
    beside: Sequence[tuple[str, str]]  # the same data in other formats: name and file


@dataclass(frozen=True, kw_only=True, eq=False)
class Library(Block):
    """Pages with what each of them says."""

    template = "library.html"
    entries: Sequence[Entry]


def write_index(path: Path, pages: Sequence[Path]) -> None:
    """List pages, in this order, in a page beside them."""
    write_page(index_page([entry(page, path.parent) for page in pages]), path)


def index_page(entries: Sequence[Entry]) -> Page:
    """The list as a page."""
    return Page(
        title="Reference reports",
        subtitle="metaeval: which metric should I trust for ordered classes?",
        headline=f"{count(len(entries), 'page')}, each in one file that can be read offline.",
        sections=[
            Section(id="pages", title="Pages", blocks=[Library(entries=entries)]),
            provenance([("command", "`make reports`")]),
        ],
    )


def entry(page: Path, folder: Path) -> Entry:
    """What a page says about itself."""
    with reading(page):
        reader = _About(page.read_text(encoding="utf-8"))
    if reader.about is None:
        raise InputError(f"{page}: not a page of metaeval")
    others = sorted(page.parent.glob(f"{page.stem}.*"))
    return Entry(
        file=_address(page, folder),
        beside=[(p.suffix[1:].upper(), _address(p, folder)) for p in others if p.suffix == ".csv"],
        **reader.about,
    )


def _address(path: Path, folder: Path) -> str:
    """Relative, so that the folder can be moved; the dot keeps a name from being a scheme."""
    return "./" + quote(path.relative_to(folder).as_posix())


class _About(HTMLParser):
    """Finds what a page says about itself."""

    about: dict[str, Any] | None = None

    def __init__(self, text: str) -> None:
        super().__init__()
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "script" and ("id", "about") in attrs

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.about = json.loads(data)
            self._inside = False


if __name__ == "__main__":
    write_index(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
