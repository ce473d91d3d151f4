"""The table of all metrics."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from metaeval.reporting.page import Cell, Column, Filter, Section, Table
from metaeval.reporting.palette import family_role
from metaeval.reporting.sections.context import Context
from metaeval.reporting.standing import DEMANDS, about
from metaeval.reporting.words import number, percent

_CRITERIA = {
    "coverage": ("coverage", "how well a lead foretells a lead on all reference metrics", 3),
    "robustness": ("robustness", "agreement of the system rankings of two test cases", 3),
    "power": ("power", "share of system pairs that differ significantly", None),
    "consistency": ("split-half", "agreement of the rankings of two halves of the cases", 3),
}


def metric_table(context: Context) -> Section:
    """Sortable and filterable: best in bold, what cannot be told from the best marked."""
    frame = context.standing
    criteria = [name for name in _CRITERIA if name in frame]
    columns = [
        Column("metric", number=False),
        *(Column(_CRITERIA[name][0], hint=_CRITERIA[name][1]) for name in criteria),
        Column("properties", hint="held, of those that apply"),
        Column("fails", number=False, hint="demands of ordered classes that it fails"),
    ]
    if "cluster" in frame:
        columns.append(Column("group", hint="same number: ranks systems alike", lower=True))
    rows = [_row(frame, metric, criteria, metric in context.chosen) for metric in context.by_rank]
    families = [str(frame.loc[metric, "family"]) for metric in context.by_rank]
    return Section(
        id="metrics",
        title="All metrics",
        lead=(
            "Bold is best; ≈ marks what cannot be told from the best (Holm-adjusted bootstrap "
            "p of 0.05 or more). Click a column's head to sort by it."
            if criteria
            else "Click a column's head to sort by it."
        ),
        blocks=[
            Table(
                name="metrics",
                caption=f"{len(frame)} metrics: what was found about each",
                columns=columns,
                rows=rows,
                filters=[Filter("Family", families)],
                flags=[bool(context.fit[metric]) for metric in context.by_rank],
                flag="only those that meet the demands",
                note=_note(criteria),
                data=_data(frame),
            )
        ],
    )


def _row(frame: pd.DataFrame, metric: str, criteria: Sequence[str], listed: bool) -> list[Cell]:
    row = about(frame, metric)
    cells = [Cell(metric, metric, str(row["meaning"]), role=family_role(str(row["family"])))]
    for name in criteria:
        digits = _CRITERIA[name][2]
        value = row[name]
        shown = number(value, digits) if digits else "–" if pd.isna(value) else percent(value)
        marks = set()
        if row[f"{name}_rank"] == 1:
            marks.add("best")
        elif row[f"{name}_alike"]:
            marks.add("alike")
        note = ""
        if name == "coverage" and f"{name}_low" in frame:
            note = f"{number(row[f'{name}_low'])} to {number(row[f'{name}_high'])}"
        cells.append(Cell(shown, "–" if pd.isna(value) else value, note, frozenset(marks)))
    share = row["held"] / max(row["checked"], 1)
    cells.append(Cell(f"{row['held']} of {row['checked']}", round(float(share), 6)))
    failed = ", ".join(row["demands_failed"])
    cells.append(Cell(failed or "–", failed or "~"))
    if "cluster" in frame:
        group = row["cluster"]
        cells.append(Cell("–" if pd.isna(group) else str(int(group))))
    return cells


def _note(criteria: Sequence[str]) -> str:
    parts = [f"“Fails” names which of {' and '.join(DEMANDS)} the metric fails."]
    if "coverage" in criteria:
        parts.append("Intervals and ≈ of coverage and robustness resample test cases")
        if "power" in criteria:
            parts[-1] += "; those of power and split-half resample systems"
        parts[-1] += "."
    return " ".join(parts)


def _data(frame: pd.DataFrame) -> pd.DataFrame:
    table = frame.drop(columns=["premises", "criterion"], errors="ignore").copy()
    for name in ("failed", "demands_failed"):
        table[name] = [", ".join(found) for found in table[name]]
    return table
