"""Reversal invariance: a scale read from its other end is the same scale."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaeval.properties.base import Cases, Example, Property, everywhere
from metaeval.properties.compositions import Counts
from metaeval.properties.scores import Judgement, Values, should_equal
from metaeval.properties.subject import Subject


class ReversalInvariance(Property):
    """Class c becomes class K - 1 - c in gold and output."""

    name = "reversal-invariance"
    short = "rev"
    statement = "reversing the order of the classes changes nothing"
    formal = r"m(A') = m(A), \quad a'_{rc} = a_{K+1-r,\, K+1-c}"
    reference = "convention: neither end of a scale is special"
    place = 51

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        turned = np.ascontiguousarray(counts[::-1, ::-1])
        yield Cases(everywhere(counts), (counts, turned))

    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        return should_equal(*scores)

    def why(self, example: Example) -> str:
        return (
            "the scale is read from its other end in gold and output alike, so the score should "
            "stay the same"
        )
