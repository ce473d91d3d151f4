"""One worker process: it has one unit at a time, so that it is known which unit ends it.

The process is started by joblib's loky, which neither forks threads nor runs the user's script
again. It ends as soon as the process that started it has gone, however that one ended.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import Any

IDLE = 60.0  # seconds without work after which a process ends by itself

# Units are parallel already; more threads for each would only be in each other's way.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class DiedError(Exception):
    """The process has ended; says how."""


class Worker:
    """A process that was told what to do with units."""

    def __init__(self, idle: float | None = IDLE) -> None:
        """Start the process, which ends by itself after so many seconds without work."""
        from joblib.externals.loky.backend import get_context

        context = get_context("loky")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(
            target=serve, args=(theirs, idle), daemon=True, env=ONE_THREAD
        )
        self.payload = b""
        try:
            with _deaf_to_interrupts():
                self.process.start()
        except BaseException:
            self.close()
            raise
        finally:
            theirs.close()

    def give(self, payload: bytes, unit: Any) -> None:
        """Start on a unit; `payload` is the pickled function, sent if it is another one."""
        try:
            if payload is not self.payload:
                self.connection.send_bytes(pickle.dumps(("work", (payload, sys.path))))
                self.payload = payload
            self.connection.send_bytes(pickle.dumps(("unit", unit)))
        except OSError:
            pass  # it has died; `take` says how

    def take(self) -> Any:
        """What came out of the unit; raises what the function raised, or `DiedError`."""
        try:
            raised, outcome = pickle.loads(self.connection.recv_bytes())
        except (EOFError, OSError):
            self.process.join(5)
            raise DiedError(_how(self.process.exitcode)) from None
        if raised:
            raise outcome
        return outcome

    @property
    def alive(self) -> bool:
        """Whether it can take work."""
        return bool(self.process.is_alive())

    def close(self) -> None:
        """End the process, whatever it is doing."""
        if self.process.pid is not None and self.process.exitcode is None:
            os.kill(self.process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            self.process.join()
        self.connection.close()


def _how(code: int | None) -> str:
    if code is not None and code < 0:
        name = signal.Signals(-code).name
        return f"{name}, perhaps out of memory" if name == "SIGKILL" else name
    return f"exit code {code}"


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Ctrl-C is for the process that the user started; that one ends its workers.

    A process inherits what is blocked. Here an interrupt waits until the process has been told
    everything: left half-way, it would complain on its own.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: waiting.append(number))
    block: Any = getattr(signal, "pthread_sigmask", lambda how, mask: set())
    before = block(getattr(signal, "SIG_BLOCK", 0), {signal.SIGINT})
    try:
        yield
    finally:
        block(getattr(signal, "SIG_SETMASK", 0), before)
        signal.signal(signal.SIGINT, handler)
    if waiting:
        raise KeyboardInterrupt


def serve(connection: Connection, idle: float | None) -> None:
    """What the process does: unit after unit, until nobody wants it any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # what a function prints is no part of the result
    messages: SimpleQueue[tuple[str, Any]] = SimpleQueue()
    threading.Thread(target=_listen, args=(connection, messages), daemon=True).start()
    work: Any = None
    while True:
        try:
            kind, content = messages.get(timeout=idle)
        except Empty:
            return
        if kind == "work":
            work, path = content
            # It may have been started before the user's function brought its own folder.
            sys.path += [folder for folder in path if folder not in sys.path]
            continue
        try:
            if isinstance(work, bytes):
                work = pickle.loads(work)
            answer = pickle.dumps((False, work(content)), protocol=5)
        except BaseException as problem:
            answer = _pickled(problem)
        connection.send_bytes(answer)


def _listen(connection: Connection, messages: SimpleQueue[tuple[str, Any]]) -> None:
    # A thread of its own notices at once, also in the middle of a unit, that nobody is there.
    try:
        while True:
            messages.put(pickle.loads(connection.recv_bytes()))
    except (EOFError, OSError):
        os._exit(1)


def _pickled(problem: BaseException) -> bytes:
    """An exception that can travel, with the lines where it happened."""
    lines = "".join(traceback.format_exception(problem))
    try:
        if not isinstance(problem, Exception):
            raise TypeError  # SystemExit is the function's, not ours
        problem.add_note(f"In a worker process:\n{lines}")
        problem.__cause__ = problem.__context__ = None
        answer = pickle.dumps((True, problem.with_traceback(None)))
        pickle.loads(answer)
    except Exception:
        print(lines, file=sys.stderr)
        return pickle.dumps((True, RuntimeError(f"{type(problem).__name__}: {problem}")))
    return answer
