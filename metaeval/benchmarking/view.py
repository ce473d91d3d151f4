"""A benchmark as text: tables for people, JSON with everything, CSV and LaTeX of the rows."""

from __future__ import annotations

import json
import math
from typing import Any

import pandas as pd

from metaeval.benchmarking.bench import Benchmark
from metaeval.benchmarking.machine import machine_line
from metaeval.reporting.tables import render

TIMED = (
    "What was timed, in microseconds (us) a matrix, best of several: metaeval us, labels to scores "
    "of one metric, counting included, all matrices in one call; scoring us, the metric alone on "
    "counted matrices; loop us, labels to score with metaeval, one call a matrix; peer us, the "
    "same with the library, on labels in the form that it likes best. ratio is peer us / "
    "metaeval us; of a library, all its metrics beside ours in one pass.",
    "What was compared: difference, the largest between the two values; alike, the share of "
    "matrices with equal values or with none in either; edge alike, the same on small matrices "
    "with absent classes, constant labels and single items.",
)


def text(found: Benchmark, format: str) -> str:
    """The benchmark in one of the formats table, json, csv, latex."""
    if format == "json":
        return _json(found)
    if format == "csv":
        return render(found.frame, "csv")
    if format == "latex":
        return render(_readable(found.frame), "latex", digits=2)
    rows, notes = _numbered(_readable(found.frame))
    parts = [describe(found), _table(rows, "Metrics"), *notes, *TIMED, *skipped_lines(found)]
    if len(found.peers):
        parts.insert(1, _table(_readable(found.peers), "Libraries"))
    return "\n".join(part.rstrip("\n") for part in parts) + "\n"


def describe(found: Benchmark) -> str:
    """One line: how much of what, and on which machine."""
    now = found.setting
    return (
        f"{now['matrices']:,} matrices of {now['items']} items and {now['classes']} classes, "
        f"peers on {now['sample']} of them; {machine_line(now)}"
    )


def skipped_lines(found: Benchmark) -> list[str]:
    """One line for everything that could not be compared."""
    return [f"Not compared: {name}: {reason}" for name, reason in found.skipped.items()]


def _readable(frame: pd.DataFrame) -> pd.DataFrame:
    """Differences as powers of ten; ratios without decimals once they are large."""
    shown = frame.copy()
    for name, spell in (("difference", _power), ("ratio", _times), ("median_ratio", _times)):
        if name in shown:
            shown[name] = [spell(value) for value in shown[name]]
    return shown


def _numbered(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Notes as numbers in their column and as lines below, since a terminal is narrow."""
    numbers = {note: str(i) for i, note in enumerate(filter(None, frame["note"].unique()), 1)}
    rows = frame.assign(note=[numbers.get(note, "") for note in frame["note"]])
    return rows, [f"Note {number}: {note}" for note, number in numbers.items()]


def _table(frame: pd.DataFrame, title: str) -> str:
    # Headings break at spaces, which keeps the columns as narrow as their figures.
    spaced = frame.rename(columns=lambda name: str(name).replace("_", " "))
    return render(spaced, "table", title=title, digits=2)


def _power(value: float) -> str:
    return "–" if math.isnan(value) else "0" if value == 0 else f"{value:.0e}"


def _times(value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def _json(found: Benchmark) -> str:
    whole: dict[str, Any] = {
        "setting": found.setting,
        "timed": list(TIMED),
        "peers": json.loads(render(found.peers, "json")),
        "rows": json.loads(render(found.frame, "json")),
        "skipped": found.skipped,
    }
    return json.dumps(whole, indent=1) + "\n"
