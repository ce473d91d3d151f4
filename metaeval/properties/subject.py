"""What is checked: a metric seen as a function from confusion matrices to scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from metaeval.batch import Batch
from metaeval.measures.metric import Metric
from metaeval.properties.compositions import CHUNK, Counts
from metaeval.properties.scores import Scores

Takes = Literal["matrix", "labels"]
Matrix = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Code:
    """How a line of Python gets at the metric and calls it."""

    imports: str
    fetch: str
    call: str  # with {input} where the matrix or the two label vectors go
    takes: Takes = "matrix"
    arrays: bool = True  # the function needs arrays, lists will not do

    def line(self, *expressions: str) -> str:
        """A line that prints what the expressions give."""
        parts = (self.imports, self.fetch, f"print({', '.join(expressions)})")
        return "; ".join(part for part in parts if part)

    def score(self, matrix: Matrix) -> str:
        """The expression that scores one matrix."""
        given = [[list(row) for row in matrix]] if self.takes == "matrix" else labels(matrix)
        texts = [str(list(values)) for values in given]
        return self._on(", ".join(f"np.array({t})" if self.arrays else t for t in texts))

    def shuffled(self) -> str:
        """The expression that scores labels y and q of k classes."""
        if self.takes == "matrix":
            return self._on("me.confusion(y, q, k)")
        return self._on("np.array(y), np.array(q)")

    def _on(self, given: str) -> str:
        return self.call.replace("{input}", given)


def metric_code(metric: Metric, run: str = "") -> Code:
    """How a line of Python gets at a registered metric, after `run`, which registers it."""
    fetch = f"{run}; m = me.metric({metric.name!r})".removeprefix("; ")
    return Code("import metaeval as me", fetch, "m({input})", arrays=False)


class Subject(ABC):
    """A metric under examination."""

    name: str
    greater_is_better: bool
    takes: Takes
    max_classes: int | None
    code: Code
    # How many matrices are worth scoring in one go, and how many in advance of being asked for.
    chunk: int
    table_limit: int
    # Seconds a matrix, measured once: decides how far the search goes by default.
    cost: float

    @abstractmethod
    def evaluate(self, counts: Counts) -> Scores:
        """Natural scores of matrices (K, K, n)."""

    @abstractmethod
    def range(self, classes: int) -> tuple[float, float] | None:
        """The declared range, if one is declared."""

    def problem(self, matrix: Matrix) -> str | None:
        """What went wrong on a matrix, if something did."""
        return None

    def hint(self) -> str:
        """What to say about findings that depend on whether higher or lower is better."""
        return ""

    def close(self) -> None:  # noqa: B027  most have nothing to release
        """Release whatever scoring needed."""


class VectorSubject(Subject):
    """A metric that scores many matrices at once: every built-in one, and vectorised own ones."""

    takes = "matrix"
    chunk = CHUNK
    table_limit = 1 << 20

    def __init__(
        self, metric: Metric, greater_is_better: bool | None = None, code: Code | None = None
    ) -> None:
        self.metric = metric
        self.name = metric.name
        self.greater_is_better = (
            metric.greater_is_better if greater_is_better is None else greater_is_better
        )
        self.max_classes = metric.definition.max_classes
        self.code = code or metric_code(metric)
        self._problems: dict[Matrix, str] = {}
        self.cost = self._measure()

    def evaluate(self, counts: Counts) -> Scores:
        batch = Batch(np.ascontiguousarray(counts, dtype=np.float64))
        try:
            values = self.metric.score_batch(batch)
            if values.shape != (batch.size,):
                raise ValueError(f"it returned an array of shape {values.shape}")
        except Exception as problem:
            return self._one_by_one(counts, problem)
        return Scores.sound(values)

    def _one_by_one(self, counts: Counts, problem: Exception) -> Scores:
        """A registered metric broke on a batch: find out on which matrices."""
        if counts.shape[2] == 1:
            text = " ".join(f"{type(problem).__name__}: {problem}".split())
            self._problems[tuple(map(tuple, counts[..., 0].tolist()))] = text
            return Scores(np.full(1, np.nan), np.ones(1, dtype=np.bool_))
        parts = [self.evaluate(counts[..., at : at + 1]) for at in range(counts.shape[2])]
        return Scores(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.failed for part in parts]),
        )

    def problem(self, matrix: Matrix) -> str | None:
        found = self._problems.get(matrix)
        return f"{self.name}: {found}" if found else None

    def range(self, classes: int) -> tuple[float, float] | None:
        limits = self.metric.range(classes)
        return limits if np.isfinite(limits).any() else None

    def _measure(self) -> float:
        from time import process_time

        classes = min(4, self.max_classes or 4)
        sample = np.ones((classes, classes, 512), dtype=np.int16)
        times = []
        for _ in range(3):
            start = process_time()
            self.evaluate(sample)
            times.append(process_time() - start)
        return min(times) / 512


def labels(matrix: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Label vectors (gold, output) of class indices that have this confusion matrix."""
    pairs = [
        (true, pred)
        for true, row in enumerate(matrix)
        for pred, times in enumerate(row)
        for _ in range(int(times))
    ]
    return tuple(true for true, _ in pairs), tuple(pred for _, pred in pairs)
