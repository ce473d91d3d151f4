"""The audit of claimed properties: what a paper says beside what the search finds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from metaeval.measures.registry import metric as registered
from metaeval.properties.findings import Finding
from metaeval.properties.report import PropertyReport
from metaeval.reporting.examples import Dialogs, verdict
from metaeval.reporting.page import Cell, Column, Section, Table
from metaeval.reporting.palette import family_role
from metaeval.reporting.sections.properties import entries, examples, family_of
from metaeval.reporting.words import count
from metaeval.studies.published import Table as Published


@dataclass(frozen=True, eq=False)
class Audit:
    """What the search finds about the metrics and properties of a paper's table."""

    report: PropertyReport

    @cached_property
    def _found(self) -> dict[tuple[str, str], Finding]:
        return {(f.metric, f.property): f for f in self.report.findings}

    def finding(self, metric: str, property: str) -> Finding:
        """About a metric as the paper's table spells it."""
        return self._found[registered(metric).name, property]

    def example(self, metric: str, property: str) -> str:
        """The place of the counterexample on the page, if there is one."""
        return verdict(self.finding(metric, property)).example

    @property
    def dialogs(self) -> Dialogs:
        """All counterexamples, to be opened from cells."""
        return Dialogs(examples=examples(self.report))


def audit_of(tables: Iterable[Published]) -> Audit | None:
    """The search for those of the tables that claim properties."""
    from metaeval.properties.checking import check_all

    claimed = [table for table in tables if table.kind == "claims"]
    if not claimed:
        return None
    metrics = dict.fromkeys(case.name for table in claimed for case in table.cases)
    wanted = dict.fromkeys(column for table in claimed for column in table.columns)
    return Audit(check_all(list(metrics), properties=list(wanted), jobs=1))


def audit_section(table: Published, frame: pd.DataFrame, audit: Audit) -> Section:
    """Metrics by properties; `frame` has the verdicts on the claims."""
    refuted = int((frame["verdict"] == "erratum").sum())
    said = {(r["case"], r["metric"]): r for r in frame.to_dict("records")}
    rows = []
    for case in table.cases:
        name = registered(case.name).name
        cells = [Cell(case.name, case.name, role=family_role(family_of(name)))]
        cells += [_cell(said.get((case.name, column)), audit) for column in table.columns]
        rows.append(cells)
    return Section(
        id="claims",
        title="Claimed and found",
        lead=(
            f"Of {count(len(frame), 'claim')}, {refuted} are refuted by an example; each such cell "
            "opens the smallest one. A claim counts as found if no matrix within the bounds "
            "breaks the property."
        ),
        blocks=[
            Table(
                name="claims",
                caption="Properties claimed and found",
                columns=[
                    Column("metric", number=False),
                    *(Column(column, number=False) for column in table.columns),
                ],
                rows=rows,
                flags=[any("erratum" in cell.marks for cell in row) for row in rows],
                note=" ".join(f"`{name}`: {text}" for name, text in entries(audit.report)),
                data=frame,
            ),
            audit.dialogs,
        ],
        papers=frozenset({table.paper}),
    )


def _cell(record: dict[object, object] | None, audit: Audit) -> Cell:
    if record is None:
        return Cell("–")
    case, property = str(record["case"]), str(record["metric"])
    claimed = record["published"] == "yes"
    found = verdict(audit.finding(case, property))
    words = f"violated {found.size}" if found.example else found.outcome.replace("-", " ")
    return Cell(
        words,
        found.outcome + found.size,
        note="said to hold" if claimed else "said to fail",
        marks=frozenset({str(record["verdict"])}),
        example=found.example,
    )
