"""Paper 002's Table 3: coverage on synthetic outputs, all systems and without each family.

The table's file says that two rows are exchanged. The mean absolute deviation over all cells,
with these rows put right, decides whether the table is reproduced; it is the next-to-last row of
the result, and the last one is the same as printed. Single cells are ``match``, ``within``
CELL_TOLERANCE, or ``unexplained``: the paper leaves details of its generators open.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from metaeval.analysis.coverage import coverage_by_family
from metaeval.studies.published import Table
from metaeval.studies.reproduce import Cell, comparer, judge, read_printed
from metaeval.studies.run import score_outputs
from metaeval.studies.study import Outputs, find_study

STUDY = "paper-002-synthetic"
CELL_TOLERANCE = 0.05
# Enough for the ends of an interval that is shown with two digits.
REPLICATES = 200


@comparer("coverage")
def compare_coverage(table: Table) -> Iterator[Cell]:
    """Every cell beside the study's coverage, then the mean deviations."""
    found = _coverage(table)
    one, other = table.settings["exchanged"]
    partner = {one: other, other: one}
    rows = {case.name: case for case in table.cases}
    away = []
    for case, column, printed in table.cells():
        place = table.columns.index(column)
        row = found.loc[(table.settings["left_out"][place], case.name)].to_dict()
        computed = float(row["coverage"])
        source = rows[partner.get(case.name, case.name)]
        right = source.printed[place]
        verdict, note = _judge(right, computed)
        if source is not case:
            verdict = verdict if verdict == "unexplained" else "erratum"
            note = f"rows exchanged: {right} stands at {source.settings['row']}; {note}"
        sure = f"95 % over systems {row['low_systems']:.2f} to {row['high_systems']:.2f}"
        yield Cell(case.name, column, printed, computed, verdict, _joined(note, sure))
        away.append([abs(computed - read_printed(text)[0]) for text in (right, printed)])
    yield from _overall(np.array(away), table.settings["tolerance"])


def _coverage(table: Table) -> pd.DataFrame:
    study = find_study(STUDY)
    if not isinstance(study.data, Outputs):
        raise TypeError(f"the study {STUDY} has no outputs")
    metrics = [case.name for case in table.cases]
    data = score_outputs(study.data, metrics, study.seed)
    return coverage_by_family(
        data.scores,
        data.families,
        table.settings["reference"],
        undefined=study.undefined,
        replicates=REPLICATES,
        seed=study.seed,
    )


def _joined(*notes: str) -> str:
    return "; ".join(note.rstrip("; ") for note in notes if note)


def _judge(printed: str, computed: float) -> tuple[str, str]:
    if judge(printed, computed)[0] == "match":
        return "match", ""
    distance = abs(computed - read_printed(printed)[0])
    return "within" if distance <= CELL_TOLERANCE else "unexplained", f"{distance:.3f} away"


def _overall(away: np.ndarray, tolerance: float) -> Iterator[Cell]:
    """The mean absolute deviations: with the exchanged rows put right, and as printed."""
    right, printed = away.mean(axis=0)
    limit = f"<= {tolerance:g}"
    cells = f"{len(away)} cells"
    name = "mean absolute deviation"
    good = bool(right <= tolerance)
    why = "no interval: a deviation of this seed from the printed numbers"
    verdict = "within" if good else "differs"
    yield Cell(name, f"{cells}, exchanged rows put right", limit, right, verdict, why)
    verdict = "within" if printed <= tolerance else "erratum" if good else "differs"
    yield Cell(name, f"{cells}, as printed", limit, printed, verdict, why)
