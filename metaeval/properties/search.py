"""The exhaustive search: all objects by number of items, then classes, then their own order.

Nothing smaller is left out before something larger is looked at, so the first violation is a
minimal one: no matrix with fewer items violates the property, and none with as many items and
fewer classes does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count as count_from
from time import monotonic

import numpy as np

from metaeval.properties.base import Bounds, Example, Judged, Property
from metaeval.properties.compositions import Counts, chunk, count
from metaeval.properties.subject import Matrix
from metaeval.properties.tables import Scorer

# Triples of label vectors are so many that a size beyond this is left out unless a budget is set.
MOST_TRIPLES = 1_000_000


class OutOfTime(Exception):  # noqa: N818  not an error: the budget is used up
    """Raised inside a level when the budget is used up."""


@dataclass
class Tally:
    """What a search has seen so far."""

    cases: int = 0
    undefined: int = 0
    failed: int = 0
    violation: Example | None = None
    first_undefined: Example | None = None
    first_failed: Example | None = None
    complete: list[tuple[int, int]] = field(default_factory=list)  # sizes done, (items, classes)
    left_out: bool = False  # whether a size within the bounds was passed over

    def add(self, judged: Sequence[Judged], scorer: Scorer) -> None:
        """Count the cases of a chunk, up to the first violation if there is one."""
        if not judged:
            return
        # Cases are ordered by the object they were made from, then by their place among its cases.
        keys = [j.where * len(judged) + turn for turn, j in enumerate(judged)]
        last = min(
            (
                int(k[j.violated].min())
                for k, j in zip(keys, judged, strict=True)
                if j.violated.any()
            ),
            default=None,
        )
        for key, part in zip(keys, judged, strict=True):
            counted = slice(None) if last is None else key <= last
            self.cases += part.where[counted].size
            self.undefined += int(part.undefined[counted].sum())
            self.failed += int(part.failed[counted].sum())
        if last is not None:
            self.violation = _pick(keys, judged, [k == last for k in keys], scorer)
        if self.first_undefined is None:
            self.first_undefined = _pick(keys, judged, [j.undefined for j in judged], scorer)
        if self.first_failed is None:
            self.first_failed = _pick(keys, judged, [j.failed for j in judged], scorer)


def _pick(
    keys: Sequence[np.ndarray],
    judged: Sequence[Judged],
    masks: Sequence[np.ndarray],
    scorer: Scorer,
) -> Example | None:
    """The first of the marked cases as plain data."""
    best: tuple[int, Judged, int] | None = None
    for key, part, mask in zip(keys, judged, masks, strict=True):
        if mask.any():
            at = int(np.flatnonzero(mask)[np.argmin(key[mask])])
            if best is None or key[at] < best[0]:
                best = int(key[at]), part, at
    if best is None:
        return None
    _, part, at = best
    return Example(
        scorer.subject,
        tuple(plain(matrices[..., at]) for matrices in part.matrices),
        tuple(float(score.values[at]) for score in part.scores),
    )


def plain(matrix: Counts) -> Matrix:
    """A matrix as tuples of ints."""
    return tuple(tuple(int(n) for n in row) for row in matrix)


def levels(property: Property, bounds: Bounds, endless: bool) -> Iterator[tuple[int, int]]:
    """Sizes (items, classes) to search, in order."""
    most = property.most_items
    stop = bounds.items if most is None else min(bounds.items, most)
    numbers = count_from(1) if endless and most is None else range(1, stop + 1)
    for items in numbers:
        for classes in range(property.fewest_classes, bounds.classes + 1):
            yield items, classes


def chunks(
    property: Property, items: int, classes: int, size: int, deadline: float | None
) -> Iterator[Counts]:
    """All objects of one size, as counts (K, ..., K, n)."""
    cells = classes**property.axes
    free = items - property.least * cells
    total = count(free, cells)
    for start in range(0, total, size):
        if deadline is not None and monotonic() > deadline:
            raise OutOfTime
        counts = chunk(free, cells, start, min(start + size, total))
        yield (counts + np.int16(property.least)).reshape(*[classes] * property.axes, -1)


def search(
    property: Property,
    scorer: Scorer,
    bounds: Bounds,
    deadline: float | None = None,
    endless: bool = False,
) -> Tally:
    """Judge all cases within the bounds until one violates the property or time is up.

    With `endless` the number of items grows until the deadline.
    """
    tally = Tally()
    try:
        for items, classes in levels(property, bounds, endless):
            if deadline is not None and monotonic() > deadline:
                break
            triples = count(items, classes**3) if property.axes == 3 else 0
            if triples > MOST_TRIPLES and deadline is None:
                tally.left_out = True
                continue
            if property.axes > 1:
                scorer.prepare(items, classes, deadline)
            objects = chunks(property, items, classes, scorer.subject.chunk, deadline)
            for judged in property.level(objects, scorer):
                tally.add(judged, scorer)
                if tally.violation is not None:
                    return tally
            tally.complete.append((items, classes))
    except OutOfTime:
        pass
    return tally
