"""Violations made small: take away what is not needed for the property to fail."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaeval.properties.base import Property
from metaeval.properties.compositions import Counts
from metaeval.properties.tables import Scorer

TOGETHER = 64  # candidates that are tried at a time


def shrink(property: Property, scorer: Scorer, counts: Counts, patience: int) -> Counts:
    """Make an object smaller as long as one of its cases still violates the property.

    The result is a local minimum: without any one item or class it is no violation. (If the
    patience, a number of candidates, runs out before, it is what was reached.)
    """
    while patience > 0:
        for candidates in _smaller(property, counts):
            patience -= candidates.shape[-1]
            at = first_violating(property, scorer, candidates)
            if at is not None:
                counts = candidates[..., at]
                break
        else:
            return counts
    return counts


def first_violating(property: Property, scorer: Scorer, objects: Counts) -> int | None:
    """The first of the objects that has a violating case."""
    judged = property.judge(objects, scorer, clearly=True)
    found = [int(part.where[part.violated].min()) for part in judged if part.violated.any()]
    return min(found, default=None)


def _smaller(property: Property, counts: Counts) -> Iterator[Counts]:
    """Smaller objects of the same kind, bold steps first, as stacks of equal shape."""
    classes, axes, least = len(counts), property.axes, property.least
    if classes > property.fewest_classes:
        dropped = [_without(counts, gone, axes) for gone in range(classes)]
        yield from _stacks([part for part in dropped if part.any()])
        merged = [_merged(counts, low, axes) for low in range(classes - 1)]
        yield from _stacks(merged)
    half = np.maximum(counts // 2, least).astype(np.int16)
    if half.any() and (half < counts).any():
        yield half[..., None]
    places = [tuple(place) for place in np.argwhere(counts > least)]
    if counts.sum() > 1:
        for amount in ("all", "half", "one"):
            yield from _stacks(list(_taken(counts, places, amount, least)))


def _taken(
    counts: Counts, places: list[tuple[int, ...]], amount: str, least: int
) -> Iterator[Counts]:
    """The object with items taken from one cell, for each cell that has any to give."""
    for place in places:
        spare = int(counts[place]) - least
        take = {"all": spare, "half": spare // 2, "one": 1}[amount]
        if 0 < take < counts.sum():
            fewer = counts.copy()
            fewer[place] -= take
            yield fewer


def _without(counts: Counts, gone: int, axes: int) -> Counts:
    for axis in range(axes):
        counts = np.delete(counts, gone, axis=axis)
    return counts


def _merged(counts: Counts, low: int, axes: int) -> Counts:
    """Class `low` and the next one made into one."""
    keep = [c for c in range(len(counts)) if c != low + 1]
    for axis in range(axes):
        starts = np.array(keep)
        counts = np.add.reduceat(counts, starts, axis=axis)
    return counts.astype(np.int16)


def _stacks(objects: list[Counts]) -> Iterator[Counts]:
    for start in range(0, len(objects), TOGETHER):
        yield np.stack(objects[start : start + TOGETHER], axis=-1)
