"""From a finished search to its outcome.

Outcomes, the first that is true:

* ``violated``: some case breaks the property;
* ``error``: none does, but a user's function broke on some input;
* ``not-applicable``: the property says nothing about this metric, or no object within the bounds
  meets its premise;
* ``undefined``: there were cases, but in none of them could the scores be compared;
* ``holds``: no case that could be compared breaks the property, up to the bounds.

Equality: a score on one side only is a violation, none on either side is counted as undefined.
Order: a missing score on either side is counted as undefined. Definedness: a missing score is a
violation.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any

from metaeval.properties.base import Bounds, Example, Property
from metaeval.properties.search import Tally
from metaeval.properties.subject import Matrix, Subject, labels

OUTCOMES = ("holds", "violated", "undefined", "error", "not-applicable")


@dataclass(frozen=True)
class Panel:
    """One matrix of a counterexample with what is said about it."""

    title: str
    matrix: Matrix
    score: float

    @property
    def labels(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Gold and output as vectors of class indices."""
        return labels(self.matrix)


@dataclass(frozen=True)
class Counterexample:
    """A case that breaks a property (or on which nothing could be said), to look at and to rerun.

    `before` and `after` are confusion matrices with their scores; `after` is None if the case is
    a single matrix, and two matrices for the triangle inequality (a to b, b to c; its score is
    their sum). `minimal` means that every smaller object within the bounds has been looked at and
    keeps the property.
    """

    metric: str
    property: str
    before: Matrix
    after: Any
    score_before: float
    score_after: float | None
    items: int
    classes: int
    why: str
    python: str
    panels: tuple[Panel, ...]
    how: str  # how it was found
    minimal: bool

    @builtins.property
    def labels_before(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Gold and output of the first matrix, as class indices."""
        return self.panels[0].labels

    @builtins.property
    def labels_after(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Gold and output of the second matrix, if there is one."""
        return self.panels[1].labels if len(self.panels) > 1 else None

    def __str__(self) -> str:
        from metaeval.properties.drawing import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from metaeval.reporting.notebook import example_html

        return example_html(self)


@dataclass(frozen=True)
class Finding:
    """The outcome for one metric and one property, and how far the search went."""

    metric: str
    property: str
    outcome: str
    cases: int
    max_items: int
    max_classes: int
    example: Counterexample | None = None
    undefined: int = 0
    errors: int = 0
    random_cases: int = 0
    reach: str = ""
    note: str = ""


def not_applicable(property: Property, subject: Subject, reason: str) -> Finding:
    """The property says nothing about the metric."""
    return Finding(subject.name, property.name, "not-applicable", 0, 0, 0, note=reason)


def conclude(
    property: Property,
    subject: Subject,
    bounds: Bounds,
    searched: Tally,
    sampled: Tally,
    note: str,
) -> Finding:
    """The outcome of an exhaustive search and of the random search after it."""
    complete = reach(searched)
    facts: dict[str, Any] = {
        "metric": subject.name,
        "property": property.name,
        "cases": searched.cases,
        "random_cases": sampled.cases,
        "undefined": searched.undefined + sampled.undefined,
        "errors": searched.failed + sampled.failed,
        "max_items": complete.items,
        "max_classes": complete.classes,
        "reach": in_words(searched),
        "note": note,
    }
    violation = searched.violation or sampled.violation
    if violation is not None:
        if searched.violation is None:
            how = "found at random and shrunk"
        elif searched.left_out:
            how = "the smallest found"
        else:
            how = f"the smallest with up to {bounds.classes} classes"
        minimal = searched.violation is not None and not searched.left_out
        found = _counterexample(property, violation, how, minimal)
        facts |= {"max_items": found.items, "max_classes": found.classes, "note": ""}
        return Finding(outcome="violated", example=found, **facts)
    failed = searched.first_failed or sampled.first_failed
    if failed is not None:
        found = _counterexample(property, failed, "the first that failed", minimal=False)
        facts["note"] = "; ".join(part for part in (_problem(failed), note) if part)
        return Finding(outcome="error", example=found, **facts)
    if searched.cases + sampled.cases == 0:
        facts["note"] = (
            f"no case within the bounds; premise: {property.premise}"
            if searched.complete
            else "the time was used up before the first case"
        )
        return Finding(outcome="not-applicable", **facts)
    missing = searched.first_undefined or sampled.first_undefined
    if missing is not None and facts["undefined"] == searched.cases + sampled.cases:
        found = _counterexample(property, missing, "the first without a score", minimal=False)
        facts["note"] = f"no score to compare in any case, for example on {_lists(found.before)}"
        return Finding(outcome="undefined", example=found, **facts)
    return Finding(outcome="holds", **facts)


def _problem(example: Example) -> str:
    for matrix in example.matrices:
        text = example.subject.problem(matrix)
        if text:
            return f"{text} (on {_lists(matrix)})"
    return ""


def _lists(matrix: Matrix) -> list[list[int]]:
    return [list(row) for row in matrix]


def _counterexample(
    property: Property, example: Example, how: str, minimal: bool
) -> Counterexample:
    before, after, score_before, score_after = property.present(example)
    size = property.subject_matrix(example)
    panels = zip(property.titles, example.matrices, example.scores, strict=True)
    return Counterexample(
        example.subject.name,
        property.name,
        before,
        after,
        score_before,
        score_after,
        sum(map(sum, size)),
        len(size),
        property.why(example),
        property.python(example.subject.code, example),
        tuple(Panel(*panel) for panel in panels),
        how,
        minimal,
    )


def _far(tally: Tally) -> dict[int, int]:
    """By number of classes: up to how many items every object was looked at."""
    sizes = set(tally.complete)
    far = {}
    for classes in sorted({k for _, k in sizes}):
        items = 0
        while (items + 1, classes) in sizes:
            items += 1
        far[classes] = items
    return far


def reach(tally: Tally) -> Bounds:
    """Bounds within which every object was looked at, for all numbers of classes alike."""
    far = _far(tally)
    return Bounds(min(far.values(), default=0), max(far, default=0))


def in_words(tally: Tally) -> str:
    """How far the exhaustive search went, exactly."""
    far = _far(tally)
    if not far:
        return "no size was completed"
    parts = []
    for items in sorted(set(far.values())):
        classes = [k for k, n in far.items() if n >= items]
        parts.append(f"N <= {items} with K <= {max(classes)}")
    return "all " + ", ".join(parts)
