"""Who does the units: this thread, several threads, processes, or the workers of a dask cluster.

A backend is given units by number and hands back (number, result, problem), in any order.
"""

from __future__ import annotations

import atexit
import pickle
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from functools import lru_cache
from multiprocessing.connection import wait as wait_for_any
from typing import Any, Protocol

from metaeval.errors import InputError
from metaeval.execution.worker import DiedError, Worker

RETRIES = 2  # times that a unit is given to another worker after it lost one

Work = Callable[[Any], Any]
Outcome = tuple[int, Any, Exception | None]


class LostUnitError(Exception):
    """A unit that ended every worker it was given to; says how."""


class Backend(Protocol):
    """Takes units as long as fewer than `slots` are under way."""

    slots: int

    def give(self, number: int, unit: Any) -> None:
        """Start on a unit, or queue it."""

    def take(self) -> list[Outcome]:
        """Wait until at least one unit is done."""

    def close(self) -> None:
        """End what is still under way."""


class Serial:
    """This thread."""

    slots = 1

    def __init__(self, work: Work) -> None:
        self.work = work
        self.waiting: list[tuple[int, Any]] = []

    def give(self, number: int, unit: Any) -> None:
        self.waiting.append((number, unit))

    def take(self) -> list[Outcome]:
        return [(number, *attempt(self.work, unit)) for number, unit in self._all()]

    def _all(self) -> list[tuple[int, Any]]:
        waiting, self.waiting = self.waiting, []
        return waiting

    def close(self) -> None:
        self.waiting = []


def attempt(work: Work, unit: Any) -> tuple[Any, Exception | None]:
    """The result, or what was raised."""
    try:
        return work(unit), None
    except Exception as problem:
        return None, problem


class Threads:
    """Threads of this process: for numpy, which works without the interpreter's lock."""

    def __init__(self, work: Work, workers: int) -> None:
        self.work = work
        self.slots = 2 * workers
        self.pool = ThreadPoolExecutor(workers)
        self.under_way: dict[Future[Any], int] = {}

    def give(self, number: int, unit: Any) -> None:
        self.under_way[self.pool.submit(attempt, self.work, unit)] = number

    def take(self) -> list[Outcome]:
        done, _ = wait(self.under_way, return_when=FIRST_COMPLETED)
        return [(self.under_way.pop(future), *future.result()) for future in done]

    def close(self) -> None:
        self.pool.shutdown(wait=True, cancel_futures=True)


_idle: list[Worker] = []  # starting a process takes longer than many a job


class Processes:
    """Processes of this machine: for functions that hold the interpreter's lock."""

    def __init__(self, work: Work, workers: int) -> None:
        self.payload = packed(work)
        self.slots = workers
        self.busy: dict[Worker, tuple[int, Any]] = {}
        self.losses: Counter[int] = Counter()

    def give(self, number: int, unit: Any) -> None:
        while _idle and not _idle[-1].alive:
            _idle.pop().close()
        worker = _idle.pop() if _idle else Worker()
        self.busy[worker] = number, unit
        worker.give(self.payload, unit)

    def take(self) -> list[Outcome]:
        found: list[Outcome] = []
        while not found:
            connections = {worker.connection: worker for worker in self.busy}
            for connection in wait_for_any(list(connections)):
                found += self._collect(connections[connection])
        return found

    def _collect(self, worker: Worker) -> list[Outcome]:
        number, unit = self.busy.pop(worker)
        try:
            result, problem = attempt(lambda _: worker.take(), unit)
        except BaseException:
            self.busy[worker] = number, unit
            raise
        if not isinstance(problem, DiedError):
            _idle.append(worker)
            return [(number, result, problem)]
        worker.close()
        self.losses[number] += 1
        if self.losses[number] > RETRIES:
            return [(number, None, LostUnitError(str(problem)))]
        self.give(number, unit)
        return []

    def close(self) -> None:
        for worker in self.busy:
            worker.close()
        self.busy = {}


def processes_wait() -> bool:
    """Whether processes have been started and have nothing to do."""
    return any(worker.alive for worker in _idle)


@atexit.register
def dismiss() -> None:
    """End the processes that have nothing to do."""
    while _idle:
        _idle.pop().close()


def packed(work: Work) -> bytes:
    """A function that can travel: code that workers cannot import goes along by value."""
    from cloudpickle import dumps  # type: ignore[import-untyped, unused-ignore]

    try:
        payload: bytes = dumps(work)
    except Exception as problem:
        raise InputError(f"the work cannot be sent to other processes: {problem}") from None
    return payload


class Dask:
    """The workers of a dask cluster, each with metaeval installed."""

    def __init__(self, work: Work, scheduler: str) -> None:
        self.scheduler = scheduler
        self.client = _client(scheduler)
        threads = sum(self.client.nthreads().values())
        self.slots = max(4, 2 * threads)
        # The function is a task of its own: kept by the workers, made again if they are lost.
        self.work = self.client.submit(bytes, packed(work), pure=False)
        self.under_way: dict[Any, int] = {}
        self.finished = _distributed().as_completed(loop=self.client.loop)

    def give(self, number: int, unit: Any) -> None:
        future = self.client.submit(unpacked_call, self.work, unit, pure=False, retries=0)
        self.under_way[future] = number
        self.finished.add(future)

    def take(self) -> list[Outcome]:
        future = next(self.finished)
        number = self.under_way.pop(future)
        try:
            return [(number, *future.result())]
        except _distributed().scheduler.KilledWorker:
            return [(number, None, LostUnitError("its dask workers died"))]
        except CancelledError:
            raise InputError(f"{self.scheduler}: the dask cluster has gone") from None

    def close(self) -> None:
        self.client.cancel([*self.under_way, self.work])
        self.under_way = {}


@lru_cache(maxsize=4)
def _unpacked(payload: bytes) -> Any:
    return pickle.loads(payload)


def unpacked_call(payload: bytes, unit: Any) -> tuple[Any, Exception | None]:
    """Do a unit on a dask worker."""
    return attempt(_unpacked(payload), unit)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise InputError(
            "the backend dask needs a package: pip install 'metaeval[distributed]'"
        ) from None
    return distributed


@lru_cache(maxsize=2)
def _client(scheduler: str) -> Any:
    distributed = _distributed()
    try:
        client = distributed.Client(scheduler, timeout=5, set_as_default=False)
        client.wait_for_workers(1, timeout=30)
    except (OSError, ValueError) as problem:
        raise InputError(f"{scheduler}: no dask cluster answers: {problem}") from None
    atexit.register(client.close)
    return client
