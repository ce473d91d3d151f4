"""Matrices generated or given, scored and counted part by part: memory for one part a worker.

A part is a unit of work. It says by itself which matrices it means, so that it can be made
wherever it is scored, and its borders are those of the chunks in which a whole stack is scored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

import generators
from generators.stacks import UNIT_MATRICES
from metaeval.analysis.agreement import Counted
from metaeval.analysis.scores import Undefined, signs
from metaeval.analysis.tallies import add, fills, lowest, needs_worst, tally
from metaeval.batch import Array
from metaeval.errors import unknown
from metaeval.execution import Jobs, run
from metaeval.measures.metric import Metric
from metaeval.measures.scoring import is_plain, score_stack, unit_length
from metaeval.stack import Stack
from metaeval.studies.study import Setting


@dataclass(frozen=True)
class Generated:
    """Matrices that a family makes; each setting and each side has a stream of its own."""

    family: str
    setting: Setting
    count: int
    seed: int
    number: int = 0
    pairs: bool = False
    start: int = 0

    @cached_property
    def classes(self) -> int:
        # One matrix of another stream: only the family knows K.
        seed = np.random.SeedSequence(0)
        found = generators.matrices(self.family, count=0, rng=seed, **self.setting.parameters)
        return int(found.shape[-1])

    def part(self, start: int, stop: int) -> Generated:
        """Some of the matrices: a unit of work, small and good anywhere."""
        return Generated(
            self.family, self.setting, stop - start, self.seed, self.number, self.pairs, start
        )

    def side(self, side: int) -> Stack:
        """The first or the second matrices."""
        root = np.random.SeedSequence(self.seed, spawn_key=(self.number, side))
        return generators.matrices(
            self.family, count=self.count, rng=root, start=self.start, **self.setting.parameters
        )

    def sides(self) -> list[Stack]:
        """The matrices, or of pairs the first and the second ones."""
        return [self.side(side) for side in range(2 if self.pairs else 1)]

    def __str__(self) -> str:
        given = ", ".join(f"{key}={value}" for key, value in self.setting.parameters.items())
        what = f"{self.family}({given})"
        return f"{what}, matrices {self.start} to {self.start + self.count - 1}"


@dataclass(frozen=True, eq=False)
class Given:
    """Pairs of matrices at hand: row i of one stack with row i of the other."""

    setting: Setting
    first: Stack
    second: Stack
    start: int = 0

    @property
    def count(self) -> int:
        return len(self.first)

    @property
    def classes(self) -> int:
        return int(self.first.shape[-1])

    def part(self, start: int, stop: int) -> Given:
        """Some of the pairs: a unit of work that carries them along."""
        return Given(self.setting, self.first[start:stop], self.second[start:stop], start)

    def sides(self) -> list[Stack]:
        """The first and the second matrices."""
        return [self.first, self.second]

    def __str__(self) -> str:
        return f"{self.setting.name}, pairs {self.start} to {self.start + self.count - 1}"


Source = Generated | Given


class Unit(NamedTuple):
    """A part, and where its source stands."""

    at: int
    part: Source

    def __str__(self) -> str:
        return str(self.part)


class Parts:
    """The parts of all sources, one after the other, made when they are asked for."""

    def __init__(self, sources: Sequence[Source], lengths: Sequence[int]) -> None:
        self.sources, self.lengths = sources, lengths
        numbers = [-(-s.count // length) for s, length in zip(sources, lengths, strict=True)]
        self.ends = np.cumsum(numbers)

    def __len__(self) -> int:
        return int(self.ends[-1])

    def source(self, number: int) -> int:
        """Where the source of a part stands."""
        return int(np.searchsorted(self.ends, number, side="right"))

    def __getitem__(self, number: int, /) -> Unit:
        at = self.source(number)
        place = number - (self.ends[at - 1] if at else 0)
        source, length = self.sources[at], self.lengths[at]
        start = int(place) * length
        return Unit(at, source.part(start, min(start + length, source.count)))


@dataclass(frozen=True, eq=False)
class Summary:
    """What is known of a setting's scores: counts for pairs, and the values' moments."""

    setting: Setting
    counted: Counted
    reference: int | None
    number: Array
    mean: Array
    squares: Array
    matrices: int

    @property
    def undefined(self) -> dict[str, int]:
        """How many scores each metric does not have."""
        missing = self.counted.counts["missing"].tolist()
        return dict(zip(self.counted.metrics, missing, strict=True))


def summarise(
    sources: Sequence[Source],
    metrics: Sequence[Sequence[Metric]],
    undefined: Undefined = "zero",
    reference: Metric | None = None,
    jobs: Jobs = None,
) -> list[Summary]:
    """Score every source with its metrics and count; the same for any number of workers."""
    plain = any(is_plain(scored) for chosen in metrics for scored in chosen)
    # Generated matrices come in units of their own, which are made whole.
    lengths = [max(unit_length(source.classes, plain), UNIT_MATRICES) for source in sources]
    parts = Parts(sources, lengths)
    plans = [_Plan(tuple(chosen), _place(chosen, reference)) for chosen in metrics]
    size = max(
        32 * length * (source.classes**2 + len(chosen))
        for source, chosen, length in zip(sources, metrics, lengths, strict=True)
    )
    # Generating takes many short steps of Python, which threads would have to take in turns.
    made = all(isinstance(source, Generated) for source in sources)
    kind = "foreign" if plain else "python" if made else "numpy"
    options: dict[str, Any] = {"jobs": jobs, "kind": kind, "size": size}
    worst: list[Array | None] = [None] * len(sources)
    if any(needs_worst(undefined, plan.names) for plan in plans):
        found = run(_Lowest(plans), parts, name="worst scores", **options)
        for number, values in enumerate(found):
            before = worst[at := parts.source(number)]
            worst[at] = values if before is None else np.minimum(before, values)
    filled = [
        fills(undefined, plan.names, plan.signed, low)
        for plan, low in zip(plans, worst, strict=True)
    ]
    totals: list[dict[str, Any] | None] = [None] * len(sources)
    done = run(_Count(plans, filled), parts, name="scoring pairs", **options)
    for number, counts in enumerate(done):
        at = parts.source(number)
        totals[at] = _joined(totals[at], counts)
    return [
        _summary(source, plan, fill, total)
        for source, plan, fill, total in zip(sources, plans, filled, totals, strict=True)
        if total is not None
    ]


def _place(chosen: Sequence[Metric], reference: Metric | None) -> int | None:
    if reference is None:
        return None
    if reference not in chosen:
        raise unknown("reference metric", reference.name, [scored.name for scored in chosen])
    return list(chosen).index(reference)


@dataclass(frozen=True, eq=False)
class _Plan:
    metrics: tuple[Metric, ...]
    reference: int | None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(scored.name for scored in self.metrics)

    @cached_property
    def signed(self) -> Array:
        better = {scored.name: scored.greater_is_better for scored in self.metrics}
        return signs(self.names, better)

    def scores(self, part: Any) -> Array:
        """Natural scores of shape (sides, matrices, metrics)."""
        return np.stack([score_stack(stack, self.metrics).T for stack in part.sides()])


@dataclass(frozen=True, eq=False)
class _Lowest:
    plans: Sequence[_Plan]

    def __call__(self, unit: Unit) -> Array:
        plan = self.plans[unit[0]]
        return lowest(plan.scores(unit[1]), plan.signed)


@dataclass(frozen=True, eq=False)
class _Count:
    plans: Sequence[_Plan]
    filled: Sequence[Sequence[float | None]]

    def __call__(self, unit: Unit) -> dict[str, Any]:
        at, part = unit
        plan = self.plans[at]
        scores = plan.scores(part)
        if len(scores) == 2:
            found: dict[str, Any] = tally(scores, plan.signed, self.filled[at], plan.reference)
        else:
            found = {"missing": np.isnan(scores).sum(axis=(0, 1))}
        flat = scores.reshape(-1, len(plan.metrics))
        number = (~np.isnan(flat)).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.where(np.isnan(flat), 0.0, flat).sum(axis=0) / number
            squares = np.where(np.isnan(flat), 0.0, (flat - mean) ** 2).sum(axis=0)
        return {**found, "number": number, "mean": mean, "squares": squares}


def _joined(total: dict[str, Any] | None, more: dict[str, Any]) -> dict[str, Any]:
    """Counts added, means and sums of squares joined, always in the order of the parts."""
    if total is None:
        return dict(more)
    one, other = (found["number"] for found in (total, more))
    number = one + other
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = more["mean"] - total["mean"]
        mean = total["mean"] + gap * other / number
        squares = total["squares"] + more["squares"] + gap * gap * one * other / number
    # A part without a single defined score changes nothing.
    mean = np.where(one == 0, more["mean"], np.where(other == 0, total["mean"], mean))
    squares = np.where(one == 0, more["squares"], np.where(other == 0, total["squares"], squares))
    moments = {"number": number, "mean": mean, "squares": squares}
    counts = {name: found for name, found in total.items() if name not in moments}
    add(counts, {name: found for name, found in more.items() if name not in moments})
    return {**counts, **moments}


def _summary(
    source: Source, plan: _Plan, filled: Sequence[float | None], total: dict[str, Any]
) -> Summary:
    moments = {name: total.pop(name) for name in ("number", "mean", "squares")}
    return Summary(
        source.setting,
        Counted(plan.names, total, filled),
        plan.reference,
        matrices=source.count,
        **moments,
    )
