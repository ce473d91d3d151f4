"""The property matrix, with a counterexample behind every violated cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from metaeval.measures.registry import definitions
from metaeval.properties.findings import Finding
from metaeval.properties.report import PropertyReport
from metaeval.properties.report import properties as catalogue
from metaeval.properties.scores import TOLERANCE
from metaeval.reporting.examples import Example, PropertyMatrix, Verdict, drawn, verdict
from metaeval.reporting.page import Definitions, Section
from metaeval.reporting.palette import family_role
from metaeval.reporting.sections.context import Context
from metaeval.reporting.words import sentence

PAPERS = frozenset({"000", "002", "004"})
_NONE = Verdict("not-applicable", "", "", "not checked")


def properties(context: Context) -> Section:
    """Metrics by properties, in the order of the ranking."""
    return section(context.evidence.properties, context.by_rank, context.chosen)


def section(
    report: PropertyReport, order: Sequence[str] = (), strong: Sequence[str] = ()
) -> Section:
    """The matrix with what its columns mean; metrics in the given order."""
    violated = sum(finding.outcome == "violated" for finding in report.findings)
    cases = sum(finding.cases + finding.random_cases for finding in report.findings)
    tolerance = f"{TOLERANCE:.0e}".replace("e-0", "e-")
    return Section(
        id="properties",
        title="Formal properties",
        lead=(
            f"Each property was tried on every small matrix and on random larger ones, "
            f"{cases:,} cases in all; scores within {tolerance} count as equal. It breaks "
            f"{violated} times, and each such cell opens the smallest example that breaks it."
        ),
        blocks=[
            matrix(report, order, strong),
            Definitions(
                title="What the properties say, and how far they were checked",
                folded=True,
                entries=entries(report),
            ),
        ],
        papers=PAPERS,
    )


def matrix(
    report: PropertyReport, order: Sequence[str] = (), strong: Sequence[str] = ()
) -> PropertyMatrix:
    """Metrics by properties; without an order, as the report has them."""
    known = catalogue()
    names = used(report)
    found: dict[tuple[str, str], Finding] = {(f.metric, f.property): f for f in report.findings}
    metrics = list(order) or list(dict.fromkeys(f.metric for f in report.findings))
    return PropertyMatrix(
        name="properties",
        caption="Which metric holds which property",
        heads=[
            (name, str(known.loc[name, "short"]), str(known.loc[name, "statement"]))
            for name in names
        ],
        metrics=[(metric, family_role(family_of(metric))) for metric in metrics],
        cells=[
            [verdict(found[metric, name]) if (metric, name) in found else _NONE for name in names]
            for metric in metrics
        ],
        strong=frozenset(strong),
        examples=examples(report),
        data=report.frame,
    )


def examples(report: PropertyReport) -> list[Example]:
    """Every counterexample, ready to be drawn."""
    statements = catalogue()["statement"].to_dict()
    return [
        drawn(e, str(statements.get(e.property, "")), lower_is_better(e.metric))
        for e in report.counterexamples
    ]


def used(report: PropertyReport) -> list[str]:
    """The properties of a report in the order of the catalogue."""
    checked = {finding.property for finding in report.findings}
    return [str(name) for name in catalogue().index if name in checked]


def entries(report: PropertyReport) -> list[tuple[str, str]]:
    """What each property of a report says, and how far it was searched for most metrics."""
    known = catalogue().to_dict("index")
    found = []
    for name in used(report):
        text = sentence(str(known[name]["statement"]))
        if known[name]["premise"] != "none":
            text += f" Premise: {known[name]['premise']}."
        holding = [f for f in report.findings if f.property == name and f.outcome == "holds"]
        far = Counter(f.reach for f in holding if f.reach)
        if far:
            text += f" Where it holds, searched: {far.most_common(1)[0][0]} (N items, K classes)."
        found.append((name, text))
    return found


def family_of(metric: str) -> str:
    """The family of a registered metric, with or without parameters; else nothing."""
    definition = definitions().get(metric.partition("(")[0])
    return definition.family if definition else ""


def lower_is_better(metric: str) -> bool:
    """Whether a registered metric is an error; of other functions it is not known."""
    definition = definitions().get(metric.partition("(")[0])
    return definition is not None and not definition.greater_is_better
