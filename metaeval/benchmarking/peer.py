"""A peer: a library, and the calls of it that claim to compute what a metric of ours computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.int64]

# What libraries do differently more than once, as the notes of calls say it.
ZERO = "0 where undefined"
PREDICTED_TOO = "averages over classes that are only predicted, too"


def as_is(labels: Labels) -> Labels:
    """Most libraries like an array of class indices best."""
    return labels


@dataclass(frozen=True)
class Call:
    """One metric as the library spells it.

    `function` gets gold and predicted labels in the form that `form` makes of an array of class
    indices 0..K-1; making it is not timed. Values count as equal if they differ by no more than
    `close`. `note` says why they differ where they do, or what else a reader should know.
    """

    metric: str
    function: Callable[[Any, Any], Any]
    form: Callable[[Labels], Any] = as_is
    note: str = ""
    close: float = 1e-9


@dataclass(frozen=True)
class Peer:
    """A library by its name on PyPI; `calls` imports it and lists its calls for K classes.

    With `at_once` every call computes all metrics of the library, of which one is read.
    """

    package: str
    calls: Callable[[int], Sequence[Call]]
    at_once: bool = False
