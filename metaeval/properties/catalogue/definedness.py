"""Definedness: is there a score on a single item, a constant output, a scale with a gap in gold?"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import numpy as np

from metaeval.properties.base import Bounds, Cases, Example, Property, everywhere
from metaeval.properties.compositions import Counts
from metaeval.properties.scores import Judgement, Values, should_exist
from metaeval.properties.subject import Subject


class Defined(Property):
    """One matrix a case, which must have a score."""

    reference = "Cardoso & Sousa 2011, section 3.2"
    titles = ("matrix",)

    @abstractmethod
    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]: ...

    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        return should_exist(*scores)


class SingleItem(Defined):
    """N = 1, right or wrong."""

    name = "single-item"
    short = "single"
    statement = "a single item has a score"
    formal = r"N = 1 \;\Rightarrow\; m(A) \text{ is defined}"
    place = 80
    most_items = 1
    bounds = Bounds(1, 8)
    sampled = False

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        yield Cases(everywhere(counts), (counts,))

    def why(self, example: Example) -> str:
        return "there is one item, and its score should be a number"


class ConstantOutput(Defined):
    """Gold sizes are enumerated, and each class in turn is the output.

    All gold classes occur, so only the output can be the reason for a missing score.
    """

    name = "constant-output"
    short = "const"
    statement = "an output that gives every item the same class has a score"
    formal = r"a_{\cdot c} = N \text{ for some } c \;\Rightarrow\; m(A) \text{ is defined}"
    place = 81
    premise = "no gold class is empty"
    axes = 1
    least = 1
    bounds = Bounds(10, 5)

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        classes = len(counts)
        for output in range(classes):
            matrices = np.zeros((classes, classes, counts.shape[1]), dtype=counts.dtype)
            matrices[:, output] = counts
            yield Cases(everywhere(counts), (matrices,))

    def why(self, example: Example) -> str:
        return "every item is given the same class, and the score should be a number"


class AbsentClass(Defined):
    """Apart from the gap nothing is degenerate, so only the gap can be the reason."""

    name = "absent-class"
    short = "absent"
    statement = "a gold standard in which a class of the scale does not occur has a score"
    formal = r"a_{r\cdot} = 0 \text{ for some } r \;\Rightarrow\; m(A) \text{ is defined}"
    place = 82
    premise = "gold and output have at least two classes each"
    fewest_classes = 3

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        gold = (counts.any(axis=1)).sum(axis=0)
        output = (counts.any(axis=0)).sum(axis=0)
        where = np.flatnonzero((gold >= 2) & (gold < len(counts)) & (output >= 2))
        yield Cases(where, (counts[..., where],))

    def why(self, example: Example) -> str:
        absent = np.flatnonzero(~np.array(example.matrices[0]).any(axis=1))
        return f"class {absent[0]} has no gold item, and the score should be a number"
