"""Scores by the number of a matrix: each matrix is scored once, every later use is a look-up.

A property compares the scores of neighbours, so the same small matrix is needed dozens of times
by a dozen properties. All matrices of N items and K classes are scored in one sweep into an array
that is indexed by the matrix's number in the enumeration.
"""

from __future__ import annotations

from time import monotonic

import numpy as np

from metaeval.properties.compositions import Counts, chunk, count, rank
from metaeval.properties.scores import Scores
from metaeval.properties.subject import Subject


class Scorer:
    """Scores a subject's matrices, from a table where there is one."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._tables: dict[tuple[int, int], Scores] = {}

    def prepare(self, items: int, classes: int, deadline: float | None = None) -> None:
        """Score all matrices of this size in advance, unless they are too many or time is short."""
        total = count(items, classes**2)
        if (items, classes) in self._tables or total > self.subject.table_limit:
            return
        if deadline is not None and monotonic() + total * self.subject.cost > deadline:
            return
        table = Scores(np.empty(total), np.empty(total, dtype=np.bool_))
        for start in range(0, total, self.subject.chunk):
            stop = min(start + self.subject.chunk, total)
            counts = chunk(items, classes**2, start, stop).reshape(classes, classes, -1)
            found = self.subject.evaluate(counts)
            table.values[start:stop] = found.values
            table.failed[start:stop] = found.failed
        self._tables[items, classes] = table

    def __call__(self, counts: Counts) -> Scores:
        """Scores of matrices (K, K, n) of any size."""
        classes = len(counts)
        if counts.shape[2] == 0:
            return Scores.sound(np.empty(0))
        items = int(counts[..., 0].sum())
        table = self._tables.get((items, classes))
        if table is not None:
            cells = counts.reshape(classes**2, -1)
            if (cells.sum(axis=0, dtype=np.int16) == items).all():
                places = rank(cells, items)
                return Scores(table.values[places], table.failed[places])
        return self.subject.evaluate(counts)
