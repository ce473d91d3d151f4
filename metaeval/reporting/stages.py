"""Progress on stderr, on a terminal only: the stage by name, a bar, the time left."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def stages() -> Iterator[Callable[[str, float, float], None]]:
    """A function to tell the stage, what is done and what there is to do."""
    if not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("{task.description:<46}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("starting", total=None)

        def tell(stage: str, done: float, total: float) -> None:
            bar.update(task, description=stage, completed=done, total=total)

        yield tell
