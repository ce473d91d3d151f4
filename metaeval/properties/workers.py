"""Worker processes for functions that nobody can trust to return.

Each worker has one batch at a time, and it notes which call it is making. So it is always known
which input hangs or kills the process: that worker alone is replaced, and the other inputs of its
batch are tried again.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping
from multiprocessing.connection import wait
from time import monotonic
from typing import Any

import numpy as np
from cloudpickle import dumps  # type: ignore[import-untyped, unused-ignore]
from numpy.typing import NDArray

from metaeval.errors import InputError
from metaeval.execution.worker import DiedError
from metaeval.execution.worker import Worker as Process
from metaeval.properties.calls import GREW, HUNG, Calls, Progress, Result
from metaeval.properties.subject import Takes

TIME_LIMIT = 2.0  # seconds that a call on a handful of items may take
START_UP = 60.0  # seconds that a new process may take to import what the function needs
SPAN = 0.1  # seconds that a batch should take
# Calls that may kill their process or ignore the alarm, and that may be cut off by it, before the
# function is given up. After the first few the limit is a tenth: the point has been made.
MOST_LOST, MOST_CUT, FIRST_CUT = 10, 50, 3

DIED = "its process died"
NOT_CALLED = "it was not called any more"

Numbers = NDArray[np.int64]  # of the inputs in their stack
Stack = NDArray[np.int16]


class Worker:
    """One process and the batch it works on."""

    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        self.start()

    def start(self) -> None:
        """Start the process; `await_start` must follow."""
        self.path = Progress.create()
        self.progress = Progress(self.path)
        self.process = Process(idle=None)
        self.calls = dumps(Calls(self.path, self.payload))
        self.process.give(self.calls, None)
        self.busy = False
        self.batch: Numbers = np.empty(0, dtype=np.int64)
        self.deadline = 0.0

    def await_start(self) -> None:
        """Wait until the process has loaded the function."""
        try:
            if not self.process.connection.poll(START_UP):
                raise TimeoutError(f"it did not start within {START_UP:g} seconds")
            self.process.take()
        except Exception as problem:
            self.close()
            text = " ".join(f"{type(problem).__name__}: {problem}".split())
            raise InputError(f"the function cannot be loaded in a worker process: {text}") from None

    def restart(self) -> None:
        """A new process in the place of this one."""
        self.close()
        self.start()
        self.await_start()

    def give(self, batch: Numbers, stack: Stack, limit: float) -> None:
        """Start on a batch of the inputs."""
        self.batch = batch
        self.busy = True
        self.process.give(self.calls, (stack[batch], limit))
        self.deadline = monotonic() + 2 * limit + 2.0

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self.process.close()
        self.progress.close()
        os.unlink(self.path)


class Pool:
    """Calls one function on many matrices; a call that breaks gives a sentence, not a number."""

    def __init__(
        self,
        function: Callable[..., Any],
        takes: Takes,
        arguments: Mapping[str, Any],
        jobs: int | None = None,
        limit: float = TIME_LIMIT,
    ) -> None:
        try:
            self.payload: bytes = dumps((function, takes, dict(arguments)))
        except Exception as problem:
            raise InputError(
                f"the function cannot be sent to a worker process: {problem}"
            ) from None
        self.jobs = jobs or os.cpu_count() or 1
        self.limit = limit
        self.cost = 0.0  # seconds a call, as last seen
        self.lost = 0
        self.cut = 0
        self._workers: list[Worker] = []

    def __call__(self, stack: Stack) -> list[Result]:
        """Results for matrices (n, K, K), in their order."""
        results: list[Result | None] = [None] * len(stack)
        queue = deque(self._batches(np.arange(len(stack), dtype=np.int64)))
        try:
            self._hire(min(self.jobs, len(queue)))
            while not self._hopeless() and (queue or self._busy()):
                for worker in self._workers:
                    if not worker.busy and queue:
                        worker.give(queue.popleft(), stack, self._limit())
                busy = self._busy()
                wait(
                    [worker.process.connection for worker in busy],
                    timeout=max(0.0, min(worker.deadline for worker in busy) - monotonic()),
                )
                for worker in busy:
                    queue.extendleft(reversed(self._collect(worker, results)))
        except BaseException:
            self.close()
            raise
        if self._hopeless():
            self.close()
        return [NOT_CALLED if result is None else result for result in results]

    def _hopeless(self) -> bool:
        return self.lost >= MOST_LOST or self.cut >= MOST_CUT

    def _limit(self) -> float:
        return self.limit if self.cut < FIRST_CUT else max(self.limit / 10, 100 * self.cost)

    def _busy(self) -> list[Worker]:
        return [worker for worker in self._workers if worker.busy]

    def _hire(self, number: int) -> None:
        new = [] if self._hopeless() else range(len(self._workers), number)
        self._workers += [Worker(self.payload) for _ in new]
        for worker in self._workers[-len(new) :] if new else ():
            worker.await_start()

    def _batches(self, numbers: Numbers) -> list[Numbers]:
        size = min(max(int(SPAN / self.cost), 1), 2000) if self.cost else 8
        parts = -(-len(numbers) // size)
        return np.array_split(numbers, parts) if parts else []

    def _collect(self, worker: Worker, results: list[Result | None]) -> list[Numbers]:
        """Take over what a worker has done; returns the batches that are still to be done."""
        batch = worker.batch
        if not worker.process.connection.poll():
            if monotonic() < worker.deadline:
                return []
            return self._blame(worker, results, f"{HUNG} and could not be interrupted")
        try:
            values, seconds, cut = worker.process.take()
        except DiedError:
            return self._blame(worker, results, DIED)
        worker.busy = False
        for number, value in zip(batch, values, strict=False):
            results[number] = value
        if cut:
            self.cut += 1
            if str(values[-1]).startswith(GREW):
                worker.restart()
        else:
            self.cost = seconds / len(values)
        rest = batch[len(values) :]
        return [rest] if rest.size else []

    def _blame(self, worker: Worker, results: list[Result | None], why: str) -> list[Numbers]:
        batch, at = worker.batch, worker.progress.read()
        worker.restart()
        results[batch[at]] = why
        self.lost += 1
        return [part for part in (batch[:at], batch[at + 1 :]) if part.size]

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.close()
        self._workers = []
