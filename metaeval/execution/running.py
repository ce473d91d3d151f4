"""Running a job: units in, results in the order of the units out."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any, Literal, Protocol

from metaeval.errors import InputError
from metaeval.execution.backends import (
    Backend,
    Dask,
    LostUnitError,
    Processes,
    Serial,
    Threads,
    Work,
    processes_wait,
)
from metaeval.execution.checkpoint import Job
from metaeval.execution.how import Execution, Jobs, settle
from metaeval.execution.progress import bar

# Seconds that work must still take, at its measured cost, before others are called in: starting
# threads takes next to nothing, starting processes that import numpy and pandas does not.
WORTH_THREADS, WORTH_PROCESSES = 0.2, 3.0


Kind = Literal["numpy", "python", "foreign"]


class Units(Protocol):
    """The units of a job: a list, or what makes them when they are asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, number: int, /) -> Any: ...


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a job, with a sentence on how to go on."""


def run(
    work: Work,
    units: Units,
    jobs: Jobs = None,
    *,
    name: str = "working",
    kind: Kind = "numpy",
    size: int = 0,
) -> Iterator[Any]:
    """Results of `work` on each unit, in order, a bounded number of them at a time.

    `work` depends on its unit alone and gives an array or arrays by name. Its kind
    is "numpy" if threads can do it at the same time; "python" if they cannot, so that it takes
    processes; "foreign" if it calls users' functions, which are better kept out of this process
    when workers were asked for. `size` is the number of bytes
    that one unit needs. What `work` raises is raised here, at the turn of its unit.
    """
    how = settle(jobs)
    job = None if how.checkpoint is None else how.checkpoint.job(name)
    runner = _Runner(work, units, how, name, kind, size, job)
    try:
        with bar(name, len(units), how.quiet) as tick:
            yield from runner.results(tick)
    except Interrupted:
        raise
    except KeyboardInterrupt:
        raise Interrupted(_resume(how, job, len(units))) from None
    finally:
        runner.backend.close()


class _Runner:
    def __init__(
        self,
        work: Work,
        units: Units,
        how: Execution,
        name: str,
        kind: Kind,
        size: int,
        job: Job | None,
    ) -> None:
        self.work, self.units, self.how, self.name, self.job = work, units, how, name, job
        self.in_processes = kind != "numpy"
        self.workers = how.workers(len(units), size)
        self.ready: dict[int, tuple[Any, Exception | None]] = {}
        self.under_way = 0
        self.next = 0  # the first unit that nobody has looked at
        measured = how.jobs is None or kind == "python"
        self.measuring = how.backend == "auto" and measured and self.workers > 1
        self.backend: Backend = Serial(work)
        if not self.measuring:
            self.backend = self._chosen(how.backend)

    def _chosen(self, backend: str) -> Backend:
        if backend == "dask":
            return Dask(self.work, self.how.scheduler or "")
        if backend == "serial" or (backend == "auto" and self.workers == 1):
            return Serial(self.work)
        if backend == "processes" or (backend == "auto" and self.in_processes):
            return Processes(self.work, self.workers)
        return Threads(self.work, self.workers)

    def results(self, tick: Any) -> Iterator[Any]:
        for number in range(len(self.units)):
            while number not in self.ready:
                self._feed(number)
                self._collect()
            self._feed(number)
            result, problem = self.ready.pop(number)
            tick()
            if isinstance(problem, LostUnitError):
                raise self._lost(number, problem, tick)
            if problem is not None:
                raise problem
            yield result

    def _feed(self, turn: int) -> None:
        """Keep everybody busy, but nobody too far ahead of the unit whose turn it is."""
        furthest = min(turn + 2 * self.backend.slots, len(self.units))
        while self.under_way < self.backend.slots and self.next < furthest:
            number, self.next = self.next, self.next + 1
            stored = None if self.job is None else self.job.get(number)
            if stored is None:
                self.backend.give(number, self.units[number])
                self.under_way += 1
            else:
                self.ready[number] = stored, None

    def _collect(self) -> None:
        if not self.under_way:
            return
        start = perf_counter()
        for number, result, problem in self.backend.take():
            self.under_way -= 1
            if problem is None and self.job is not None:
                self.job.put(number, result)
            self.ready[number] = result, problem
        if self.measuring:
            self._measure(perf_counter() - start)

    def _measure(self, seconds: float) -> None:
        """After a unit done here: is the rest worth the help of others?"""
        rest = seconds * (len(self.units) - self.next)
        started = not self.in_processes or processes_wait()
        if rest > (WORTH_THREADS if started else WORTH_PROCESSES):
            self.measuring = False
            self.backend = self._chosen("auto")

    def _lost(self, number: int, problem: LostUnitError, tick: Any) -> InputError:
        """The complaint about a unit that nobody survived, after all others were stored."""
        what = f"{self.name}, unit {number + 1} of {len(self.units)}, {_spell(self.units[number])}"
        said = f"{what}: ended its worker process every time it was tried ({problem})"
        if self.job is None:
            return InputError(f"{said}; --checkpoint DIR would keep the other units")
        failed = 1
        for other in range(number + 1, len(self.units)):
            while other not in self.ready:
                self._feed(other)
                self._collect()
            failed += self.ready.pop(other)[1] is not None
            tick()
        kept = len(self.units) - failed
        return InputError(f"{said}; the {kept} other units are kept in {self.job.folder.parent}")


def _spell(unit: Any) -> str:
    if isinstance(unit, slice):
        return f"rows {unit.start} to {unit.stop - 1}"
    text = str(unit)
    return text if len(text) <= 120 else f"{text[:117]}..."


def _resume(how: Execution, job: Job | None, units: int) -> str:
    if how.checkpoint is None or job is None:
        return "interrupted; with --checkpoint DIR finished work is kept for the next time"
    return (
        f"interrupted; the same command continues from {how.checkpoint.folder} "
        f"({job.stored} of {units} units of this step are stored)"
    )
