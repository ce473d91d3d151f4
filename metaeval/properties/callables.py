"""Plain functions under examination: each distinct matrix is scored once, in worker processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import nan
from typing import Any

import numpy as np

from metaeval.batch import Batch
from metaeval.measures.metric import Metric
from metaeval.properties.calls import HUNG, Result
from metaeval.properties.compositions import Counts, chunk, count
from metaeval.properties.scores import Scores
from metaeval.properties.subject import Code, Matrix, Subject, Takes
from metaeval.properties.workers import DIED, NOT_CALLED, TIME_LIMIT, Pool

STEADY = 20  # matrices that are scored a second time, to see whether the function is random
MOST_KNOWN = 1_000_000  # remembered scores; about 200 MiB


class CallableSubject(Subject):
    """A function f(y_true, y_pred) of class indices, or f(matrix) of whole counts."""

    table_limit = 1 << 14

    def __init__(
        self,
        function: Callable[..., Any],
        name: str,
        takes: Takes,
        *,
        greater_is_better: bool | None = None,
        arguments: Mapping[str, Any] | None = None,
        code: Code | None = None,
        registered: Metric | None = None,
        jobs: int | None = None,
        time_limit: float = TIME_LIMIT,
    ) -> None:
        self.name = name
        self.takes = takes
        self.greater_is_better = greater_is_better is not False
        self.orientation_stated = greater_is_better is not None
        self.registered = registered
        self.max_classes = registered.definition.max_classes if registered else None
        self.code = code or Code("import numpy as np", "", "metric({input})", takes)
        self._pool = Pool(function, takes, arguments or {}, jobs, time_limit)
        self._known: dict[tuple[int, bytes], Result] = {}
        self._hang = ""
        self._random = ""
        self.cost = self._measure()
        self._random = self._differs()
        self.chunk = int(min(max(0.5 / self.cost, 32), 1024))

    def evaluate(self, counts: Counts) -> Scores:
        if len(self._known) > MOST_KNOWN:
            # What went wrong is kept: a report may still have to name it.
            self._known = {k: v for k, v in self._known.items() if isinstance(v, str)}
        classes = len(counts)
        stack = np.ascontiguousarray(np.moveaxis(counts, -1, 0))
        keys = [(classes, matrix.tobytes()) for matrix in stack]
        new = {key: at for at, key in enumerate(keys) if key not in self._known}
        if new:
            results = self._pool(stack[list(new.values())])
            self._known.update(zip(new, results, strict=True))
            self._remember_hang(zip(new, results, strict=True))
        found = [self._random or self._known[key] for key in keys]
        values = np.array([nan if isinstance(result, str) else result for result in found])
        failed = np.array([isinstance(result, str) for result in found], dtype=np.bool_)
        if self.registered is not None:
            excused = self._premise_fails(counts)
            values, failed = np.where(excused, nan, values), failed & ~excused
        return Scores(values, failed)

    def range(self, classes: int) -> tuple[float, float] | None:
        if self.registered is None:
            return None
        limits = self.registered.range(classes)
        return limits if np.isfinite(limits).any() else None

    def problem(self, matrix: Matrix) -> str | None:
        if self._random:
            return f"{self.name}: {self._random}"
        counts = np.array(matrix, dtype=np.int16)
        result = self._known.get((len(counts), counts.tobytes()))
        if not isinstance(result, str):
            return None
        return f"{self.name}: {result}{self._hang if result == NOT_CALLED else ''}"

    def _remember_hang(self, results: Iterable[tuple[tuple[int, bytes], Result]]) -> None:
        """Keep the first input on which a call never came to an end, to name it later."""
        for (classes, counts), result in results:
            if isinstance(result, str) and result.startswith((HUNG, DIED)) and not self._hang:
                matrix = np.frombuffer(counts, dtype=np.int16).reshape(classes, classes)
                self._hang = f", after calls such as that on {matrix.tolist()} had no end"

    def hint(self) -> str:
        """Of two single items the wrong one scores higher, and nobody said that lower is better."""
        if self.orientation_stated:
            return ""
        right, wrong = self.evaluate(chunk(1, 4, 0, 2).reshape(2, 2, -1)).values
        return "looks like an error; if so, say that lower is better" if wrong > right else ""

    def close(self) -> None:
        self._pool.close()

    def _measure(self) -> float:
        # On the smallest matrices, which the search needs anyway.
        costs = []
        for items in (1, 2):
            self.evaluate(chunk(items, 9, 0, count(items, 9)).reshape(3, 3, -1))
            costs.append(self._pool.cost)
        # Passing inputs and results around costs about as much as the quickest function.
        return max(min(costs), 1e-5)

    def _differs(self) -> str:
        """What to say if a second call on the same matrix gives another score."""
        known = list(self._known.items())[:STEADY]
        stack = np.stack(
            [np.frombuffer(key, dtype=np.int16).reshape(3, 3) for (_, key), _ in known]
        )
        again = self._pool(stack)
        for matrix, (_, first), second in zip(stack, known, again, strict=True):
            numbers = isinstance(first, float) and isinstance(second, float)
            if numbers and not np.array_equal(first, second, equal_nan=True):
                return (
                    f"it is not the same for the same input: first {first!r}, then {second!r} on "
                    f"{matrix.tolist()}"
                )
        return ""

    def _premise_fails(self, counts: Counts) -> np.ndarray[Any, Any]:
        assert self.registered is not None
        batch = Batch(np.ascontiguousarray(counts, dtype=np.float64))
        failed = np.zeros(batch.size, dtype=np.bool_)
        for premise in self.registered.definition.premises:
            failed |= premise.fails(batch, self.registered.parameters)
        return failed
