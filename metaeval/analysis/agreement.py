"""Agreement: how often two metrics prefer the same one of two outputs (George et al. 2016)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from metaeval.analysis.inference import holm, sign_test, wilson
from metaeval.analysis.scores import Orientation, Undefined, natural_fill, policies, signs, steps
from metaeval.batch import Array
from metaeval.errors import InputError, unknown


@dataclass(frozen=True, eq=False)
class Preferences:
    """What each metric says about each pair, all of shape (pairs, metrics).

    `first` is 1 where a metric prefers the first output or ties, `second` is 1 where it does
    not, and both are 0 where it has no opinion because a score is undefined and dropped.
    """

    metrics: tuple[str, ...]
    first: Array
    second: Array
    undefined: Array
    treatment: tuple[str, ...]

    @property
    def alike(self) -> Array:
        """Number of pairs on which two metrics say the same."""
        return self.first.T @ self.first + self.second.T @ self.second

    @property
    def judged(self) -> Array:
        """Number of pairs on which both metrics have an opinion."""
        both = self.first + self.second
        return both.T @ both


def preferences(
    scores_a: pd.DataFrame,
    scores_b: pd.DataFrame,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
) -> Preferences:
    """Read two aligned score frames: row i of one is compared with row i of the other."""
    metrics = _aligned(scores_a, scores_b)
    signed = signs(metrics, greater_is_better)
    values = np.stack([f.to_numpy(dtype=np.float64) for f in (scores_a, scores_b)]) * signed
    known = np.isfinite(values)
    lost = ~known.all(axis=0)
    treatment = []
    for column, policy in enumerate(policies(undefined, metrics)):
        if policy == "drop":
            treatment.append("pair left out")
            continue
        fill = natural_fill(policy, values[..., column][known[..., column]], signed[column])
        values[..., column][~known[..., column]] = signed[column] * fill
        known[..., column] = True
        treatment.append(f"{fill:.6g}")
    with np.errstate(invalid="ignore"):
        prefers = steps(values[0]) >= steps(values[1])
    opinion = known.all(axis=0)
    return Preferences(
        metrics=metrics,
        first=(prefers & opinion).astype(np.float64),
        second=(~prefers & opinion).astype(np.float64),
        undefined=lost.sum(axis=0),
        treatment=tuple(treatment),
    )


def agreement(
    scores_a: pd.DataFrame,
    scores_b: pd.DataFrame,
    *,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
) -> pd.DataFrame:
    """Share of pairs judged alike, metric by metric; row i of a is compared with row i of b.

    Two metrics judge a pair alike if both prefer the first output or tie, or neither does.
    `agreement_table` gives the same shares with intervals. `undefined` is as in `coverage`,
    where "drop" leaves out, for two metrics, the pairs that one of them has no opinion on.
    """
    found = preferences(scores_a, scores_b, undefined, greater_is_better)
    with np.errstate(invalid="ignore"):
        shares = found.alike / found.judged
    index = pd.Index(found.metrics, name="metric")
    return pd.DataFrame(shares, index=index, columns=pd.Index(found.metrics, name="other"))


def agreement_table(
    scores_a: pd.DataFrame,
    scores_b: pd.DataFrame,
    reference: str | None = None,
    *,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Agreement with Wilson's intervals: of any two metrics, or of each with a reference metric.

    With a reference, index metric; p is the Holm-adjusted p-value (McNemar's exact test) of the
    distance to the metric that agrees most. Without, index (metric, other).
    """
    found = preferences(scores_a, scores_b, undefined, greater_is_better)
    if reference is not None:
        return _with_reference(found, reference, level)
    rows, columns = np.triu_indices(len(found.metrics), 1)
    names = [(found.metrics[i], found.metrics[j]) for i, j in zip(rows, columns, strict=True)]
    frame = _shares(found.alike[rows, columns], found.judged[rows, columns], level)
    frame.index = pd.MultiIndex.from_tuples(names, names=["metric", "other"])
    # Pairs with an undefined score of either metric would need a third matrix; each is bounded
    # by what the metrics have on their own.
    lost = found.undefined
    return frame.assign(undefined=lost[rows], undefined_other=lost[columns])


def _with_reference(found: Preferences, reference: str, level: float) -> pd.DataFrame:
    if reference not in found.metrics:
        raise unknown("reference metric", reference, found.metrics)
    place = found.metrics.index(reference)
    others = [i for i in range(len(found.metrics)) if i != place]
    same = found.first * found.first[:, [place]] + found.second * found.second[:, [place]]
    judged = (found.first + found.second) * (found.first + found.second)[:, [place]]
    frame = _shares(same.sum(axis=0)[others], judged.sum(axis=0)[others], level)
    frame.index = pd.Index([found.metrics[i] for i in others], name="metric")
    frame["p"] = _against_best(same[:, others], judged[:, others])
    frame["undefined"] = found.undefined[others]
    frame["undefined_as"] = [found.treatment[i] for i in others]
    return frame


def _against_best(same: Array, judged: Array) -> Array:
    with np.errstate(invalid="ignore"):
        shares = same.sum(axis=0) / judged.sum(axis=0)
    if not len(shares) or np.isnan(shares).all():
        return np.full(len(shares), np.nan)
    best = int(np.nanargmax(shares))
    both = judged * judged[:, [best]]
    more = (both * same[:, [best]] * (1 - same)).sum(axis=0)
    less = (both * (1 - same[:, [best]]) * same).sum(axis=0)
    p = np.where(np.isnan(shares), np.nan, sign_test(more, less))
    p[best] = np.nan
    return holm(p)


def _shares(alike: Array, judged: Array, level: float) -> pd.DataFrame:
    with np.errstate(invalid="ignore"):
        share = alike / judged
    low, high = wilson(share, judged, level)
    return pd.DataFrame(
        {"agreement": share, "low": low, "high": high, "pairs": judged.astype(np.int64)}
    )


def _aligned(scores_a: pd.DataFrame, scores_b: pd.DataFrame) -> tuple[str, ...]:
    names = [tuple(str(c) for c in frame.columns) for frame in (scores_a, scores_b)]
    if names[0] != names[1]:
        raise InputError(f"the two score frames have other metrics: {_first_gap(*names)}")
    if len(scores_a) != len(scores_b):
        raise InputError(
            f"the first frame has {len(scores_a)} rows and the second {len(scores_b)}; "
            "row i of one is compared with row i of the other"
        )
    if scores_a.empty:
        raise InputError("the score frames hold nothing to compare")
    return names[0]


def _first_gap(one: tuple[str, ...], other: tuple[str, ...]) -> str:
    odd = [name for name in (*one, *other) if (name in one) != (name in other)]
    return f"{odd[0]!r} is in one only" if odd else "the columns stand in another order"
