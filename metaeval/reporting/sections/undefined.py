"""Where metrics have no value."""

from __future__ import annotations

import pandas as pd

from metaeval.reporting.page import Block, Cell, Column, Prose, Section, Table
from metaeval.reporting.palette import family_role
from metaeval.reporting.sections.context import Context
from metaeval.reporting.words import percent


def undefined(context: Context) -> Section | None:
    """How many scores are undefined, what they count as, and what the metric needs."""
    evidence = context.evidence
    if evidence.scores is None:
        return None
    counts = evidence.scores.isna().sum()
    total = len(evidence.scores)
    hit = counts[counts > 0].sort_values(ascending=False, kind="stable")
    treated = evidence.coverage["undefined_as"] if evidence.coverage is not None else pd.Series()
    block: Block
    if hit.empty:
        block = Prose(paragraphs=[f"None: every metric scores all {total:,} outputs."])
    else:
        rows = [
            [
                Cell(m, m, role=family_role(str(context.families[m]))),
                Cell(f"{n:,}", int(n)),
                Cell(percent(n / total), float(n / total)),
                Cell(str(treated.get(m, "left out")).replace("-", "−")),
                Cell(str(context.evidence.metrics["premises"][m]) or "–"),
            ]
            for m, n in zip(map(str, hit.index), hit, strict=True)
        ]
        block = Table(
            name="undefined",
            caption="Undefined scores by metric",
            columns=[
                Column("metric", number=False),
                Column("undefined"),
                Column("share"),
                Column("counted as"),
                Column("needs", number=False),
            ],
            rows=rows,
            sorted_by=1,
            note=f"Of {total:,} outputs. A score that is not defined is never made up; in the "
            "analyses it counts as stated here.",
            data=pd.DataFrame({"undefined": hit, "outputs": total}).rename_axis("metric"),
        )
    return Section(
        id="undefined",
        title="Undefined scores",
        lead="A metric that has no value for some outputs leaves the comparison to a convention.",
        blocks=[block],
    )
