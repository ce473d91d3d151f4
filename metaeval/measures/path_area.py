"""AUOC: the area under UOC over beta, by the exact breakpoints of its lower envelope.

For a fixed path UOC is a line in beta, so UOC itself is the lower envelope of lines: concave
and piecewise linear. Two lines are found at the ends of [0, 1]; where they meet, a cheaper path
either exists, and splits the interval, or does not, and the envelope is known there.
"""

from __future__ import annotations

import numpy as np

from metaeval.batch import TINY, Array, Batch
from metaeval.measures.path import uniform_terms
from metaeval.measures.registry import register

# A line that undercuts the known ones by less adds less than this to the area.
NEGLIGIBLE = 1e-14


def _tangent(worth: Array, detour: Array, beta: Array) -> tuple[Array, Array]:
    """Cost of the cheapest path at each matrix's beta, and the slope of that path in beta."""
    classes = len(worth)
    cost = beta * detour - worth
    value = np.add.accumulate(cost[0], axis=0)
    slope = np.add.accumulate(detour[0], axis=0)
    for r in range(1, classes):
        upper = value[1:] <= value[:-1]
        entering = np.where(upper, value[1:], value[:-1])
        carried = np.where(upper, slope[1:], slope[:-1])
        value[0] += cost[r, 0]
        slope[0] += detour[r, 0]
        for c in range(1, classes):
            left = value[c - 1] < entering[c - 1]
            value[c] = np.where(left, value[c - 1], entering[c - 1]) + cost[r, c]
            slope[c] = np.where(left, slope[c - 1], carried[c - 1]) + detour[r, c]
    return 1 + value[-1], slope[-1]


def envelope_area(worth: Array, detour: Array) -> Array:
    """Area below the envelope over beta in [0, 1]; worth and detour are (K, K, n)."""
    size = worth.shape[-1]
    area = np.zeros(size)
    owner = np.arange(size)
    low, high = np.zeros(size), np.ones(size)
    low_value, low_slope = _tangent(worth, detour, low)
    high_value, high_slope = _tangent(worth, detour, high)
    while len(owner):
        # Where the lines of the two ends meet; parallel ones are the same line, met anywhere.
        turn = low_slope - high_slope
        gap = high_value - low_value - high_slope * (high - low)
        with np.errstate(all="ignore"):
            meet = np.where(turn > NEGLIGIBLE, low + gap / turn, (low + high) / 2)
        meet = np.clip(meet, low, high)
        line = np.minimum(
            low_value + low_slope * (meet - low), high_value + high_slope * (meet - high)
        )
        value, slope = _tangent(worth[..., owner], detour[..., owner], meet)
        inside = (meet > low) & (meet < high)
        split = inside & (turn > NEGLIGIBLE) & (value < line - NEGLIGIBLE)
        done = ~split
        left = (low_value + np.minimum(value, line)) * (meet - low)
        right = (np.minimum(value, line) + high_value) * (high - meet)
        area += np.bincount(owner[done], ((left + right) / 2)[done], minlength=size)
        owner, low, low_value, low_slope, high, high_value, high_slope = (
            np.concatenate([first[split], second[split]])
            for first, second in (
                (owner, owner),
                (low, meet),
                (low_value, value),
                (low_slope, slope),
                (meet, high),
                (value, high_value),
                (slope, high_slope),
            )
        )
    return area


@register(
    takes="batch",
    family="path",
    greater_is_better=False,
    range=(0, 1),
    paper="Silva, Pinto & Cardoso",
    year=2018,
    equation="eq. 23",
    meaning="area under UOC over beta from 0 to 1: no beta to choose",
    formula=r"\int_0^1 \text{uoc}(\beta)\, d\beta \quad (\gamma = 1)",
)
def auoc(batch: Batch) -> Array:
    shares = batch.counts / np.maximum(batch.rows, TINY)[:, None]
    penalty, benefit = uniform_terms(batch, shares, 1.0)
    index = np.arange(batch.classes)
    steps = np.abs(index[:, None] - index[None, :])[:, :, None]
    return envelope_area(shares * benefit, shares * (steps * penalty))
