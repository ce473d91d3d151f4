"""Claimed versus found: a table of claims beside what the search finds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from metaeval.execution import Jobs
from metaeval.properties.checking import check_all
from metaeval.properties.findings import Finding

COLUMNS = [
    "metric",
    "property",
    "claimed",
    "found",
    "agrees",
    "counterexample",
    "sizes",
    "why",
    "python",
]


def audit(
    claims: Mapping[str, Mapping[str, bool]], jobs: Jobs = None, **options: Any
) -> pd.DataFrame:
    """Check claims, by metric and property: is the metric said to have the property?

    One row a claim. A claim agrees if it says yes and the property holds up to the bounds, or if
    it says no and a violation was found. `counterexample` is what was found against the property,
    whoever is right; `sizes` is its size, or how far the search went.
    """
    wanted = sorted({name for row in claims.values() for name in row})
    report = check_all(list(claims), properties=wanted, jobs=jobs, **options)
    found = {(f.metric, f.property): f for f in report.findings}
    rows = []
    for metric, row in claims.items():
        names = [f.metric for f in report.findings]
        for name, claimed in row.items():
            finding = found[_spelling(metric, names), name]
            rows.append([metric, name, claimed, finding.outcome, *_against(finding, claimed)])
    return pd.DataFrame(rows, columns=COLUMNS)


def _spelling(metric: str, names: list[str]) -> str:
    from metaeval.measures.registry import metric as registered_metric

    return metric if metric in names else registered_metric(metric).name


def _against(finding: Finding, claimed: bool) -> list[Any]:
    agrees = finding.outcome == ("holds" if claimed else "violated")
    example = finding.example
    if example is None:
        return [agrees, "", finding.reach, "", ""]
    before, after = (_short(matrix) for matrix in (example.before, example.after))
    scores = f"{before} scores {example.score_before:.4g}"
    if example.score_after is not None:
        scores += f", {after} scores {example.score_after:.4g}"
    size = f"N = {example.items}, K = {example.classes}"
    return [agrees, scores, size, example.why, example.python]


def _short(matrix: Any) -> str:
    return str(matrix).replace("(", "[").replace(")", "]").replace(",]", "]").replace(" ", "")
