"""What metrics say about pairs of outputs, counted: whole numbers that can be added up.

Counts of parts of the pairs, added in any order, are the counts of all of them to the last
digit, so that agreement needs no more memory than one part.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metaeval.analysis.scores import Undefined, natural_fill, policies, steps
from metaeval.batch import Array, Mask

# Pairs counted at a time. Sums of so few ones are exact in single precision.
BLOCK = 1 << 15

Counts = NDArray[np.int64]
Tally = dict[str, Counts]


def lowest(scores: Array, signed: Array) -> Array:
    """By metric the worst defined score, oriented, of scores (2, pairs, metrics); inf if none."""
    values = scores * signed
    worst: Array = np.where(np.isfinite(values), values, np.inf).min(axis=(0, 1), initial=np.inf)
    return worst


def fills(
    undefined: Undefined, metrics: Sequence[str], signed: Array, worst: Array | None
) -> list[float | None]:
    """The natural value that an undefined score of each metric counts as; None leaves it out."""
    found: list[float | None] = []
    for place, policy in enumerate(policies(undefined, metrics)):
        known = np.empty(0) if worst is None else worst[place : place + 1]
        known = known[np.isfinite(known)]
        found.append(None if policy == "drop" else natural_fill(policy, known, signed[place]))
    return found


def needs_worst(undefined: Undefined, metrics: Sequence[str]) -> bool:
    """Whether the worst scores must be known before anything can be counted."""
    return "worst" in policies(undefined, metrics)


def tally(
    scores: Array, signed: Array, filled: Sequence[float | None], reference: int | None = None
) -> Tally:
    """Counts for natural scores of shape (2, pairs, metrics).

    By two metrics: `alike`, the pairs on which they say the same, and `judged`, those on which
    both have an opinion. By metric: `lost`, the pairs with an undefined score, and `missing`,
    the undefined scores. With a reference metric, by two metrics: `right`, where both say what it
    says, and `tried`, where the first does and the second has an opinion.
    """
    number = scores.shape[-1]
    total: Tally = {name: np.zeros((number, number), np.int64) for name in ("alike", "judged")}
    total |= {name: np.zeros(number, np.int64) for name in ("lost", "missing")}
    if reference is not None:
        total |= {name: np.zeros((number, number), np.int64) for name in ("right", "tried")}
    for start in range(0, scores.shape[1], BLOCK):
        part = scores[:, start : start + BLOCK]
        add(total, _block(part * signed, signed, filled, reference))
        total["missing"] += np.isnan(part).sum(axis=(0, 1))
    return total


def add(total: Tally, more: Tally) -> None:
    """Add counts to counts."""
    for name, counts in more.items():
        total[name] += counts


def _block(
    values: Array, signed: Array, filled: Sequence[float | None], reference: int | None
) -> Tally:
    known = np.isfinite(values)
    lost = ~known.all(axis=0)
    for column, fill in enumerate(filled):
        if fill is not None:
            values[..., column][~known[..., column]] = signed[column] * fill
            known[..., column] = True
    with np.errstate(invalid="ignore"):
        prefers = steps(values[0]) >= steps(values[1])
    opinion: Mask = np.all(known, axis=0)
    first = (prefers & opinion).astype(np.float32)
    second = (~prefers & opinion).astype(np.float32)
    both = opinion.astype(np.float32)
    found = {
        "alike": _whole(first.T @ first) + _whole(second.T @ second),
        "judged": _whole(both.T @ both),
        "lost": lost.sum(axis=0),
    }
    if reference is not None:
        place = [reference]
        same = first * first[:, place] + second * second[:, place]
        judged = both * both[:, place]
        found |= {"right": _whole(same.T @ same), "tried": _whole(same.T @ judged)}
    return found


def _whole(counts: NDArray[np.float32]) -> Counts:
    return np.rint(counts).astype(np.int64)
