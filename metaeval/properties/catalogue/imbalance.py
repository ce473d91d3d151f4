"""Imbalance: an error in a small class must cost more than the like error in a large one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaeval.properties.base import Bounds, Cases, Example, Property, oriented
from metaeval.properties.compositions import Counts
from metaeval.properties.scores import Judgement, Values, should_exceed
from metaeval.properties.subject import Subject


def one_error(sizes: Counts, source: int, target: int) -> Counts:
    """Perfect outputs but for one item of class `source` that is given class `target`."""
    classes = len(sizes)
    counts = np.zeros((classes, classes, sizes.shape[1]), dtype=sizes.dtype)
    counts[np.arange(classes), np.arange(classes)] = sizes
    counts[source, source] -= 1
    counts[source, target] += 1
    return counts


class Imbalance(Property):
    """The two outputs differ from a perfect one by a single item each."""

    name = "imbalance"
    short = "imb"
    statement = (
        "of three contiguous classes c1, c2, c3 with n(c1) > n(c3), one item of c1 given c2 "
        "scores strictly higher than one of c3 given c2"
    )
    formal = (
        r"m(G - E_{ii} + E_{ij}) > m(G - E_{kk} + E_{kj}) \quad (g_i > g_k,\; \{i, k\} = "
        r"\{j-1, j+1\})"
    )
    reference = "Amigo et al. 2020, property 3"
    place = 30
    premise = "no gold class is empty; the output is otherwise perfect"
    ordered = True
    axes = 1
    least = 1
    fewest_classes = 3
    bounds = Bounds(12, 6)
    titles = ("error in the larger class", "error in the smaller class")

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        for middle in range(1, len(counts) - 1):
            for large, small in ((middle - 1, middle + 1), (middle + 1, middle - 1)):
                where = np.flatnonzero(counts[large] > counts[small])
                sizes = counts[:, where]
                outputs = (one_error(sizes, large, middle), one_error(sizes, small, middle))
                yield Cases(where, outputs)

    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        large, small = oriented(subject, *scores)
        return should_exceed(large, small)

    def why(self, example: Example) -> str:
        first, second = map(np.array, example.matrices)
        (large, middle) = np.argwhere((first > 0) & ~np.eye(len(first), dtype=bool))[0]
        (small, _) = np.argwhere((second > 0) & ~np.eye(len(first), dtype=bool))[0]
        sizes = first.sum(axis=1)
        return (
            f"class {large} has {sizes[large]} items and class {small} only {sizes[small]}; an "
            f"item of class {large} given class {middle} is the lesser error, so the first output "
            "should score better than the second"
        )
