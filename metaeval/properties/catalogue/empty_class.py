"""Ordinal invariance and invariance to unused classes: an empty class must not matter."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaeval.properties.base import Bounds, Cases, Example, Property, everywhere
from metaeval.properties.compositions import Counts
from metaeval.properties.scores import Judgement, Values, should_equal
from metaeval.properties.subject import Matrix, Subject


def insert(counts: Counts, position: int) -> Counts:
    """The matrices with an empty class put in at `position` of the scale."""
    return np.insert(np.insert(counts, position, 0, axis=0), position, 0, axis=1)


def inserted(before: Matrix, after: Matrix) -> int:
    """Where `insert` put the empty class."""
    smaller, larger = np.array(before), np.array(after)
    places = range(len(larger))
    return next(p for p in places if np.array_equal(insert(smaller, p), larger))


class OrdinalInvariance(Property):
    """Only the order of the classes counts, not the distance between their numbers."""

    name = "ordinal-invariance"
    short = "ord-inv"
    statement = (
        "a strictly increasing relabelling changes nothing: an empty class between two classes, "
        "or labels with a gap, give the same score"
    )
    formal = r"m(A^{+j}) = m(A) \quad (1 \le j < K)"
    reference = "Amigo et al. 2020, property 1"
    place = 10
    added_classes = 1
    wide = True
    bounds = Bounds(6, 4)

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        # Any increasing relabelling by whole numbers is a chain of these insertions. A function of
        # labels alone can also see all of them shifted, which is an insertion at the lower end.
        first = 0 if subject.takes == "labels" else 1
        for position in range(first, len(counts)):
            yield Cases(everywhere(counts), (counts, insert(counts, position)))

    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        return should_equal(*scores)

    def why(self, example: Example) -> str:
        place = inserted(*example.matrices)
        if place == 0:
            done = "all labels are raised by 1"
        elif example.subject.takes == "labels":
            done = f"all labels from {place} on are raised by 1, so label {place} is left out"
        else:
            done = f"an empty class is put between classes {place - 1} and {place}"
        return f"{done}; the order of the items is the same, so the score should be too"


class UnusedClassInvariance(Property):
    """A class at the end of the scale that nobody uses must not matter."""

    name = "unused-class-invariance"
    short = "unused"
    statement = "an empty class appended at either end of the scale changes nothing"
    formal = r"m(A^{+0}) = m(A^{+K}) = m(A)"
    reference = "Cardoso & Sousa 2011"
    place = 11
    added_classes = 1
    wide = True
    bounds = OrdinalInvariance.bounds

    def applies(self, subject: Subject) -> str | None:
        if subject.takes == "labels":
            return (
                "a function of labels alone does not see the scale; shifted labels are part of "
                "ordinal-invariance"
            )
        return None

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        for position in (0, len(counts)):
            yield Cases(everywhere(counts), (counts, insert(counts, position)))

    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        return should_equal(*scores)

    def why(self, example: Example) -> str:
        end = "lower" if inserted(*example.matrices) == 0 else "upper"
        return (
            f"a class that neither gold nor output uses is added at the {end} end of the scale, "
            "so the score should stay the same"
        )
