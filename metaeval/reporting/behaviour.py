"""How metrics behave on outputs that everybody can picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

import generators
from metaeval.measures.registry import definitions, metric
from metaeval.measures.scoring import choose, score

SIZES = (3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30)
CLASSES = 11
# What the papers' figures show, and what people use by habit; the shortlist joins them.
SHOWN = ("mer", "mae", "mse", "r_int", "spearman", "kendall_tau_b", "oc", "uoc", "auoc", "cem_ord")


def shown(metrics: Sequence[str]) -> list[str]:
    """The metrics of the behaviour curves: those known of the papers' and the given ones."""
    return list(dict.fromkeys([*(m for m in SHOWN if m in definitions()), *metrics]))


def tridiagonal(metrics: Sequence[str]) -> pd.DataFrame:
    """Natural values on ones in three diagonals, by number of classes."""
    rows = {}
    for classes in SIZES:
        stack = generators.matrices(
            "tridiagonal", count=1, rng=np.random.SeedSequence(0), classes=classes
        )
        able = choose([m for m in metrics if _can(m, classes)])
        rows[classes] = score(stack, able).iloc[0]
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("classes")[list(metrics)]


def single(metrics: Sequence[str]) -> pd.DataFrame:
    """One item, by its distance to the diagonal: the share of the metric's range that is lost.

    Mean over all cells at that distance.
    """
    able = choose([m for m in metrics if _can(m, CLASSES)])
    rows = {}
    for distance in range(CLASSES):
        cells = [(r, c) for r in range(CLASSES) for c in range(CLASSES) if abs(r - c) == distance]
        stack = np.zeros((len(cells), CLASSES, CLASSES), dtype=np.int64)
        for place, (r, c) in enumerate(cells):
            stack[place, r, c] = 1
        rows[distance] = score(stack, able).mean()
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("distance")
    for scored in able:
        low, high = scored.range(CLASSES)
        best, worst = (high, low) if scored.greater_is_better else (low, high)
        frame[scored.name] = (best - frame[scored.name]) / (best - worst)
    return frame


def _can(name: str, classes: int) -> bool:
    most = metric(name).definition.max_classes
    return most is None or classes <= most


def decline(scores: pd.DataFrame, systems: Mapping[str, tuple[str, float]]) -> pd.DataFrame:
    """Mean score by metric, family of outputs and error ratio."""
    means = scores.groupby(level="system", sort=False).mean()
    means = means.rename_axis(columns=None).reset_index(names="system")
    frame = means.melt("system", var_name="metric", value_name="score")
    frame["family"] = [systems[system][0] for system in frame["system"]]
    frame["ratio"] = [systems[system][1] for system in frame["system"]]
    return frame[["metric", "family", "ratio", "score"]]
