"""The findings of the property checker as one page, of all metrics or of a few."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from metaeval.properties.findings import OUTCOMES
from metaeval.properties.report import PropertyReport
from metaeval.properties.scores import TOLERANCE
from metaeval.reporting.page import Block, Cell, Column, Filter, Page, Section, Table
from metaeval.reporting.palette import family_role
from metaeval.reporting.sections.method import made_by, provenance
from metaeval.reporting.sections.properties import PAPERS, family_of, section, used
from metaeval.reporting.words import count, names


def atlas_page(
    report: PropertyReport, command: Sequence[str] = (), settings: Sequence[tuple[str, str]] = ()
) -> Page:
    """The page for any number of metrics; `settings` say how the search was made."""
    found = outcomes(report)
    metrics, properties = len(found), used(report)
    violated = int(found["violated"].sum())
    method = [
        *made_by(command),
        *settings,
        (
            "compared",
            f"scores within {TOLERANCE:g}, times the larger of 1 and their magnitudes, count as "
            "the same",
        ),
        (
            "searched",
            "all matrices up to the sizes given with the properties, then random ones of up to "
            "500 items and 11 classes, shrunk where they break a property",
        ),
    ]
    return Page(
        title="Which metric holds which property?",
        subtitle="The property atlas" if metrics > 1 else f"The properties of {found.index[0]}",
        headline=_headline(report, found),
        facts=[
            ("metrics", str(metrics)),
            ("properties", str(len(properties))),
            ("violations, each with an example", f"{violated:,}"),
        ],
        sections=[
            section(report, [str(metric) for metric in found.index]),
            Section(
                id="metrics",
                title="By metric",
                lead="How many properties each metric holds, of those that apply to it.",
                blocks=[_by_metric(report, found)],
            ),
            Section(
                id="by-property",
                title="By property",
                lead="How many metrics hold each property. A property that nearly all hold tells "
                "little, and so does one that nearly all break.",
                blocks=[_by_property(report)],
            ),
            provenance(method, PAPERS),
        ],
    )


def outcomes(report: PropertyReport) -> pd.DataFrame:
    """Metrics by outcomes: how many properties; most held first, then fewest violated."""
    frame = report.frame
    found = pd.crosstab(frame["metric"], frame["outcome"]).reindex(
        index=list(dict.fromkeys(frame["metric"])), columns=list(OUTCOMES), fill_value=0
    )
    return found.sort_values(["violated", "holds"], ascending=[True, False], kind="stable")


def _headline(report: PropertyReport, found: pd.DataFrame) -> str:
    held, broken = int(found["holds"].sum()), int(found["violated"].sum())
    size = f"{count(len(found), 'metric')} × {count(len(used(report)), 'property', 'properties')}"
    text = f"{size}: {held} hold, {broken} are violated."
    if len(found) < 2:
        return text
    whole = [str(m) for m in found.index[found["violated"] == 0]]
    if whole:
        return f"{text} {names(whole, 4)} {'breaks' if len(whole) == 1 else 'break'} none."
    fewest = int(found["violated"].min())
    best = [str(m) for m in found.index[found["violated"] == fewest]]
    each = "" if len(best) == 1 else ", each"
    return f"{text} None holds all; {names(best, 4)} {_breaks(best)} fewest{each} {fewest}."


def _breaks(metrics: Sequence[str]) -> str:
    return "breaks" if len(metrics) == 1 else "break"


def _by_metric(report: PropertyReport, found: pd.DataFrame) -> Block:
    failed: dict[str, list[str]] = {}
    for finding in report.findings:
        if finding.outcome == "violated":
            failed.setdefault(finding.metric, []).append(finding.property)
    rows = []
    for name, amounts in found.to_dict("index").items():
        metric, held, broken = str(name), int(amounts["holds"]), int(amounts["violated"])
        rows.append(
            [
                Cell(metric, metric, role=family_role(family_of(metric))),
                Cell(f"{held} of {held + broken}", held / max(held + broken, 1)),
                Cell(str(broken), broken),
                Cell(", ".join(failed.get(metric, [])) or "–"),
            ]
        )
    families = [family_of(str(metric)) or "function" for metric in found.index]
    return Table(
        name="by-metric",
        caption="Properties held and violated by metric",
        columns=[
            Column("metric", number=False),
            Column("holds"),
            Column("violates", lower=True),
            Column("which", number=False),
        ],
        rows=rows,
        filters=[Filter("Family", families)] if len(rows) > 1 else (),
        searched="metric or property",
        sorted_by=2,
        data=found,
    )


def _by_property(report: PropertyReport) -> Block:
    frame = report.frame
    found = pd.crosstab(frame["property"], frame["outcome"]).reindex(
        index=used(report), columns=list(OUTCOMES), fill_value=0
    )
    rows = []
    for name, amounts in found.to_dict("index").items():
        own = [f for f in report.findings if f.property == name]
        sizes = [(f.example.items, f.example.classes) for f in own if f.example is not None]
        items, classes = min(sizes, default=(0, 0))
        smallest = f"{count(items, 'item')}, {classes} classes" if sizes else "–"
        numbers = [int(amounts[outcome]) for outcome in OUTCOMES]
        rows.append([Cell(str(name)), *(Cell(str(n), n) for n in numbers), Cell(smallest)])
    return Table(
        name="by-property",
        caption="Metrics that hold and violate each property",
        columns=[
            Column("property", number=False),
            *(Column(outcome.replace("-", " ")) for outcome in OUTCOMES),
            Column("smallest example", number=False),
        ],
        rows=rows,
        code=False,
        data=found,
    )
