"""How far the search goes by default: a matter of what one score costs."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from metaeval.properties.base import Bounds, Property
from metaeval.properties.subject import Subject


@dataclass(frozen=True)
class Effort:
    """What is spent on a metric that takes from `slower` to `faster` seconds a score."""

    slower: float
    faster: float
    cap: Bounds  # of the exhaustive search; a property's own bounds may be lower
    wide_cap: Bounds  # ... where a property compares different sizes
    samples: int  # objects of the random search, for each property
    largest: Bounds  # ... and their size
    patience: int  # candidates that are tried to shrink one violation

    @property
    def words(self) -> str:
        """Why the bounds are lower than usual."""
        return f"smaller bounds, as a score takes more than {1000 * self.slower:g} ms"


# The steps lie an order of magnitude apart, so that a measurement on a busy machine seldom
# changes the bounds: batch metrics, plain Python functions, library functions, anything slower.
EFFORTS = (
    Effort(0, 1e-5, Bounds(12, 8), Bounds(12, 8), 400, Bounds(500, 11), 1_000_000),
    Effort(1e-5, 1.5e-4, Bounds(5, 4), Bounds(4, 4), 100, Bounds(500, 11), 20_000),
    Effort(1.5e-4, 1e-2, Bounds(6, 3), Bounds(4, 3), 20, Bounds(100, 6), 2_000),
    Effort(1e-2, inf, Bounds(4, 3), Bounds(3, 3), 4, Bounds(30, 5), 100),
)


def effort(subject: Subject) -> Effort:
    """The effort for a metric, by its cost."""
    return next(e for e in EFFORTS if subject.cost < e.faster)


def bounds_for(
    property: Property, subject: Subject, max_items: int | None, max_classes: int | None
) -> Bounds:
    """The given bounds, or the default ones, within what the metric can score."""
    spend = effort(subject)
    cap = spend.wide_cap if property.wide else spend.cap
    # Class sizes are far fewer than matrices of the same size.
    more = 2 if property.axes == 1 else 0
    items = max_items or min(property.bounds.items, cap.items + more)
    classes = max_classes or min(property.bounds.classes, cap.classes + more)
    if subject.max_classes is not None:
        classes = min(classes, subject.max_classes - property.added_classes)
    return Bounds(items, classes)
