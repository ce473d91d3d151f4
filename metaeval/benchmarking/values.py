"""Does a peer compute the same? Undefined counts as equal to undefined, however it is spelled."""

from __future__ import annotations

import contextlib
import io
import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metaeval.benchmarking.peer import Call, Labels
from metaeval.labels import confusion
from metaeval.measures.metric import Metric

Pairs = Sequence[tuple[Labels, Labels]]


@dataclass(frozen=True)
class Comparison:
    """Share of the cases judged alike, the largest difference, and the first case that differs."""

    alike: float
    difference: float  # over the cases in which both have a value; NaN if there is none
    example: str = ""


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Libraries warn, and some print; neither belongs into our output."""
    with (
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        yield


def compare(metric: Metric, call: Call, pairs: Pairs, classes: int) -> Comparison:
    """The peer's value of every pair of gold and output beside ours."""
    alike, largest, example = 0, math.nan, ""
    for gold, output in pairs:
        matrix = confusion(gold, output, classes)
        ours = float(metric(matrix))
        theirs = value_of(call, gold, output)
        if math.isnan(ours) or math.isnan(theirs):
            same = math.isnan(ours) and math.isnan(theirs)
        else:
            difference = abs(ours - theirs)
            largest = difference if math.isnan(largest) else max(largest, difference)
            same = difference <= call.close
        alike += same
        if not same and not example:
            example = f"{matrix.tolist()}: {_spell(theirs)}, metaeval {_spell(ours)}"
    return Comparison(alike / len(pairs), largest, example)


def value_of(call: Call, gold: Labels, output: Labels) -> float:
    """The peer's number; NaN for what it does not define: an exception, None, "None", inf."""
    try:
        with quietly():
            found = float(call.function(call.form(gold), call.form(output)))
    except Exception:
        return math.nan
    return found if math.isfinite(found) else math.nan


def one_line(problem: Exception) -> str:
    """What went wrong, short."""
    return " ".join(f"{type(problem).__name__}: {problem}".split())[:200]


def _spell(value: Any) -> str:
    return "undefined" if math.isnan(value) else f"{value:.6g}"
