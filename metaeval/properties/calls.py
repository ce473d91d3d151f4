"""What happens in a worker process: a user's function is called, and nothing it does matters.

It may print, warn, raise, exit, return nonsense or never return; the outcome of every call is a
number or one sentence. This module is all that a worker imports of metaeval's checker.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import signal
import tempfile
import time
import warnings
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

Result = float | str
HUNG = "it did not return"
GREW = "its process grew"
MEMORY = 1 << 30  # bytes that a process may grow by: calls on a handful of items need far less
SIZE = 8  # bytes of a progress file


class TimeLimit(BaseException):
    """Not an Exception, so that a function's own `except Exception` does not swallow it."""


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
_base: list[int] = []  # bytes held before the first call, and the file that tells


def begin(path: str) -> None:
    """Set up the process: note progress in the file, let nothing out on stdout or stderr."""
    _progress[:] = [Progress(path)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    warnings.simplefilter("ignore")
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _ring)


def _ring(signum: int, frame: Any) -> None:
    raise TimeLimit


@lru_cache(maxsize=4)
def unpack(payload: bytes) -> Any:
    """The function, what it takes and its keyword arguments."""
    return pickle.loads(payload)


def ready(payload: bytes) -> None:
    """Import what the function needs, before the clock runs."""
    unpack(payload)
    with contextlib.suppress(OSError):  # only Linux tells; elsewhere memory is not watched
        _base[:] = [0, os.open("/proc/self/statm", os.O_RDONLY)]
        _base[0] = _memory()


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
        _alarm(limit)
        try:
            value = function(*given, **arguments)
        finally:
            _alarm(0)
    except TimeLimit:
        results.append(f"{HUNG} within {limit:g} seconds")
        return True
    except BaseException as problem:  # SystemExit and KeyboardInterrupt are the function's, too
        results.append("it raised " + " ".join(f"{type(problem).__name__}: {problem}".split()))
        return False
    grown = _memory() - _base[0] if _base else 0
    if grown > MEMORY:
        results.append(f"{GREW} by {grown >> 20} MiB: it does not release its memory")
        return True
    results.append(as_number(value))
    return False


def _memory() -> int:
    """The bytes that this process holds."""
    return int(os.pread(_base[1], 100, 0).split()[1]) * mmap.PAGESIZE


def _alarm(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        # It rings again: a bare `except:` may swallow the first one.
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.05 if seconds else 0)


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
