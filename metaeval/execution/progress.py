"""Bars on stderr for whatever takes more than two seconds; nothing if nobody is looking."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

PATIENCE = 2.0  # seconds before a bar appears

_display: list[Any] = []  # a terminal has room for one display, which all jobs share


@contextmanager
def bar(name: str, total: int, quiet: bool, done: int = 0) -> Iterator[Callable[[], None]]:
    """A function to call after every unit."""
    if quiet or not sys.stderr.isatty():
        yield lambda: None
        return
    start = monotonic()
    shown: list[Any] = []
    count = [done]
    with _Shared() as shared:

        def tick() -> None:
            count[0] += 1
            if shown:
                shared.display.update(shown[0], completed=count[0])
            elif monotonic() - start > PATIENCE:
                display = shared.start()
                shown.append(display.add_task(name, total=total, completed=count[0]))

        try:
            yield tick
        finally:
            for task in shown:
                shared.display.remove_task(task)


@contextmanager
def stages(quiet: bool = False) -> Iterator[Callable[[str, float, float], None]]:
    """A function to tell the stage, what is done and what there is to do; jobs show below it."""
    if quiet or not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    with _Shared() as shared:
        display = shared.start()
        task = display.add_task("starting", total=None)

        def tell(stage: str, done: float, total: float) -> None:
            display.update(task, description=stage, completed=done, total=total)

        yield tell


class _Shared:
    """The one display: made by whoever needs it first, closed by whoever made it."""

    def __init__(self) -> None:
        self.own = False

    @property
    def display(self) -> Any:
        return _display[0]

    def start(self) -> Any:
        if not _display:
            _display.append(_make())
            self.own = True
            self.display.start()
        return self.display

    def __enter__(self) -> _Shared:
        return self

    def __exit__(self, *_: object) -> None:
        if self.own:
            _display.pop().stop()


def _make() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    class Rate(TextColumn):
        def render(self, task: Any) -> Any:
            from rich.text import Text

            speed = task.finished_speed or task.speed
            return Text(f"{speed:.3g}/s" if speed else "", style="progress.data.speed")

    return Progress(
        TextColumn("{task.description:<40}"),
        BarColumn(),
        Rate(""),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeLeft(),
        console=Console(stderr=True),
        transient=True,
    )
