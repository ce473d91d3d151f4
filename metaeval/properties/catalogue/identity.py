"""Identity: the perfect output, and only it, is the best."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaeval.properties.base import Cases, Example, Property, oriented
from metaeval.properties.compositions import Counts
from metaeval.properties.scores import Judgement, Values, should_exceed
from metaeval.properties.subject import Subject


class Identity(Property):
    """Every other output for the same gold is compared with the perfect one.

    If all of them score strictly lower, the perfect output has the best score that can be had for
    this gold, and nothing else has it.
    """

    name = "identity"
    short = "ident"
    statement = (
        "the perfect output reaches the best score that is possible for its gold, and no other "
        "output does"
    )
    formal = r"m(G) > m(A) \quad \text{for every } A \ne G \text{ with the gold sizes of } G"
    reference = "Cardoso & Sousa 2011, section 3.3"
    place = 40
    ordered = True
    titles = ("output with errors", "perfect output")

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        classes = len(counts)
        index = np.arange(classes)
        sizes = counts.sum(axis=1, dtype=counts.dtype)
        where = np.flatnonzero((counts[index, index] != sizes).any(axis=0))
        perfect = np.zeros((classes, classes, len(where)), dtype=counts.dtype)
        perfect[index, index] = sizes[:, where]
        yield Cases(where, (counts[..., where], perfect))

    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        other, perfect = oriented(subject, *scores)
        return should_exceed(perfect, other)

    def why(self, example: Example) -> str:
        return "the first output has errors and the second has none, so the second should be better"
