"""What a property is: objects to enumerate, cases to make of them, and what their scores must do.

A property is a class with a name, a statement and two methods. `cases` turns a chunk of enumerated
objects into the matrices whose scores are compared; `compare` says which comparisons fail. The
search, the random search, shrinking and reporting need nothing else, so a new property is one
small file in `metaeval/properties/catalogue/`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metaeval.properties.compositions import Counts
from metaeval.properties.scores import Judgement, Mask, Scores, Values
from metaeval.properties.subject import Code, Matrix, Subject
from metaeval.properties.tables import Scorer

Places = NDArray[np.int64]


@dataclass(frozen=True)
class Bounds:
    """All objects with at most so many items and classes."""

    items: int
    classes: int


@dataclass(frozen=True)
class Cases:
    """Matrices to compare, case by case: each array is (K, K, cases)."""

    where: Places  # the column of the chunk that a case was made from
    matrices: tuple[Counts, ...]


@dataclass(frozen=True)
class Judged:
    """Cases with their scores and the verdict on each."""

    where: Places
    matrices: tuple[Counts, ...]
    scores: tuple[Scores, ...]
    violated: Mask
    undefined: Mask
    failed: Mask


@dataclass(frozen=True)
class Example:
    """One case as plain data: what a property's sentences are made from."""

    subject: Subject
    matrices: tuple[Matrix, ...]
    scores: tuple[float, ...]


class Property(ABC):
    """A formal property of metrics that a finite search can refute."""

    name: ClassVar[str]
    statement: ClassVar[str]
    formal: ClassVar[str]  # the statement in LaTeX, with the letters of docs/properties.md
    reference: ClassVar[str]
    short: ClassVar[str]  # heads its column in wide tables
    place: ClassVar[int]  # where tables list it
    premise: ClassVar[str] = "none"

    # What is enumerated: counts over K^axes cells. 1: gold class sizes, 2: confusion matrices,
    # 3: triples of label vectors up to the order of the items.
    axes: ClassVar[int] = 2
    least: ClassVar[int] = 0  # every cell holds at least so many items
    fewest_classes: ClassVar[int] = 2
    most_items: ClassVar[int | None] = None  # if more items are never a case
    added_classes: ClassVar[int] = 0  # how many classes the transformation adds
    bounds: ClassVar[Bounds] = Bounds(7, 4)
    ordered: ClassVar[bool] = False  # it matters whether higher or lower is better
    wide: ClassVar[bool] = False  # compares sizes with other sizes: many more scores are needed
    sampled: ClassVar[bool] = True  # whether a random search beyond the bounds makes sense
    titles: ClassVar[tuple[str, ...]] = ("before", "after")  # of the matrices of a case

    def applies(self, subject: Subject) -> str | None:
        """None, or why the property says nothing about this metric."""
        return None

    @abstractmethod
    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        """The cases of a chunk of objects (K, ..., K, n), always in the same order."""

    @abstractmethod
    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        """Which cases fail, from the natural scores of their matrices; objects had K classes."""

    @abstractmethod
    def why(self, example: Example) -> str:
        """One sentence: what was done, and what the scores should therefore do."""

    def judge(self, counts: Counts, scorer: Scorer, clearly: bool = False) -> Iterator[Judged]:
        """Make, score and compare the cases of a chunk of objects.

        With `clearly`, a gain too small to be told from rounding is no violation.
        """
        for cases in self.cases(counts, scorer.subject):
            scores = tuple(scorer(matrices) for matrices in cases.matrices)
            failed = np.logical_or.reduce([score.failed for score in scores])
            found = self.compare(scorer.subject, len(counts), *(s.values for s in scores))
            found = found.clear() if clearly else found
            yield Judged(
                cases.where,
                cases.matrices,
                scores,
                found.violated & ~failed,
                found.undefined & ~failed,
                failed,
            )

    def level(self, counts: Iterator[Counts], scorer: Scorer) -> Iterator[Sequence[Judged]]:
        """Judge all objects of one size, chunk by chunk; `where` counts within the chunk."""
        for part in counts:
            yield list(self.judge(part, scorer))

    def present(self, example: Example) -> tuple[Any, Any, float, float | None]:
        """What a report shows: before, after, score before, score after."""
        before, *rest = example.matrices
        first, *others = example.scores
        return before, rest[0] if rest else None, first, others[0] if others else None

    def subject_matrix(self, example: Example) -> Matrix:
        """The matrix whose size is the size of a counterexample."""
        return example.matrices[0]

    def python(self, code: Code, example: Example) -> str:
        """A line of Python that prints the scores again."""
        return code.line(*map(code.score, example.matrices))


def oriented(subject: Subject, *scores: Values) -> tuple[Values, ...]:
    """Scores with the sign that makes higher better."""
    return scores if subject.greater_is_better else tuple(-values for values in scores)


def everywhere(counts: Counts) -> Places:
    """Every column of a chunk."""
    return np.arange(counts.shape[-1], dtype=np.int64)
