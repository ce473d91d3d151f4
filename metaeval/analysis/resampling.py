"""Resamples of test cases and of systems, and work on them in blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from metaeval.batch import Array
from metaeval.errors import InputError
from metaeval.execution import Jobs, Kind, run, settle

Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True)
class Plan:
    """How uncertainty is measured: number of resamples, level of intervals, seed, workers."""

    replicates: int = 1000
    level: float = 0.95
    seed: int = 0
    jobs: Jobs = None

    def __post_init__(self) -> None:
        if self.replicates < 0:
            raise InputError(f"replicates must not be negative; got {self.replicates}")
        if not 0 < self.level < 1:
            raise InputError(f"level must lie between 0 and 1, as in 0.95; got {self.level}")
        settle(self.jobs)  # complains

    def case_weights(self, cases: int) -> Array:
        """How often each test case occurs in each resample of the cases."""
        return draws(cases, self.replicates, streams(self.seed, "cases")[0])

    def system_weights(self, systems: int) -> Array:
        """How often each system occurs in each resample of the systems."""
        return draws(systems, self.replicates, streams(self.seed, "systems")[0])


# Every use of randomness has a key of its own; a new one goes to the end.
_USES = ("cases", "systems", "tukey", "bootstrap", "splits")


def streams(seed: int, use: str, count: int = 1) -> list[np.random.Generator]:
    """Independent generators that depend on the seed, the use and their number only."""
    if seed < 0:
        raise InputError(f"the seed must not be negative; got {seed}")
    root = np.random.SeedSequence(seed, spawn_key=(_USES.index(use),))
    return [np.random.Generator(np.random.PCG64(child)) for child in root.spawn(count)]


def draws(size: int, replicates: int, rng: np.random.Generator) -> Array:
    """How often each of `size` things occurs in each resample of as many things.

    All resamples are drawn at once, before work is cut into blocks: neither threads nor blocks
    can change them.
    """
    return rng.multinomial(size, np.full(size, 1 / size), size=replicates).astype(np.float64)


def in_blocks(
    work: Callable[[slice], NDArray[Number]],
    total: int,
    block: int,
    jobs: Jobs = None,
    *,
    name: str = "resampling",
    kind: Kind = "numpy",
) -> NDArray[Number]:
    """`work` on the blocks of range(total), its results joined along the first axis.

    The blocks depend on the task alone. Threads suffice where `work` is numpy, and nothing has
    to be copied to other processes.
    """
    parts = [slice(start, min(start + block, total)) for start in range(0, total, block)]
    return np.concatenate(list(run(work, parts, jobs, name=name, kind=kind)))
