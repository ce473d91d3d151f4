"""Limits for functions that nobody can trust to return, or to let go of memory."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

try:
    import resource
except ImportError:  # Windows: memory is not watched there
    resource = None  # type: ignore[assignment]

MEMORY = 1 << 30  # bytes that a process may grow by: one call needs far less
_UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0


class TimeLimit(BaseException):
    """Not an Exception, so that a function's own `except Exception` does not swallow it."""


def ring(signum: int, frame: Any) -> None:
    """What the alarm does, wherever the program is."""
    raise TimeLimit


def set_alarm(seconds: float) -> None:
    """`ring` after so many seconds; 0 turns the alarm off."""
    if hasattr(signal, "setitimer"):
        # It rings again: a bare `except:` may swallow the first one.
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.05 if seconds else 0)


@contextmanager
def alarms() -> Iterator[Callable[[float], None]]:
    """`set_alarm`, for a while; nothing where there are no alarms: other threads, Windows."""
    if not hasattr(signal, "setitimer") or threading.current_thread().ident != _main():
        yield lambda seconds: None
        return
    before = signal.signal(signal.SIGALRM, ring)
    try:
        yield set_alarm
    finally:
        set_alarm(0)
        signal.signal(signal.SIGALRM, before)


def _main() -> int | None:
    return threading.main_thread().ident


def memory_held() -> int:
    """The bytes that this process holds; where only the most is known, the most it ever held."""
    # That most is not asked for first: on Linux a process begins with its parent's.
    try:
        with open("/proc/self/statm", "rb", buffering=0) as file:
            return int(file.read().split()[1]) * _PAGE
    except OSError:
        if resource is None:
            return 0
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * _UNIT
