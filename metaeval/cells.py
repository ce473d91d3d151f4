"""Text in the cells of CSV files: no spreadsheet may take it for a formula, and nothing is lost."""

from __future__ import annotations

import csv
import re
from typing import Any

import pandas as pd

# What a spreadsheet might take for a formula; a plain number is none, whatever its sign. An
# apostrophe in front makes it text; one is put before cells that have some already, so that
# taking one away gives back every cell exactly. page.js does the same for downloads.
_FORMULA = re.compile(
    r"(?![+-](?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z)'*[=+\-@\t\r\n＝＋－＠]"
)


def guarded(value: Any) -> Any:
    """Text that no spreadsheet will run; everything else as it is."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def unguarded(value: Any) -> Any:
    """The text before `guarded`."""
    risky = isinstance(value, str) and value.startswith("'") and _FORMULA.match(value)
    return value[1:] if risky else value


def as_csv(frame: pd.DataFrame, separator: str = ",", header: bool = True) -> str:
    """A frame without its index as CSV, every digit of it, and no cell a formula."""
    safe = frame.set_axis([guarded(str(name)) for name in frame.columns], axis=1)
    textual = [not pd.api.types.is_numeric_dtype(kind) for kind in frame.dtypes]
    if any(textual):
        # Only text is looked at: tables of numbers are large.
        columns = [
            column.map(guarded) if text else column
            for (_, column), text in zip(safe.items(), textual, strict=True)
        ]
        safe = pd.concat(columns, axis=1)
    options: dict[str, Any] = {"header": header, "lineterminator": "\n", "sep": separator}
    text: str = safe.to_csv(index=False, **options)
    if "\r" in text:
        # Python's writer leaves it bare, and readers take it for the end of a line.
        text = safe.to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC, **options)
    return text
