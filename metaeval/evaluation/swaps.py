"""Where the choice of the metric changes who is better, and the matrix cells behind it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metaeval.analysis.pairs import differences, system_pairs
from metaeval.analysis.rank_correlation import rank_correlation
from metaeval.analysis.scores import RESOLUTION, Undefined
from metaeval.batch import Array
from metaeval.evaluation.outputs import Outputs
from metaeval.evaluation.scores import Scores
from metaeval.measures.metric import Metric
from metaeval.measures.scoring import score_stack

# So many swaps are listed and explained, with so many cells each.
MOST_SWAPS = 20
MOST_CELLS = 3

# Items added to a cell to see how a score changes: small beside 1, large beside rounding.
NUDGE = 1e-3


def swaps(
    outputs: Outputs, scores: Scores, pairs: pd.DataFrame, alike: pd.DataFrame
) -> pd.DataFrame:
    """Pairs of systems that metrics order in opposite ways, the strongest contradictions first.

    `metric` prefers `system` and `against` prefers `other`; of all metrics these two contradict
    each other most. The strength is the smaller of the two differences, each in standard
    deviations of the metric's differences over all pairs of systems. `p` and `p_against` are the
    Holm-adjusted p-values. `cells` are what `metric` rewards `system` for, as
    "gold→predicted: items of system / items of other (gain)"; `cells_against` what `against`
    rewards `other` for. Metrics that rank the systems against most others (by `alike`, the frame
    of `agreement`) would contradict in every pair, and those with undefined scores because of
    what these count as; both take no part, the former are named in `attrs`.
    """
    contrary = contrary_metrics(alike)
    doubtful = ~np.isfinite(scores.values).all(axis=(1, 2)) | np.isin(scores.names, contrary)
    first, second = system_pairs(len(outputs.systems))
    gaps = differences(scores.oriented) * RESOLUTION
    p = pairs["p"].to_numpy().reshape(gaps.shape)
    spread = gaps.std(axis=1, keepdims=True) if gaps.size else np.ones((len(gaps), 1))
    relative = gaps / np.where(spread > 0, spread, 1.0)
    relative[doubtful] = 0.0
    strength = np.minimum(relative.max(axis=0), -relative.min(axis=0))
    order = np.argsort(-strength, kind="stable")
    rows = []
    for place in order[strength[order] > 0][:MOST_SWAPS]:
        one, two = int(first[place]), int(second[place])
        pro, contra = int(relative[:, place].argmax()), int(relative[:, place].argmin())
        rows.append(
            {
                "system": outputs.systems[one],
                "other": outputs.systems[two],
                "metric": scores.names[pro],
                "against": scores.names[contra],
                "difference": float(gaps[pro, place]),
                "difference_against": float(gaps[contra, place]),
                "p": float(p[pro, place]),
                "p_against": float(p[contra, place]),
                "strength": float(strength[place]),
                "cells": _cells(outputs, one, two, scores.metrics[pro]),
                "cells_against": _cells(outputs, two, one, scores.metrics[contra]),
            }
        )
    frame = pd.DataFrame(rows, columns=_COLUMNS)
    frame.attrs["contrary"] = contrary
    frame.attrs["pairs"] = len(first)
    frame.attrs["swapped"] = int(np.count_nonzero(strength > 0))
    return frame


_COLUMNS = [
    *("system", "other", "metric", "against", "difference", "difference_against"),
    *("p", "p_against", "strength", "cells", "cells_against"),
]


def agreement(outputs: Outputs, scores: Scores, undefined: Undefined) -> pd.DataFrame:
    """Index (metric, other): Kendall's tau-b of the two rankings, and how many pairs they swap."""
    frame = rank_correlation(scores.frame(outputs), undefined=undefined, replicates=0)
    sign = np.sign(differences(scores.oriented))
    opposite = (np.abs(sign) @ np.abs(sign).T - sign @ sign.T) / 2
    rows, columns = np.triu_indices(len(sign), 1)
    frame["swapped"] = np.rint(opposite[rows, columns]).astype(np.int64)
    return frame


def contrary_metrics(alike: pd.DataFrame) -> list[str]:
    """Metrics with a negative tau to most other metrics; among few metrics, none is."""
    tau = alike["tau"].unstack()
    names = list(dict.fromkeys([*tau.index, *tau.columns]))
    square = tau.reindex(index=names, columns=names)
    negative = (square.combine_first(square.T) < 0).sum(axis=1)[names]
    return [name for name in names if 3 <= len(names) - 1 < 2 * negative[name]]


def contributions(counts: Array, others: Array, metric: Metric) -> Array:
    """What each cell (gold, predicted) adds to the lead of one system over another, (K, K).

    For counts (cases, K, K) of both. To first order, halfway between the two: how the score
    changes when an item of the gold class moves from the right class to this cell, times the
    items that the system has more there, as a mean over cases; higher is better. The
    sum over all cells is about the difference of the mean scores.
    """
    cases, classes = counts.shape[:2]
    cells = classes * classes
    middle = (counts + others) / 2
    nudges = np.eye(cells).reshape(cells, classes, classes) * NUDGE
    stack = np.concatenate([middle[:, None], middle[:, None] + nudges], axis=1)
    found = metric.oriented(score_stack(stack, [metric])[0].reshape(cases, cells + 1))
    slope = ((found[:, 1:] - found[:, :1]) / NUDGE).reshape(cases, classes, classes)
    # Both systems have the same gold labels, so that within a row only differences matter.
    slope = slope - np.diagonal(slope, axis1=1, axis2=2)[:, :, None]
    parts: Array = np.nan_to_num(slope * (counts - others)).mean(axis=0)
    return parts


def _cells(outputs: Outputs, system: int, other: int, metric: Metric) -> str:
    """The cells that speak most for a system, in words."""
    both = outputs.counts[:, system].astype(float), outputs.counts[:, other].astype(float)
    parts = contributions(*both, metric).ravel()
    items, others = (counts.sum(axis=0).ravel() for counts in both)
    words = []
    for place in np.argsort(-parts, kind="stable")[:MOST_CELLS]:
        if parts[place] <= RESOLUTION:
            break
        gold, predicted = (outputs.classes[i] for i in divmod(int(place), len(outputs.classes)))
        words.append(
            f"{gold}→{predicted}: {items[place]:.0f} / {others[place]:.0f} (+{parts[place]:.3g})"
        )
    return "; ".join(words)
