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
    "What was timed, in microseconds (us) a matrix, best of several: metaeval_us, labels to scores "
    "of one metric, counting included, all matrices in one call; scoring_us, the metric alone on "
    "counted matrices; loop_us, labels to score with metaeval, one call a matrix; peer_us, the "
    "same with the library, on labels in the form that it likes best. ratio is peer_us / "
    "metaeval_us; of a library, all its metrics beside ours in one pass.",
    "What was compared: difference, the largest between the two values; alike, the share of "
    "matrices with equal values or with none in either; edge_alike, the same on small matrices "
    "with absent classes, constant labels and single items.",
)


def text(found: Benchmark, format: str) -> str:
    """The benchmark in one of the formats table, json, csv, latex."""
    if format == "json":
        return _json(found)
    if format == "csv":
        return render(found.frame, "csv")
    rows = render(_readable(found.frame), format, title="Metrics", digits=2)
    if format == "latex":
        return rows
    parts = [describe(found), rows]
    if len(found.peers):
        parts.insert(1, render(_readable(found.peers), "table", title="Libraries", digits=2))
    parts.extend([*TIMED, *skipped_lines(found)])
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
