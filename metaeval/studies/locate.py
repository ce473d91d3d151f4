"""Where in a TOML file each value stands, because tomllib does not tell.

The text has been read by tomllib already, so it is known to be TOML: this only walks through it.
"""

from __future__ import annotations

import re
import tomllib

# From the top of the document: names of tables and keys, and numbers of array elements.
Path = tuple[str | int, ...]

_BLANK = re.compile(r"(?:\s|#[^\n]*)*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*'""")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_SCALAR = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|[^,\]}#\n]+",
    re.DOTALL,
)


def locate(text: str) -> dict[Path, int]:
    """The line (from 1) of every table, key and array element."""
    scanner = _Scanner(text)
    scanner.document()
    return scanner.lines


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {}
        self.last_element: dict[Path, int] = {}

    def document(self) -> None:
        table: Path = ()
        while self.skip_blank():
            if self.text.startswith("[", self.at):
                table = self.header()
            else:
                self.pair(table)

    def skip_blank(self) -> bool:
        """Go past space, ends of lines and comments; False at the end of the text."""
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at
        return self.at < len(self.text)

    def mark(self, path: Path) -> None:
        self.lines.setdefault(path, self.text.count("\n", 0, self.at) + 1)

    def header(self) -> Path:
        element = self.text.startswith("[[", self.at)
        start = self.at
        self.at += 2 if element else 1
        self.skip_blank()
        *outer, name = self.names()
        path: Path = ()
        for part in outer:
            path = self.current((*path, part))
        path = (*path, name) if element else self.current((*path, name))
        if element:
            number = self.last_element.get(path, -1) + 1
            self.last_element[path] = number
            path = (*path, number)
        end, self.at = self.at, start
        for length in range(1, len(path) + 1):
            self.mark(path[:length])
        self.at = self.text.index("]", end) + (2 if element else 1)
        return path

    def current(self, path: Path) -> Path:
        """The last element so far, if the path is that of an array of tables."""
        return (*path, self.last_element[path]) if path in self.last_element else path

    def names(self) -> list[str]:
        """A dotted key, such as the name of a table."""
        found = []
        while key := _KEY.match(self.text, self.at):
            self.at = key.end()
            found.append(next(iter(tomllib.loads(f"{key.group()} = 0"))))
            dot = _DOT.match(self.text, self.at)
            if dot is None:
                break
            self.at = dot.end()
        return found

    def pair(self, table: Path) -> None:
        start = self.at
        path = (*table, *self.names())
        end, self.at = self.at, start
        for length in range(len(table) + 1, len(path) + 1):
            self.mark(path[:length])
        self.at = self.text.index("=", end) + 1
        self.skip_blank()
        self.value(path)

    def value(self, path: Path) -> None:
        self.mark(path)
        opening = self.text[self.at]
        if opening in "[{":
            self.at += 1
            number = 0
            while self.skip_blank() and self.text[self.at] not in "]}":
                if opening == "[":
                    self.value((*path, number))
                    number += 1
                else:
                    self.pair(path)
                self.skip_blank()
                if self.text[self.at] == ",":
                    self.at += 1
            self.at += 1
        else:
            scalar = _SCALAR.match(self.text, self.at)
            self.at = scalar.end() if scalar else len(self.text)
