"""What happens in a worker process: a user's function is called, and nothing it does matters.

It may print, warn, raise, exit, return nonsense or never return; the outcome of every call is a
number or one sentence. This module is all that a worker imports of metaeval's checker.
"""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import tempfile
import time
import warnings
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metaeval.limits import MEMORY, TimeLimit, memory_held, ring, set_alarm

Result = float | str
HUNG = "it did not return"
GREW = "its process grew"
SIZE = 8  # bytes of a progress file


class Progress:
    """The number of the call that is being made, in a file that outlives the process."""

    def __init__(self, path: str) -> None:
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), SIZE)

    @staticmethod
    def create() -> str:
        """A new file that says 0."""
        handle, path = tempfile.mkstemp(prefix="metaeval-")
        with os.fdopen(handle, "wb") as file:
            file.write(bytes(SIZE))
        return path

    def write(self, number: int) -> None:
        self._map[:] = number.to_bytes(SIZE, "little")

    def close(self) -> None:
        self._map.close()

    def read(self) -> int:
        return int.from_bytes(self._map[:], "little")


_progress: list[Progress] = []
_base = [0]  # bytes held before the first call


def begin(path: str) -> None:
    """Set up the process: note progress in the file, let nothing out on stdout or stderr."""
    _progress[:] = [Progress(path)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    warnings.simplefilter("ignore")
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, ring)


@lru_cache(maxsize=4)
def unpack(payload: bytes) -> Any:
    """The function, what it takes and its keyword arguments."""
    return pickle.loads(payload)


@dataclass(frozen=True)
class Calls:
    """The work of a process: a unit is a stack with a limit, or None to get ready."""

    path: str
    payload: bytes

    def __call__(self, unit: tuple[NDArray[np.int16], float] | None) -> Any:
        if unit is not None:
            return call_all(self.payload, *unit)
        begin(self.path)
        unpack(self.payload)  # import what the function needs, before the clock runs
        _base[0] = memory_held()
        return None


def call_all(
    payload: bytes, stack: NDArray[np.int16], limit: float
) -> tuple[list[Result], float, bool]:
    """Results for the first matrices of a stack (n, K, K), the seconds spent, if one was cut off.

    It returns early once `limit` seconds are used up or a call is cut off, so that the caller
    never waits much longer than two limits; what is missing is to be asked for again.
    """
    function, takes, arguments = unpack(payload)
    results: list[Result] = []
    cut = False
    start = time.perf_counter()
    for number, matrix in enumerate(stack):
        _progress[0].write(number)
        given = _labels(matrix) if takes == "labels" else (matrix.astype(np.int64),)
        cut = _call(function, given, arguments, limit, results)
        if cut or time.perf_counter() - start > limit:
            break
    return results, time.perf_counter() - start, cut


def _call(function: Any, given: Any, arguments: Any, limit: float, results: list[Result]) -> bool:
    """Append one result; true if the call was cut off."""
    try:
        set_alarm(limit)
        try:
            value = function(*given, **arguments)
        finally:
            set_alarm(0)
    except TimeLimit:
        results.append(f"{HUNG} within {limit:g} seconds")
        return True
    except BaseException as problem:  # SystemExit and KeyboardInterrupt are the function's, too
        results.append("it raised " + " ".join(f"{type(problem).__name__}: {problem}".split()))
        return False
    grown = memory_held() - _base[0]
    if grown > MEMORY:
        results.append(f"{GREW} by {grown >> 20} MiB: it does not release its memory")
        return True
    results.append(as_number(value))
    return False


def as_number(value: Any) -> Result:
    """A returned value as a float, or what is wrong with it."""
    try:
        array = np.asarray(value)
    except Exception:
        array = np.asarray(None)
    if array.ndim == 0 and (array.dtype.kind in "biuf" or isinstance(value, Real)):
        return float(array)
    if array.ndim > 0 and array.dtype.kind in "biuf":
        return f"it returned an array of shape {array.shape}, not a number"
    try:
        shown = repr(value)[:60]
    except Exception:
        shown = "something that cannot be shown"
    return f"it returned {shown}, not a number"


def _labels(matrix: NDArray[np.int16]) -> tuple[Any, Any]:
    true, pred = np.indices(matrix.shape).reshape(2, -1)
    times = matrix.ravel()
    return np.repeat(true, times), np.repeat(pred, times)
