"""How good each metric is on these data: coverage, robustness, discriminative power."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.analysis.coverage import coverage
from metaeval.analysis.discrimination import discriminative_power
from metaeval.analysis.resampling import Plan
from metaeval.analysis.robustness import robustness
from metaeval.analysis.scores import RESOLUTION, Undefined
from metaeval.analysis.unanimity import REFERENCE
from metaeval.evaluation.outputs import Outputs
from metaeval.evaluation.scores import Scores, score_counts, score_frame
from metaeval.measures.registry import metric
from metaeval.measures.scoring import score_stack

QUALITIES = ("coverage", "robustness", "power")

# Of the matrices that show whether a metric sees order; even, to be halved.
ITEMS_A_CLASS = 10


def metric_qualities(
    outputs: Outputs, scores: Scores, plan: Plan, undefined: Undefined
) -> pd.DataFrame:
    """By metric: coverage, robustness, power with intervals, sees_order, undefined scores.

    Intervals of coverage and robustness are over test cases, that of power is over systems. A
    number that these data do not allow is NaN, and `frame.attrs["not_computed"]` says why.
    """
    options: dict[str, Any] = {
        "undefined": undefined,
        "replicates": plan.replicates,
        "level": plan.level,
        "seed": plan.seed,
        "jobs": plan.jobs,
    }
    names = list(scores.names)
    index = pd.Index(names, name="metric")
    columns = [f"{name}{end}" for name in QUALITIES for end in ("", "_low", "_high")]
    frame = pd.DataFrame(np.nan, index=index, columns=columns)
    reasons: dict[str, str] = {}
    own = scores.frame(outputs)
    if len(outputs.systems) < 2:
        reasons = dict.fromkeys(QUALITIES, "it compares systems, and there is only one")
    else:
        found = coverage(_with_reference(outputs, scores, own), **options).loc[names]
        _fill(frame, found, "coverage", "")
        if len(outputs.cases) < 2:
            why = "it compares test cases, and there is only one"
            reasons = dict.fromkeys(("robustness", "power"), why)
        else:
            _fill(frame, robustness(own, **options), "robustness", "")
            _fill(frame, discriminative_power(own, **options), "power", "_systems")
    frame["sees_order"] = sees_order(outputs, scores)
    frame["undefined"] = (~np.isfinite(scores.values)).sum(axis=(1, 2))
    frame["scores"] = scores.values[0].size
    frame["undefined_as"] = scores.fill
    frame.attrs["not_computed"] = reasons
    frame.attrs["reference"] = list(REFERENCE)
    return frame


def sees_order(outputs: Outputs, scores: Scores) -> NDArray[np.bool_]:
    """By metric, whether it prefers errors by one class to as many errors by many classes.

    Tried on classes of equal size, where half of the lowest class and half of another one are
    taken for each other: the next class, or the highest. The class sizes in gold and output are
    the same in both, so that nothing but the distance can make the difference. Two classes have
    no order to see.
    """
    classes = len(outputs.classes)
    stack = np.stack([np.eye(classes), np.eye(classes)])
    for matrix, other in zip(stack, (1, classes - 1), strict=True):
        both = [0, other]
        matrix[np.ix_(both, both)] = 0.5
    found = score_stack(stack * ITEMS_A_CLASS, scores.metrics) * scores.signs[:, None]
    lead: NDArray[np.bool_] = found[:, 0] - found[:, 1] > RESOLUTION
    return lead


def _with_reference(outputs: Outputs, scores: Scores, own: pd.DataFrame) -> pd.DataFrame:
    """The scores and those of the reference metrics that nobody asked for."""
    others = [metric(name) for name in REFERENCE if name not in own.columns]
    if not others:
        return own
    values = score_counts(outputs.counts, others)
    return own.join(score_frame(values, [other.name for other in others], outputs))


def _fill(frame: pd.DataFrame, found: pd.DataFrame, name: str, ending: str) -> None:
    frame[name] = found[name]
    if f"low{ending}" in found:
        # A share cannot be negative; correlations can.
        floor = 0.0 if name == "power" else -1.0
        frame[f"{name}_low"] = found[f"low{ending}"].clip(lower=floor)
        frame[f"{name}_high"] = found[f"high{ending}"]
