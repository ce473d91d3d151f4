"""Which systems really differ: paired tests of all pairs, and groups that cannot be told apart."""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.analysis.inference import holm, no_difference
from metaeval.analysis.pairs import system_pairs
from metaeval.batch import Array
from metaeval.evaluation.bootstrap import Resamples
from metaeval.evaluation.leaderboard import ranking
from metaeval.evaluation.outputs import Outputs
from metaeval.evaluation.scores import Scores

ALPHA = 0.05


def pair_tests(outputs: Outputs, scores: Scores, resamples: Resamples | None) -> pd.DataFrame:
    """Index (metric, system, other), every two systems once: difference of values, p.

    All systems see the same resampled items, so that differences are paired. `p` is adjusted by
    Holm's method for all pairs under one metric; NaN without resamples.
    """
    first, second = system_pairs(len(outputs.systems))
    means = scores.means
    gaps = means[:, first] - means[:, second]
    p = np.full(gaps.shape, np.nan)
    if resamples is not None:
        for row, gap in enumerate(gaps):
            drawn = resamples.means[:, row]
            p[row] = holm(no_difference(gap, drawn[:, first] - drawn[:, second]))
    names = np.array(outputs.systems, dtype=object)
    index = pd.MultiIndex.from_arrays(
        [
            np.repeat(np.array(scores.names, dtype=object), len(first)),
            np.tile(names[first], len(gaps)),
            np.tile(names[second], len(gaps)),
        ],
        names=["metric", "system", "other"],
    )
    return pd.DataFrame({"difference": gaps.ravel(), "p": p.ravel()}, index=index)


def groups(outputs: Outputs, scores: Scores, pairs: pd.DataFrame) -> pd.DataFrame:
    """Index (metric, system), best first: rank, group, how many systems it beats and loses to.

    A group is a run of the ranking within which no two systems differ significantly, so systems
    that share a letter cannot be told apart. `beats` and `loses_to` count significant pairs.
    Without tests the letters are empty.
    """
    systems = len(outputs.systems)
    first, second = system_pairs(systems)
    p = pairs["p"].to_numpy().reshape(len(scores.metrics), -1)
    oriented = scores.oriented
    ranks = ranking(oriented)
    blocks = []
    for row, name in enumerate(scores.names):
        apart = np.zeros((systems, systems), dtype=np.bool_)
        apart[first, second] = p[row] < ALPHA
        apart |= apart.T
        order = np.argsort(ranks[row], kind="stable")
        tested = not np.isnan(p[row]).all()
        higher = oriented[row][:, None] > oriented[row]
        block = pd.DataFrame(
            {
                "rank": ranks[row],
                "group": "",
                "beats": (apart & higher).sum(axis=1),
                "loses_to": (apart & higher.T).sum(axis=1),
            },
            index=pd.MultiIndex.from_product([[name], outputs.systems], names=["metric", "system"]),
        ).iloc[order]
        if tested:
            block["group"] = letters(apart[np.ix_(order, order)])
        blocks.append(block)
    return pd.concat(blocks)


def letters(apart: NDArray[np.bool_]) -> list[str]:
    """Letters of systems in the order of their ranking, from who differs from whom."""
    size = len(apart)
    later = np.triu(apart, 1)
    nearest = np.where(later.any(axis=1), later.argmax(axis=1), size)
    # A run from i on ends before the first system that differs from any of its members.
    ends: Array = np.minimum.accumulate(nearest[::-1])[::-1]
    starts = np.flatnonzero(np.diff(ends, prepend=-1) > 0)
    found = [""] * size
    for number, start in enumerate(starts):
        for place in range(start, ends[start]):
            found[place] += _letter(number)
    return found


def _letter(number: int) -> str:
    """a to z, then a1 to z1 and so on."""
    turn, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn) if turn else "")
