"""What a check returns: one frame, and the counterexamples behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from metaeval.errors import InputError, unknown
from metaeval.properties import catalogue
from metaeval.properties.findings import Counterexample, Finding
from metaeval.properties.scores import TOLERANCE

COLUMNS = [
    "metric",
    "property",
    "outcome",
    "cases",
    "max_items",
    "max_classes",
    "before",
    "after",
    "score_before",
    "score_after",
    # Beyond the stable ones:
    "items",
    "classes",
    "minimal",
    "undefined",
    "errors",
    "random_cases",
    "reach",
    "tolerance",
    "why",
    "python",
    "note",
]
SYMBOLS = {"holds": "✓", "violated": "✗", "undefined": "?", "error": "!", "not-applicable": "–"}


@dataclass(frozen=True)
class PropertyReport:
    """Findings for one or more metrics.

    In `frame`, `max_items` and `max_classes` are how far every object was looked at; where a
    property is violated they are the size of the counterexample. `before` and `after` are nested
    lists. `cases` counts the exhaustive part, up to the violation if there is one.
    """

    findings: tuple[Finding, ...]

    @property
    def frame(self) -> pd.DataFrame:
        """One row a metric and property."""
        rows = [_row(finding) for finding in self.findings]
        frame = pd.DataFrame(rows, columns=COLUMNS)
        return frame.astype({"items": "Int64", "classes": "Int64", "minimal": "boolean"})

    @property
    def summary(self) -> pd.DataFrame:
        """The frame for people: outcome, how far the search went, size of the counterexample."""
        frame = self.frame
        return pd.DataFrame(
            {
                "metric": frame["metric"],
                "property": frame["property"],
                "outcome": frame["outcome"],
                "N": frame["items"],
                "K": frame["classes"],
                "cases": frame["cases"],
                "undefined": frame["undefined"],
                "searched": frame["reach"].where(frame["outcome"] != "violated", ""),
                "note": frame["note"],
            }
        )

    @property
    def atlas(self) -> pd.DataFrame:
        """One row a metric, one column a property: a symbol, and the counterexample's N and K."""
        cells: dict[str, dict[str, str]] = {}
        for finding in self.findings:
            cells.setdefault(finding.metric, {})[finding.property] = symbol(finding)
        return pd.DataFrame.from_dict(cells, orient="index").rename_axis("metric")

    @property
    def counterexamples(self) -> tuple[Counterexample, ...]:
        """All violations, in the order of the frame."""
        found = (f.example for f in self.findings if f.outcome == "violated")
        return tuple(example for example in found if example is not None)

    def finding(self, property: str, metric: str | None = None) -> Finding:
        """The finding on a property; of which metric must be said if there are several."""
        known = [f for f in self.findings if metric is None or f.metric == metric]
        if not known:
            raise unknown("metric", str(metric), {f.metric for f in self.findings})
        found = [f for f in known if f.property == property]
        if not found:
            raise unknown("property", property, {f.property for f in known})
        if len(found) > 1:
            raise InputError("the report covers several metrics; say which one is meant")
        return found[0]

    def outcome(self, property: str, metric: str | None = None) -> str:
        """The outcome for a property."""
        return self.finding(property, metric).outcome

    def counterexample(self, property: str, metric: str | None = None) -> Counterexample | None:
        """The case that decided the outcome, None if the property holds or does not apply."""
        return self.finding(property, metric).example

    def failures(self, required: list[str] | tuple[str, ...]) -> list[Finding]:
        """Findings on required properties that are anything but `holds`."""
        names = {p.name for p in catalogue.choose(list(required))}
        return [f for f in self.findings if f.property in names and f.outcome != "holds"]

    def _repr_html_(self) -> str:
        from metaeval.reporting.notebook import properties_html

        return properties_html(self)

    def __add__(self, other: PropertyReport) -> PropertyReport:
        return PropertyReport(self.findings + other.findings)


def symbol(finding: Finding) -> str:
    """An outcome in a cell: a counterexample's size as items·classes beside the cross."""
    mark = SYMBOLS[finding.outcome]
    if finding.outcome == "violated" and finding.example is not None:
        return f"{mark} {finding.example.items}·{finding.example.classes}"
    return mark


def properties() -> pd.DataFrame:
    """One row a property, by name: what it says, its premise, how far it is checked by default."""
    rows = {
        p.name: {
            "statement": p.statement,
            "formal": p.formal,
            "premise": p.premise,
            "short": p.short,
            "reference": p.reference,
            "max_items": p.bounds.items,
            "max_classes": p.bounds.classes,
        }
        for p in catalogue.properties().values()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("property")


def _row(finding: Finding) -> dict[str, Any]:
    row: dict[str, Any] = {
        "metric": finding.metric,
        "property": finding.property,
        "outcome": finding.outcome,
        "cases": finding.cases,
        "max_items": finding.max_items,
        "max_classes": finding.max_classes,
        "undefined": finding.undefined,
        "errors": finding.errors,
        "random_cases": finding.random_cases,
        "reach": finding.reach,
        "tolerance": TOLERANCE,
        "note": finding.note,
        "before": None,
        "after": None,
        "why": "",
        "python": "",
    }
    example = finding.example
    if example is not None:
        row |= {
            "before": _lists(example.before),
            "after": _lists(example.after),
            "score_before": example.score_before,
            "score_after": example.score_after,
            "items": example.items,
            "classes": example.classes,
            "minimal": example.minimal,
            "why": example.why,
            "python": example.python,
        }
    return row


def _lists(value: Any) -> Any:
    return [_lists(part) for part in value] if isinstance(value, tuple) else value
