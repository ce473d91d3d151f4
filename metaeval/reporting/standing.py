"""Where each metric stands: one row a metric with everything that the summary speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from metaeval.reporting.evidence import Evidence

# What ordered classes demand of a metric before anything else is asked, in plain words.
DEMANDS = {
    "identity": "only the perfect output gets the best score",
    "monotonicity": "every step of an answer towards its gold class is rewarded",
}
ALPHA = 0.05
# What metrics are measured by, in words.
CRITERIA = {
    "coverage": "coverage",
    "robustness": "robustness",
    "power": "discriminative power",
    "consistency": "split-half consistency",
}


def standings(evidence: Evidence) -> pd.DataFrame:
    """By metric, best first: fewest demands failed, then coverage (or what takes its place).

    Columns family, meaning; the criteria and, for each, `<name>_alike` (not distinguishable from
    the best) and `<name>_rank`; held, checked, failed and demands_failed (tuples of properties);
    cluster; undefined, scored; criterion, the value that metrics are ranked by.
    """
    frame = evidence.metrics.copy()
    sources = {
        "coverage": evidence.coverage,
        "robustness": evidence.robustness,
        "power": evidence.power,
        "consistency": evidence.consistency,
    }
    for name, source in sources.items():
        if source is not None:
            _criterion(frame, name, source)
    _properties(frame, evidence)
    if evidence.clusters is not None:
        frame["cluster"] = evidence.clusters.frame["cluster"].reindex(frame.index)
    if evidence.scores is not None:
        frame["undefined"] = evidence.scores.isna().sum().reindex(frame.index)
        frame["scored"] = len(evidence.scores)
    frame["criterion"] = _ranked_by(frame, evidence)
    frame["lacking"] = [len(names) for names in frame["demands_failed"]]
    order = frame.sort_values(
        ["lacking", "criterion", "held"], ascending=[True, False, False], kind="stable"
    )
    return order.drop(columns="lacking")


def _criterion(frame: pd.DataFrame, name: str, source: pd.DataFrame) -> None:
    frame[name] = source[name].reindex(frame.index)
    p = source["p"] if "p" in source else source.get("p_systems")
    best = frame[name] >= frame[name].max() - 1e-9
    alike = best if p is None else best | (p.reindex(frame.index) >= ALPHA)
    frame[f"{name}_alike"] = alike
    frame[f"{name}_rank"] = frame[name].round(10).rank(ascending=False, method="min")
    for limit in ("low", "high"):
        column = limit if limit in source else f"{limit}_systems"
        if column in source:
            frame[f"{name}_{limit}"] = source[column].reindex(frame.index)


def _properties(frame: pd.DataFrame, evidence: Evidence) -> None:
    outcomes: dict[str, dict[str, str]] = {}
    for finding in evidence.properties.findings:
        outcomes.setdefault(finding.metric, {})[finding.property] = finding.outcome
    rows = [outcomes.get(str(metric), {}) for metric in frame.index]
    frame["held"] = [_count(row, "holds") for row in rows]
    frame["checked"] = [_count(row, "holds", "violated") for row in rows]
    frame["failed"] = [tuple(p for p, o in row.items() if o == "violated") for row in rows]
    frame["demands_failed"] = [
        tuple(name for name in DEMANDS if row.get(name) in ("violated", "error")) for row in rows
    ]


def _count(row: Mapping[str, str], *outcomes: str) -> int:
    return sum(outcome in outcomes for outcome in row.values())


def _ranked_by(frame: pd.DataFrame, evidence: Evidence) -> pd.Series[Any]:
    if "coverage" in frame:
        return frame["coverage"]
    agreement = evidence.frames.get("agreement-with-reference")
    if agreement is not None:
        return agreement["agreement"].groupby(level="metric").mean().reindex(frame.index)
    return frame["held"] / frame["checked"].clip(lower=1)


def criterion_words(evidence: Evidence) -> str:
    """What `criterion` is, in words."""
    if evidence.coverage is not None:
        return "coverage"
    if "agreement-with-reference" in evidence.frames:
        return f"agreement with `{evidence.settings.reference[0]}`"
    return "share of the properties held"


def about(frame: pd.DataFrame, metric: str) -> dict[str, Any]:
    """The row of a metric."""
    return {str(column): value for column, value in frame.loc[metric].to_dict().items()}


def meets_demands(frame: pd.DataFrame) -> pd.Series[bool]:
    """Whether a metric fails none of the demands."""
    return pd.Series([not names for names in frame["demands_failed"]], index=frame.index)


def peers(frame: pd.DataFrame, metric: str) -> list[str]:
    """The other metrics of its cluster, in the order of the frame."""
    own = about(frame, metric).get("cluster")
    if own is None or pd.isna(own):
        return []
    same = frame.index[frame["cluster"] == own]
    return [str(name) for name in same if name != metric]


def shortlist(frame: pd.DataFrame, size: int = 3) -> list[str]:
    """The leading metrics, at most one of each cluster as long as there are enough clusters.

    A metric that says the same as another is still better than one that fails more demands.
    """
    chosen: list[str] = []
    lacking = pd.Series([len(names) for names in frame["demands_failed"]], index=frame.index)
    for _, tier in frame.groupby(lacking):
        spare: list[str] = []
        for metric in map(str, tier.index):
            like = any(name in chosen for name in peers(frame, metric))
            (spare if like else chosen).append(metric)
        if len(chosen) >= size:
            break
        chosen += spare
    return chosen[:size]
