"""Invariance to sample size and to class sizes: the same behaviour on more items of a kind."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaeval.properties.base import Bounds, Cases, Example, Property, everywhere
from metaeval.properties.compositions import Counts
from metaeval.properties.scores import Judgement, Values, should_equal
from metaeval.properties.subject import Subject

TIMES = (2, 3)


class SampleSizeInvariance(Property):
    """Every item occurs several times."""

    name = "sample-size-invariance"
    short = "sample"
    statement = "multiplying the whole matrix by 2 or 3 changes nothing"
    formal = r"m(t A) = m(A) \quad (t = 2, 3)"
    reference = "Silva, Pinto & Cardoso 2018"
    place = 60
    wide = True
    bounds = Bounds(6, 4)

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        for times in TIMES:
            yield Cases(everywhere(counts), (counts, counts * np.int16(times)))

    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        return should_equal(*scores)

    def why(self, example: Example) -> str:
        before, after = map(np.array, example.matrices)
        return (
            f"every item is repeated {after.sum() // before.sum()} times, so all shares are the "
            "same and the score should be too"
        )


class ClassSizeInvariance(Property):
    """Every item of one gold class occurs several times."""

    name = "class-size-invariance"
    short = "class"
    statement = "multiplying one gold class (row) by 2 or 3 changes nothing"
    formal = (
        r"m(A') = m(A), \quad a'_{rc} = t\, a_{rc} \text{ in one row } r, \text{ else } "
        r"a_{rc} \quad (t = 2, 3)"
    )
    reference = "Silva, Pinto & Cardoso 2018, classifiers D and F"
    place = 61
    wide = True
    bounds = Bounds(6, 3)

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        for gold in range(len(counts)):
            where = np.flatnonzero(counts[gold].any(axis=0))
            before = counts[..., where]
            for times in TIMES:
                after = before.copy()
                after[gold] *= np.int16(times)
                yield Cases(where, (before, after))

    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        return should_equal(*scores)

    def why(self, example: Example) -> str:
        before, after = (np.array(matrix).sum(axis=1) for matrix in example.matrices)
        gold = int(np.argmax(after > before))
        return (
            f"every item of gold class {gold} is repeated {after[gold] // before[gold]} times, "
            "so each class is treated as before and the score should stay the same"
        )
