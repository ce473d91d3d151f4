"""The property checker: exhaustive search, minimal counterexamples, claimed versus found."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metaeval.properties.auditing import audit as audit
    from metaeval.properties.checking import check as check
    from metaeval.properties.checking import check_all as check_all
    from metaeval.properties.findings import Counterexample as Counterexample
    from metaeval.properties.report import PropertyReport as PropertyReport
    from metaeval.properties.report import properties as properties

# Loaded on first use: a worker process that only calls a user's function needs none of it.
_HOMES = {
    "Counterexample": "findings",
    "PropertyReport": "report",
    "audit": "auditing",
    "check": "checking",
    "check_all": "checking",
    "properties": "report",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
