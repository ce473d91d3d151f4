"""metaeval: which metric should I trust for ordered classes?"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metaeval.analysis.agreement import agreement as agreement
    from metaeval.analysis.coverage import coverage as coverage
    from metaeval.analysis.coverage import coverage_by_family as coverage_by_family
    from metaeval.analysis.discrimination import discriminative_power as discriminative_power
    from metaeval.analysis.rank_correlation import metric_clusters as metric_clusters
    from metaeval.analysis.rank_correlation import rank_correlation as rank_correlation
    from metaeval.analysis.robustness import robustness as robustness
    from metaeval.analysis.split_half import split_half as split_half
    from metaeval.analysis.unanimity import uir as uir
    from metaeval.benchmarking.bench import bench as bench
    from metaeval.catalogue import metrics as metrics
    from metaeval.errors import InputError as InputError
    from metaeval.evaluation.evaluating import evaluate as evaluate
    from metaeval.labels import confusion as confusion
    from metaeval.measures.metric import Metric as Metric
    from metaeval.measures.path import oc_path as oc_path
    from metaeval.measures.registry import metric as metric
    from metaeval.measures.registry import register as register
    from metaeval.measures.scoring import score as score
    from metaeval.properties.checking import check as check
    from metaeval.properties.report import PropertyReport as PropertyReport
    from metaeval.scorer import make_scorer as make_scorer

__version__ = "0.1.0"

# Public name -> where it lives. Loaded on first use, so that `import metaeval` stays light.
_HOMES = {
    "InputError": "metaeval.errors",
    "Metric": "metaeval.measures.metric",
    "PropertyReport": "metaeval.properties.report",
    "agreement": "metaeval.analysis.agreement",
    "bench": "metaeval.benchmarking.bench",
    "check": "metaeval.properties.checking",
    "confusion": "metaeval.labels",
    "coverage": "metaeval.analysis.coverage",
    "coverage_by_family": "metaeval.analysis.coverage",
    "discriminative_power": "metaeval.analysis.discrimination",
    "evaluate": "metaeval.evaluation.evaluating",
    "make_scorer": "metaeval.scorer",
    "metric": "metaeval.measures.registry",
    "metric_clusters": "metaeval.analysis.rank_correlation",
    "metrics": "metaeval.catalogue",
    "oc_path": "metaeval.measures.path",
    "rank_correlation": "metaeval.analysis.rank_correlation",
    "register": "metaeval.measures.registry",
    "robustness": "metaeval.analysis.robustness",
    "score": "metaeval.measures.scoring",
    "split_half": "metaeval.analysis.split_half",
    "uir": "metaeval.analysis.unanimity",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'metaeval' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
