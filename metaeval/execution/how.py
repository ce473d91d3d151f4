"""How a job is run: as data, apart from what it computes."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from metaeval.errors import InputError, unknown

if TYPE_CHECKING:
    from metaeval.execution.checkpoint import Checkpoint

BACKENDS = ("auto", "serial", "threads", "processes", "dask")
GIBIBYTE = 1 << 30


@dataclass(frozen=True)
class Execution:
    """Who does the work and within which limits; no result depends on it.

    `jobs` is a number of workers, 0 for all cores, None to use all cores only for work that is
    slow enough to gain from them. `memory` in bytes limits what is worked on at a time.
    """

    jobs: int | None = None
    backend: str = "auto"
    scheduler: str | None = None
    checkpoint: Checkpoint | None = None
    memory: int = GIBIBYTE
    quiet: bool = True

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 0:
            raise InputError(f"jobs must not be negative (0 means all cores); got {self.jobs}")
        if self.backend not in BACKENDS:
            raise unknown("backend", self.backend, BACKENDS)
        if self.backend == "dask" and not self.scheduler:
            raise InputError("the backend dask needs a scheduler, as in tcp://HOST:8786")
        if self.scheduler and self.backend != "dask":
            raise InputError("a scheduler is for the backend dask")
        if self.memory < 1:
            raise InputError(f"memory must be positive; got {self.memory}")

    def workers(self, units: int, size: int) -> int:
        """How many units are worked on at a time, if each needs so many bytes."""
        wanted = self.jobs or os.cpu_count() or 1
        return max(1, min(wanted, units, self.memory // max(size, 1)))


# What functions take for `jobs`: a number of workers, or everything about the execution.
Jobs = int | Execution | None


def settle(jobs: Jobs) -> Execution:
    """A number of workers as an execution."""
    return jobs if isinstance(jobs, Execution) else Execution(jobs)


_UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}


def read_memory(text: str) -> int:
    """A size as people write it, 512MB or 1.5GiB, in bytes; units are powers of 1024."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?", text.strip().upper())
    size = int(float(match[1]) * 2 ** _UNITS[match[2]]) if match else 0
    if size < 1:
        raise InputError(f"a size of memory is written as 512MB or 1GiB; got {text!r}")
    return size
