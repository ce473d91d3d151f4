"""The registry as a frame, for people and for reports."""

from __future__ import annotations

import pandas as pd

from metaeval.measures.registry import Bound, Definition, definitions


def metrics() -> pd.DataFrame:
    """One row a registered metric, by key: what it means, its range, premises and source."""
    rows = {key: _row(definition) for key, definition in definitions().items()}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("key")


def _row(definition: Definition) -> dict[str, object]:
    names = [premise.name for premise in definition.premises]
    return {
        "family": definition.family,
        "greater_is_better": definition.greater_is_better,
        "low": _limit(definition.low),
        "high": _limit(definition.high),
        "parameters": ", ".join(f"{k}={v!r}" for k, v in definition.defaults.items()),
        "premises": "; ".join(names),
        "needs_all_gold_classes": any("every class of the scale" in name for name in names),
        "max_classes": definition.max_classes or "",
        "paper": definition.paper,
        "year": definition.year or "",
        "equation": definition.equation,
        "meaning": definition.meaning,
        "formula": definition.formula,
    }


def _limit(bound: float | Bound) -> str:
    return bound.words if isinstance(bound, Bound) else f"{bound:.6g}"
