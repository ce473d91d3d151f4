"""Triangle inequality: an error that is a distance is never shorter by a detour."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from metaeval.properties.base import Bounds, Cases, Example, Property, everywhere
from metaeval.properties.compositions import Counts
from metaeval.properties.scores import Judgement, Values, should_reach
from metaeval.properties.subject import Code, Matrix, Subject


class TriangleInequality(Property):
    """Three label vectors a, b, c are a table of K x K x K counts, up to the order of the items."""

    name = "triangle-inequality"
    short = "tri"
    statement = "for an error d and any label vectors a, b, c: d(a, c) <= d(a, b) + d(b, c)"
    formal = r"d(a, c) \le d(a, b) + d(b, c)"
    reference = "Cardoso & Sousa 2011, appendix A"
    place = 70
    premise = "lower is better"
    axes = 3
    bounds = Bounds(4, 3)
    titles = ("from a to c", "from a to b", "from b to c")

    def applies(self, subject: Subject) -> str | None:
        return "the metric is not an error" if subject.greater_is_better else None

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        direct, first, second = (counts.sum(axis=a, dtype=counts.dtype) for a in (1, 2, 0))
        yield Cases(everywhere(counts), (direct, first, second))

    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        direct, first, second = scores
        return should_reach(first + second, direct)

    def present(self, example: Example) -> tuple[Any, Any, float, float | None]:
        direct, *detour = example.matrices
        return direct, tuple(detour), example.scores[0], sum(example.scores[1:])

    def why(self, example: Example) -> str:
        a, b, c = triple(example.matrices)
        return (
            f"with a = {a}, b = {b}, c = {c} the way from a to c should not be longer than "
            "the ways from a to b and from b to c together"
        )

    def python(self, code: Code, example: Example) -> str:
        direct, first, second = map(code.score, example.matrices)
        return code.line(direct, f"{first} + {second}")


def triple(matrices: tuple[Matrix, ...]) -> tuple[list[int], list[int], list[int]]:
    """Label vectors a, b, c whose confusion matrices (a, c), (a, b), (b, c) are given."""
    ac, ab, bc = (np.array(matrix) for matrix in matrices)
    found = _complete([], ac, ab, bc, 0)
    assert found is not None  # the matrices were made from such vectors
    return tuple(map(list, zip(*found, strict=True)))  # type: ignore[return-value]


def _complete(
    items: list[tuple[int, int, int]], ac: Any, ab: Any, bc: Any, start: int
) -> list[tuple[int, int, int]] | None:
    """Items (a, b, c) in ascending order that use up the three matrices, by backtracking."""
    if not ac.any():
        return items
    classes = len(ac)
    for code in range(start, classes**3):
        a, rest = divmod(code, classes * classes)
        b, c = divmod(rest, classes)
        if ac[a, c] and ab[a, b] and bc[b, c]:
            left = ac.copy(), ab.copy(), bc.copy()
            left[0][a, c] -= 1
            left[1][a, b] -= 1
            left[2][b, c] -= 1
            found = _complete([*items, (a, b, c)], *left, code)
            if found is not None:
                return found
    return None
