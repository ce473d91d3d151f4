"""Means over repeated splits. The splits share items: errors are those of these data sets only."""

from __future__ import annotations

import numpy as np

from metaeval.batch import Array


def mean_and_error(values: Array) -> tuple[float, float]:
    """Mean over the splits and its standard error."""
    known = values[np.isfinite(values)]
    if not len(known):
        return np.nan, np.nan
    return float(known.mean()), deviation(known) / float(np.sqrt(len(known)))


def deviation(values: Array) -> float:
    """Standard deviation of the values that are defined."""
    known = values[np.isfinite(values)]
    return float(known.std(ddof=1)) if len(known) > 1 else np.nan


def reach_of(level: float, number: int) -> float:
    """Student's t for an interval of a mean of so many values."""
    from scipy.special import stdtrit

    return float(stdtrit(number - 1, (1 + level) / 2)) if number > 1 else np.nan
