"""Monotonicity, strict and weak: an output that comes nearer to gold must not lose by it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import numpy as np

from metaeval.properties.base import Cases, Example, Property, oriented
from metaeval.properties.compositions import Counts
from metaeval.properties.scores import Judgement, Values, should_exceed, should_reach
from metaeval.properties.subject import Subject


class Steps(Property):
    """One item of one class moves one class nearer to its gold class, on the same side.

    Single steps suffice: whatever several items may move, it is a chain of them, and the gold
    classes stay the same along the chain.
    """

    reference = "Amigo et al. 2020, property 2"
    premise = "no gold class is empty"
    ordered = True
    claim: str

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        classes = len(counts)
        no_gap = counts.any(axis=1).all(axis=0)
        for gold in range(classes):
            for here in range(classes):
                if here == gold:
                    continue
                nearer = here + 1 if here < gold else here - 1
                where = np.flatnonzero(no_gap & (counts[gold, here] > 0))
                before = counts[..., where]
                after = before.copy()
                after[gold, here] -= 1
                after[gold, nearer] += 1
                yield Cases(where, (before, after))

    @abstractmethod
    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement: ...

    def why(self, example: Example) -> str:
        before, after = map(np.array, example.matrices)
        (gold, here), (_, nearer) = np.argwhere(before > after)[0], np.argwhere(after > before)[0]
        return (
            f"an item of gold class {gold} moves from class {here} to class {nearer}, nearer to "
            f"its gold class, so the score should {self.claim}"
        )


class Monotonicity(Steps):
    """Coming nearer is rewarded."""

    name = "monotonicity"
    short = "mono"
    statement = "moving one item one class nearer to its gold class strictly improves the score"
    formal = r"m(A - E_{rc} + E_{rd}) > m(A) \quad (|c-d| = 1,\; |r-d| < |r-c|)"
    place = 20
    claim = "improve"

    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        before, after = oriented(subject, *scores)
        return should_exceed(after, before)


class WeakMonotonicity(Steps):
    """Coming nearer is not punished."""

    name = "weak-monotonicity"
    short = "weak"
    statement = "moving one item one class nearer to its gold class never makes the score worse"
    formal = r"m(A - E_{rc} + E_{rd}) \ge m(A) \quad (|c-d| = 1,\; |r-d| < |r-c|)"
    place = 21
    claim = "not get worse"

    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        before, after = oriented(subject, *scores)
        return should_reach(after, before)
