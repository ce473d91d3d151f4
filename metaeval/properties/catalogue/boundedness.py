"""Boundedness: no score outside the range that the metric declares."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaeval.properties.base import Cases, Example, Property, everywhere
from metaeval.properties.compositions import Counts
from metaeval.properties.scores import Judgement, Values, better
from metaeval.properties.subject import Subject


def limits_of(subject: Subject, classes: int) -> tuple[float, float]:
    """The declared range, without limits if none is declared."""
    return subject.range(classes) or (-np.inf, np.inf)


class Boundedness(Property):
    """The range may depend on the number of classes."""

    name = "boundedness"
    short = "bound"
    statement = "every score lies within the declared range"
    formal = r"\ell_K \le m(A) \le u_K \quad \text{(natural scores)}"
    reference = "Cardoso & Sousa 2011, section 3.3"
    place = 41
    titles = ("matrix",)

    def applies(self, subject: Subject) -> str | None:
        return None if subject.range(2) else "the metric declares no range"

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        yield Cases(everywhere(counts), (counts,))

    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        (score,) = scores
        low, high = (np.full_like(score, limit) for limit in limits_of(subject, classes))
        return Judgement(better(low, score) | better(score, high), np.isnan(score))

    def why(self, example: Example) -> str:
        classes = len(example.matrices[0])
        low, high = limits_of(example.subject, classes)
        return (
            f"the declared range with {classes} classes is from {low:g} to {high:g}, "
            "so the score should lie within it"
        )
