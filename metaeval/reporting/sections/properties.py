"""The property matrix, with a counterexample behind every violated cell."""

from __future__ import annotations

from metaeval.properties.findings import Finding
from metaeval.properties.scores import TOLERANCE
from metaeval.reporting.examples import PropertyMatrix, Verdict, drawn, verdict
from metaeval.reporting.page import Definitions, Section
from metaeval.reporting.palette import family_role
from metaeval.reporting.sections.context import Context
from metaeval.reporting.words import sentence

_NONE = Verdict("not-applicable", "", "", "not checked")


def properties(context: Context) -> Section:
    """Metrics by properties, in the order of the ranking."""
    from metaeval.properties.report import properties as catalogue

    report = context.evidence.properties
    known = catalogue()
    used = {finding.property for finding in report.findings}
    names = [str(name) for name in known.index if name in used]
    statements = {name: str(known.loc[name, "statement"]) for name in names}
    found: dict[tuple[str, str], Finding] = {(f.metric, f.property): f for f in report.findings}
    cells = [
        [
            verdict(found[metric, name], statements[name]) if (metric, name) in found else _NONE
            for name in names
        ]
        for metric in context.by_rank
    ]
    higher = context.standing["greater_is_better"].to_dict()
    tolerance = f"{TOLERANCE:.0e}".replace("e-0", "e-")
    violated = sum(finding.outcome == "violated" for finding in report.findings)
    cases = sum(finding.cases + finding.random_cases for finding in report.findings)
    return Section(
        id="properties",
        title="Formal properties",
        lead=(
            f"Each property was tried on every small matrix and on random larger ones, "
            f"{cases:,} cases in all; scores within {tolerance} count as equal. It breaks "
            f"{violated} times, and each such cell opens the smallest example that breaks it."
        ),
        blocks=[
            PropertyMatrix(
                name="properties",
                caption="Which metric holds which property",
                heads=[(name, str(known.loc[name, "short"]), statements[name]) for name in names],
                metrics=[
                    (metric, family_role(str(context.families[metric])))
                    for metric in context.by_rank
                ],
                cells=cells,
                strong=frozenset(context.chosen),
                examples=[
                    drawn(e, statements[e.property], not higher.get(e.metric, True))
                    for e in report.counterexamples
                ],
                data=report.frame,
            ),
            Definitions(
                title="What the properties say, and how far they were checked",
                folded=True,
                entries=[(name, _entry(name, statements[name], known)) for name in names],
            ),
        ],
        papers=frozenset({"000", "002", "004"}),
    )


def _entry(name: str, statement: str, known: object) -> str:
    row = known.loc[name]  # type: ignore[attr-defined]
    text = sentence(statement)
    if row["premise"] != "none":
        text += f" Premise: {row['premise']}."
    return f"{text} All matrices up to {row['max_items']} items and {row['max_classes']} classes."
