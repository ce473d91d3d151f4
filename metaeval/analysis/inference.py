"""From estimates and their resamples to intervals, p-values and Holm's adjustment."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from metaeval.batch import Array

# A spread below this is what floating point leaves of resamples that are all the same.
STILL = 1e-12


def holm(p: Array) -> Array:
    """Holm's step-down adjustment of p-values; NaN takes no part and stays NaN."""
    p = np.asarray(p, dtype=np.float64)
    adjusted = np.full(p.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * factors))
    return adjusted


def interval(
    estimates: Array, replicates: Array, level: float, limit: float = 1.0
) -> tuple[Array, Array]:
    """Percentile interval along the first axis, moved so that the resamples' mean is the estimate.

    A resample holds fewer different cases or systems than the sample, which lowers every
    correlation a little; unmoved, the interval can miss the estimate itself. The interval says
    how the same number would vary on other samples of the same size. Resamples without a value
    take no part, and the ends stay within what the number can reach, -limit to limit.
    """
    tail = (1 - level) / 2
    blank = np.isnan(replicates).all(axis=0) | np.isnan(estimates)
    filled = np.where(blank, 0.0, replicates)
    low, high = np.nanquantile(filled, [tail, 1 - tail], axis=0)
    shift = estimates - np.nanmean(filled, axis=0)
    limits = (np.where(blank, np.nan, np.clip(end + shift, -limit, limit)) for end in (low, high))
    return next(limits), next(limits)


def no_difference(estimates: Array, replicates: Array) -> Array:
    """Two-sided p-values of "the difference is zero", with the resamples' standard deviation.

    By the normal distribution: counting resamples beyond zero cannot give a p-value below
    2/(replicates + 1), which Holm's adjustment over many metrics would multiply past any level.
    Metrics that never differ have p-value 1; NaN if the resamples do not vary otherwise.
    """
    from scipy.special import ndtr

    blank = (~np.isnan(replicates)).sum(axis=0) < 2
    spread = np.nanstd(np.where(blank, 0.0, replicates), axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        p: Array = 2 * ndtr(-np.abs(estimates) / spread)
    still = spread < STILL
    same = still & (np.abs(estimates) < STILL)
    p = np.where(same, 1.0, np.where(still, np.nan, p))
    return np.where(blank, np.nan, p)


def against_best(estimates: Array, replicates: Array) -> Array:
    """Holm-adjusted p-value of each metric's distance to the best one; NaN for the best."""
    p = np.full(estimates.shape, np.nan)
    if np.isnan(estimates).all():
        return p
    best = int(np.nanargmax(estimates))
    others = np.flatnonzero((np.arange(len(estimates)) != best) & ~np.isnan(estimates))
    p[others] = no_difference(
        estimates[best] - estimates[others], replicates[:, [best]] - replicates[:, others]
    )
    return holm(p)


def wilson(share: Array, number: Array, level: float) -> tuple[Array, Array]:
    """Wilson's interval of a share out of so many independent trials; NaN without trials."""
    from scipy.special import ndtri

    z = float(ndtri((1 + level) / 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = 1 + z * z / number
        middle = (share + z * z / (2 * number)) / spread
        half = z / spread * np.sqrt(share * (1 - share) / number + z * z / (4 * number**2))
    return np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)


def sign_test(more: Array, less: Array) -> Array:
    """Exact two-sided p-values of `more` against `less` (McNemar's test); 1 where both are 0."""
    from scipy.special import bdtr

    total = np.asarray(more + less).astype(np.int64)
    tail = bdtr(np.minimum(more, less), np.maximum(total, 1), 0.5)
    p: Array = np.where(total > 0, np.minimum(1.0, 2 * tail), 1.0)
    return p


def pairwise(
    metrics: tuple[str, ...], estimates: Array, samples: dict[str, Array], level: float
) -> pd.DataFrame:
    """All differences between two metrics, with intervals and Holm-adjusted p-values.

    `samples` maps the ending of the columns' names to resamples of shape (replicates, metrics).
    """
    places = list(combinations(range(len(metrics)), 2))
    first, second = np.array(places, dtype=np.intp).reshape(-1, 2).T
    names = [(metrics[i], metrics[j]) for i, j in places]
    gaps = estimates[first] - estimates[second]
    frame = pd.DataFrame(
        {"difference": gaps}, index=pd.MultiIndex.from_tuples(names, names=["metric", "other"])
    )
    for ending, replicates in samples.items():
        distances = replicates[:, first] - replicates[:, second]
        frame[f"low{ending}"], frame[f"high{ending}"] = interval(gaps, distances, level, 2.0)
        frame[f"p{ending}"] = holm(no_difference(gaps, distances))
    return frame
