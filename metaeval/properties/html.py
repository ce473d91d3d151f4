"""A report as a self-contained fragment of HTML."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from metaeval.properties import catalogue
from metaeval.properties.drawing import changed, score, vector
from metaeval.properties.findings import Counterexample
from metaeval.properties.report import symbol
from metaeval.properties.scores import TOLERANCE

if TYPE_CHECKING:
    from jinja2 import Template

    from metaeval.properties.report import PropertyReport

MANY = 4  # metrics from which on the table has one row a metric


@lru_cache(maxsize=1)
def _template() -> Template:
    from jinja2 import Environment

    source = files("metaeval.reporting").joinpath("templates/check.html")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(source.read_text(encoding="utf-8"))


def as_html(report: PropertyReport) -> str:
    """The findings as a table, and every violation drawn."""
    return _template().render(
        atlas=_atlas(report),
        findings=report.findings,
        examples=[_drawn(example) for example in report.counterexamples],
        tolerance=f"{TOLERANCE:g}",
    )


def _atlas(report: PropertyReport) -> dict[str, Any] | None:
    """One row a metric, for more metrics than a long table is good for."""
    rows: dict[str, list[dict[str, str]]] = {}
    for finding in report.findings:
        drawn = finding.outcome == "violated"
        rows.setdefault(finding.metric, []).append(
            {
                "symbol": symbol(finding),
                "outcome": finding.outcome,
                "title": f"{finding.property}: {finding.outcome}. {finding.note}".strip(),
                "anchor": anchor(finding.metric, finding.property) if drawn else "",
            }
        )
    if len(rows) < MANY:
        return None
    known = catalogue.properties()
    names = dict.fromkeys(finding.property for finding in report.findings)
    return {"heads": [known[name] for name in names], "rows": rows}


def anchor(metric: str, property: str) -> str:
    """The place of a counterexample within the page."""
    return f"{metric}--{property}".replace(" ", "")


def _drawn(example: Counterexample) -> dict[str, Any]:
    marks = changed([panel.matrix for panel in example.panels])
    panels = [
        {
            "title": panel.title,
            "score": score(panel.score),
            "gold": vector(panel.labels[0]),
            "output": vector(panel.labels[1]),
            "rows": [
                [
                    {"count": count, "changed": bool(mark)}
                    for count, mark in zip(row, line, strict=True)
                ]
                for row, line in zip(panel.matrix, marked, strict=True)
            ],
        }
        for panel, marked in zip(example.panels, marks, strict=True)
    ]
    return {
        "example": example,
        "panels": panels,
        "anchor": anchor(example.metric, example.property),
    }
