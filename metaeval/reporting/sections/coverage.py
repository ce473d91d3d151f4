"""Coverage with intervals, and with one family of errors left out at a time."""

from __future__ import annotations

import pandas as pd

from metaeval.reporting.figures.dots import Panel, dots
from metaeval.reporting.page import Block, Cell, Column, Section, Table
from metaeval.reporting.palette import family_role
from metaeval.reporting.sections.context import Context
from metaeval.reporting.words import level, names, number

_SHOWN = ("coverage", "low", "high")


def coverage(context: Context) -> Section | None:
    """Dots with both intervals; a table of what each family of systems contributes."""
    evidence, overall = context.evidence, context.evidence.coverage
    if overall is None:
        return None
    ordered = overall.sort_values("coverage", ascending=False, kind="stable")
    first, last = str(ordered.index[0]), str(ordered.index[-1])
    alt = (
        f"Coverage of {len(ordered)} metrics from {first} ({ordered['coverage'].iloc[0]:.3f}) "
        f"down to {last} ({ordered['coverage'].iloc[-1]:.3f}), with intervals."
    )
    intervals = [("low", "high")] if "low" in ordered else []
    if "low_systems" in ordered:
        intervals.append(("low_systems", "high_systems"))
    blocks: list[Block] = [
        dots(
            "coverage",
            [Panel("coverage", ordered, "coverage", intervals)],
            context.families,
            context.fit,
            context.chosen,
            width=600,
            alt=alt,
            caption=_caption(evidence.settings.level, intervals),
            data=ordered.reset_index(),
        )
    ]
    if evidence.left_out is not None:
        blocks.append(_left_out(context, ordered))
    return Section(
        id="coverage",
        title="Coverage",
        lead=(
            f"A system is better for certain where {names(evidence.settings.reference)} all say "
            "so. Coverage is Spearman's correlation, over ordered pairs of systems, between the "
            "metric's difference and the share of test cases with such a unanimous improvement "
            "(less the share of the opposite). 1 means that the metric follows every improvement."
        ),
        blocks=blocks,
        papers=frozenset({"002"}),
    )


def _caption(confidence: float, intervals: list[tuple[str, str]]) -> str:
    text = "Filled dots meet the demands of ordered classes, hollow ones fail one; the shortlist "
    text += "is bold. Colours are families of metrics."
    bars = {"low": "thick bars resample test cases", "low_systems": "thin ones systems"}
    known = [bars[low] for low, _ in intervals]
    if len(known) == 1:
        known = ["bars resample " + ("test cases" if intervals[0][0] == "low" else "systems")]
    return text + (
        f" {level(confidence)} bootstrap intervals: {', '.join(known)}." if known else ""
    )


def _left_out(context: Context, ordered: pd.DataFrame) -> Table:
    long = context.evidence.left_out
    assert long is not None
    families = list(dict.fromkeys(map(str, long.index.get_level_values("left_out"))))
    parts = [ordered, *(pd.DataFrame(long.xs(family)) for family in families)]
    rows = []
    for metric in map(str, ordered.index):
        role = family_role(str(context.families[metric]))
        rows.append([Cell(metric, metric, role=role), *(_cell(part, metric) for part in parts)])
    return Table(
        name="coverage-left-out",
        caption="Coverage with one family of errors left out at a time",
        columns=[
            Column("metric", number=False),
            Column("all systems"),
            *(Column(f"without {family.replace('_', ' ')}") for family in families),
        ],
        rows=rows,
        sorted_by=1,
        note="A metric that owes its coverage to one kind of error loses it in that column. "
        f"Bold is best of the column; {level(context.evidence.settings.level)} intervals resample "
        "test cases."
        if "low" in long
        else "A metric that owes its coverage to one kind of error loses it in that column.",
        data=long,
    )


def _cell(part: pd.DataFrame, metric: str) -> Cell:
    row = {str(name): float(part.loc[metric, name]) for name in part if name in _SHOWN}  # type: ignore[arg-type]
    value = row["coverage"]
    marks = frozenset({"best"} if value >= part["coverage"].max() - 1e-9 else ())
    note = f"{number(row['low'])} to {number(row['high'])}" if "low" in row else ""
    return Cell(number(value), value if value == value else "–", note, marks)
