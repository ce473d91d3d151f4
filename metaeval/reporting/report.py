"""The report: evidence in, one page out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from metaeval.reporting.evidence import Evidence
from metaeval.reporting.html import fragment, render_page
from metaeval.reporting.page import Page, Section
from metaeval.reporting.sections.agreement import agreement
from metaeval.reporting.sections.context import context_of
from metaeval.reporting.sections.coverage import coverage
from metaeval.reporting.sections.curves import curves
from metaeval.reporting.sections.decline import decline
from metaeval.reporting.sections.matrices import matrices
from metaeval.reporting.sections.method import method
from metaeval.reporting.sections.metrics import metric_table
from metaeval.reporting.sections.properties import properties
from metaeval.reporting.sections.robustness import robustness
from metaeval.reporting.sections.summary import summary
from metaeval.reporting.sections.systems import systems
from metaeval.reporting.sections.undefined import undefined
from metaeval.reporting.summary import headline
from metaeval.reporting.writing import write_page

TITLE = "Which metric should I trust?"
# In the order of the page; a section without ground is left out.
SECTIONS = (
    summary,
    metric_table,
    coverage,
    matrices,
    decline,
    robustness,
    properties,
    agreement,
    curves,
    systems,
    undefined,
)


@dataclass(frozen=True, eq=False)
class Report:
    """A page, the answer on it, and the frames behind it."""

    page: Page
    shortlist: tuple[str, ...]

    @property
    def html(self) -> str:
        """The page as one self-contained document."""
        return render_page(self.page)

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Everything that the page offers for download, by name."""
        return self.page.frames()

    def _repr_html_(self) -> str:
        return fragment(*self.page.sections[0].blocks, title=", ".join(self.shortlist))

    def write(self, path: Path, force: bool = False) -> None:
        """Write the page, whole or not at all; an earlier report may be replaced."""
        write_page(self.page, path, force)


def build(evidence: Evidence, command: Sequence[str] = ("metaeval", "report")) -> Report:
    """Put the page together."""
    context = context_of(evidence)
    sections: list[Section] = []
    for make in SECTIONS:
        section = make(context)
        if section is not None:
            sections.append(section)
    used = frozenset().union(*(section.papers for section in sections))
    sections.append(method(context, command, used))
    fit = int(context.fit.sum())
    page = Page(
        title=TITLE,
        subtitle=evidence.title,
        headline=headline(context.chosen),
        facts=[
            ("metrics compared", str(len(evidence.names))),
            ("meet the demands of ordered classes", str(fit)),
            *_amounts(evidence),
        ],
        sections=sections,
    )
    return Report(page, context.chosen)


def _amounts(evidence: Evidence) -> list[tuple[str, str]]:
    if evidence.scores is None:
        return []
    cases, systems = (evidence.scores.index.get_level_values(i).nunique() for i in (0, 1))
    return [("systems", f"{systems:,}"), ("test cases", f"{cases:,}")]
