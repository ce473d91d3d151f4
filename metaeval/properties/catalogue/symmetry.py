"""Symmetry: gold and output can change places."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaeval.properties.base import Cases, Example, Property, everywhere
from metaeval.properties.compositions import Counts
from metaeval.properties.scores import Judgement, Values, should_equal
from metaeval.properties.subject import Subject


class Symmetry(Property):
    """The transposed matrix is that of the same items with the two label vectors exchanged."""

    name = "symmetry"
    short = "sym"
    statement = "exchanging gold and output (transposing the matrix) changes nothing"
    formal = r"m(A^\top) = m(A)"
    reference = "Cardoso & Sousa 2011, section 3.3"
    place = 50

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        turned = np.ascontiguousarray(counts.swapaxes(0, 1))
        yield Cases(everywhere(counts), (counts, turned))

    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        return should_equal(*scores)

    def why(self, example: Example) -> str:
        return "gold and output change places, so the score should stay the same"
