"""Frames inside a page: compact JSON that a script turns into files to download."""

from __future__ import annotations

import json
import math
from typing import Any

import pandas as pd


def flat(frame: pd.DataFrame) -> pd.DataFrame:
    """Without an index: named levels become columns."""
    named = [name for name in frame.index.names if name is not None]
    return (frame.reset_index() if named else frame).rename(columns=str)


def embedded(frame: pd.DataFrame) -> str:
    """Columns and rows as JSON that may stand inside a script element."""
    table = flat(frame)
    rows = [[_value(v) for v in row] for row in table.astype(object).to_numpy().tolist()]
    return inside_script({"columns": list(table.columns), "rows": rows})


def inside_script(value: Any) -> str:
    """JSON that may stand inside a script element."""
    # All but ASCII is escaped, so that no mark in a name can reorder the page's own text.
    text = json.dumps(value, separators=(",", ":"))
    # Neither a closing tag nor a comment may begin in there.
    return text.replace("<", "\\u003c")


def _value(value: Any) -> Any:
    if hasattr(value, "item"):
        value = value.item()
    if value is pd.NA or value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    if isinstance(value, float):
        # Ten digits are more than any figure shows, and half the size of all of them.
        return float(f"{value:.10g}")
    if isinstance(value, (list, tuple, dict)):
        return json.dumps(value, separators=(",", ":"), default=str)
    return value if isinstance(value, (str, int, bool)) else str(value)
