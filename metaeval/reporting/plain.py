"""Text made safe for a terminal."""

from __future__ import annotations

import re

# C0, DEL and C1 control characters (the start of every terminal escape), and the marks that
# reorder text: none of them belongs in a message or a table cell.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def plain(value: object) -> str:
    """One line of text without control characters."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", str(value))
