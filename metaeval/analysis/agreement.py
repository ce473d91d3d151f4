"""Agreement: how often two metrics prefer the same one of two outputs (George et al. 2016)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from metaeval.analysis.inference import holm, sign_test, wilson
from metaeval.analysis.scores import Orientation, Undefined, signs
from metaeval.analysis.tallies import Counts, Tally, fills, lowest, needs_worst, tally
from metaeval.batch import Array
from metaeval.errors import InputError, unknown


@dataclass(frozen=True, eq=False)
class Counted:
    """Metrics, their counts over all pairs, and what undefined scores counted as."""

    metrics: tuple[str, ...]
    counts: Tally
    filled: Sequence[float | None]

    def shares(self) -> pd.DataFrame:
        """Share of pairs judged alike, metric by metric."""
        with np.errstate(invalid="ignore"):
            shares = self.counts["alike"] / self.counts["judged"]
        index = pd.Index(self.metrics, name="metric")
        return pd.DataFrame(shares, index=index, columns=pd.Index(self.metrics, name="other"))

    def pairs(self, level: float = 0.95) -> pd.DataFrame:
        """A row for every two metrics, with intervals."""
        rows, columns = np.triu_indices(len(self.metrics), 1)
        names = [(self.metrics[i], self.metrics[j]) for i, j in zip(rows, columns, strict=True)]
        alike, judged, lost = (self.counts[name] for name in ("alike", "judged", "lost"))
        frame = _shares(alike[rows, columns], judged[rows, columns], level)
        frame.index = pd.MultiIndex.from_tuples(names, names=["metric", "other"])
        # Pairs with an undefined score of either metric would need a third matrix; each is
        # bounded by what the metrics have on their own.
        return frame.assign(undefined=lost[rows], undefined_other=lost[columns])

    def with_reference(self, place: int, level: float = 0.95) -> pd.DataFrame:
        """A row for every metric but the reference: agreement with it."""
        others = [i for i in range(len(self.metrics)) if i != place]
        alike, judged = self.counts["alike"][place, others], self.counts["judged"][place, others]
        frame = _shares(alike, judged, level)
        frame.index = pd.Index([self.metrics[i] for i in others], name="metric")
        kept = np.ix_(others, others)
        missed = (self.counts["tried"] - self.counts["right"])[kept]
        frame["p"] = _against_best(frame["agreement"].to_numpy(), missed)
        frame["undefined"] = self.counts["lost"][others]
        words = ["pair left out" if fill is None else f"{fill:.6g}" for fill in self.filled]
        frame["undefined_as"] = [words[i] for i in others]
        return frame


def count(
    scores_a: pd.DataFrame,
    scores_b: pd.DataFrame,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
    reference: str | None = None,
) -> Counted:
    """Read two aligned score frames: row i of one is compared with row i of the other."""
    metrics = _aligned(scores_a, scores_b)
    if reference is not None and reference not in metrics:
        raise unknown("reference metric", reference, metrics)
    signed = signs(metrics, greater_is_better)
    values = np.stack([f.to_numpy(dtype=np.float64) for f in (scores_a, scores_b)])
    worst = lowest(values, signed) if needs_worst(undefined, metrics) else None
    filled = fills(undefined, metrics, signed, worst)
    place = None if reference is None else metrics.index(reference)
    return Counted(metrics, tally(values, signed, filled, place), filled)


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
    return count(scores_a, scores_b, undefined, greater_is_better).shares()


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
    found = count(scores_a, scores_b, undefined, greater_is_better, reference)
    if reference is None:
        return found.pairs(level)
    return found.with_reference(found.metrics.index(reference), level)


def _against_best(shares: Array, missed: Counts) -> Array:
    """`missed[i, j]` is how often i is right where j is tried and wrong."""
    if not len(shares) or np.isnan(shares).all():
        return np.full(len(shares), np.nan)
    best = int(np.nanargmax(shares))
    more, less = missed[best].astype(np.float64), missed[:, best].astype(np.float64)
    p = np.where(np.isnan(shares), np.nan, sign_test(more, less))
    p[best] = np.nan
    return holm(p)


def _shares(alike: Counts, judged: Counts, level: float) -> pd.DataFrame:
    with np.errstate(invalid="ignore"):
        share = alike / judged
    low, high = wilson(share, judged.astype(np.float64), level)
    return pd.DataFrame({"agreement": share, "low": low, "high": high, "pairs": judged})


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
