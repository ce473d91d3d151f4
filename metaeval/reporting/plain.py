"""Text made safe for a terminal."""

from __future__ import annotations

import re
import sys

# C0, DEL and C1 control characters (the start of every terminal escape), and the marks that
# reorder text: none of them belongs in a message or a table cell. Halves of characters (from
# file names that are no UTF-8) cannot be written at all.
_CONTROL = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
LONGEST = 1000  # characters of a message


def plain(value: object) -> str:
    """One line of text without control characters."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", str(value))


def screened(text: str, format: str) -> str:
    """A rendered table for stdout. CSV is exact, unless a terminal would take it for commands."""
    if format != "csv" or not sys.stdout.isatty():
        return text
    return "\n".join(map(plain, text.split("\n")))


def brief(value: object) -> str:
    """The same, and of a message that quotes something gigantic only the two ends."""
    text = plain(value)
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]} ... {text[-half:]}"
