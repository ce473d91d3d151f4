"""The leaderboard: every system under every metric, with intervals and what was undefined."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.analysis.inference import interval
from metaeval.analysis.scores import steps
from metaeval.batch import Array
from metaeval.evaluation.bootstrap import Resamples
from metaeval.evaluation.outputs import Outputs
from metaeval.evaluation.scores import Scores


def leaderboard(
    outputs: Outputs, scores: Scores, resamples: Resamples | None, level: float
) -> pd.DataFrame:
    """Index (metric, system), best first: rank, value, low, high, pooled, undefined scores.

    `value` is the mean over the cases, `pooled` the score of all items together. `undefined`
    counts the cases on which the score is not defined, `undefined_as` is what it counts as
    there, `undefined_resampled` the share of such scores among the resamples.
    """
    means = scores.means
    blank = np.full(means.shape, np.nan)
    low, high, share = blank, blank, blank
    if resamples is not None:
        low, high = _limits(outputs, scores, resamples, level)
        share = resamples.undefined.mean(axis=0) / len(outputs.cases)
    ranks = ranking(scores.oriented)
    columns = {
        "rank": ranks,
        "value": means,
        "low": low,
        "high": high,
        "pooled": scores.pooled,
        "undefined": (~np.isfinite(scores.values)).sum(axis=1),
        "undefined_as": np.broadcast_to(scores.fill[:, None], means.shape),
        "undefined_resampled": share,
    }
    index = pd.MultiIndex.from_product([scores.names, outputs.systems], names=["metric", "system"])
    frame = pd.DataFrame({name: value.ravel() for name, value in columns.items()}, index=index)
    place = np.repeat(np.arange(len(means)), means.shape[1])
    return frame.iloc[np.lexsort((frame["rank"], place))]


def ranking(oriented: Array) -> NDArray[np.int64]:
    """Ranks (metrics, systems) from 1, the best; equal systems share the better rank."""
    rounded = steps(oriented)
    ordered = np.sort(-rounded, axis=1)
    rows = [np.searchsorted(o, -r) for o, r in zip(ordered, rounded, strict=True)]
    return np.stack(rows) + 1


def _limits(
    outputs: Outputs, scores: Scores, resamples: Resamples, level: float
) -> tuple[Array, Array]:
    """Intervals that stay within what each metric can reach."""
    low, high = interval(scores.means, resamples.means, level, np.inf)
    ends = np.array([metric.range(len(outputs.classes)) for metric in scores.metrics])
    least, most = ends[:, :1], ends[:, 1:]
    return np.clip(low, least, most), np.clip(high, least, most)
