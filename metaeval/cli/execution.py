"""The options on how a long command is run, the same for all of them."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum, StrEnum
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

PANEL = "Execution"


class Backend(StrEnum):
    """Who does the work."""

    auto = "auto"
    serial = "serial"
    threads = "threads"
    processes = "processes"
    dask = "dask"


_OPTIONS: dict[str, tuple[Any, Any]] = {
    "jobs": (
        Annotated[
            int | None,
            typer.Option(
                "--jobs",
                "-j",
                min=0,
                help="Workers; 0: all cores. Default: all cores if the work is slow.",
                rich_help_panel=PANEL,
            ),
        ],
        None,
    ),
    "backend": (
        Annotated[Backend, typer.Option(help="Who does the work.", rich_help_panel=PANEL)],
        Backend.auto,
    ),
    "scheduler": (
        Annotated[
            str | None,
            typer.Option(
                metavar="tcp://HOST:PORT",
                help="Of the dask cluster, with --backend dask.",
                rich_help_panel=PANEL,
            ),
        ],
        None,
    ),
    "checkpoint": (
        Annotated[
            Path | None,
            typer.Option(
                metavar="DIR",
                help="Keep finished work here; the same command continues from it.",
                rich_help_panel=PANEL,
            ),
        ],
        None,
    ),
    "memory": (
        Annotated[
            str,
            typer.Option(
                metavar="SIZE", help="Limit for the data worked on.", rich_help_panel=PANEL
            ),
        ],
        "1GiB",
    ),
    "quiet": (
        Annotated[bool, typer.Option("--quiet", "-q", help="No progress.", rich_help_panel=PANEL)],
        False,
    ),
}

# Options that change how results are shown or stored, but no unit of work.
_SHOWN = {"format", "out", "force", "open_", "show", "long"}


def executed(command: Callable[..., None]) -> Callable[..., None]:
    """A command with these options, which are handed to it as `how`, an `Execution`."""
    command.__annotations__.pop("how")  # its class is loaded when the command runs
    hints = get_type_hints(command, include_extras=True)
    own = [
        parameter.replace(annotation=hints[name])
        for name, parameter in inspect.signature(command).parameters.items()
        if name != "how"
    ]

    @functools.wraps(command)
    def wrapped(**given: Any) -> None:
        asked = {name: given.pop(name) for name in _OPTIONS}
        how = _execution(command.__name__, given, **asked)
        from metaeval.execution.running import Interrupted

        try:
            command(**given, how=how)
        except Interrupted as stop:
            typer.echo(f"metaeval: {stop}", err=True)
            raise typer.Exit(130) from None

    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)
        for name, (hint, default) in _OPTIONS.items()
    ]
    wrapped.__signature__ = inspect.Signature([*own, *added])  # type: ignore[attr-defined]
    wrapped.__annotations__ = {p.name: p.annotation for p in (*own, *added)}
    del wrapped.__wrapped__
    return wrapped


def _execution(
    command: str,
    given: Mapping[str, Any],
    *,
    jobs: int | None,
    backend: Backend,
    scheduler: str | None,
    checkpoint: Path | None,
    memory: str,
    quiet: bool,
) -> Any:
    from metaeval.execution import Execution
    from metaeval.execution.how import read_memory

    kept = None
    if checkpoint is not None:
        from metaeval.execution.checkpoint import Checkpoint

        kept = Checkpoint(checkpoint, _identity(command, given))
    return Execution(jobs, backend.value, scheduler, kept, read_memory(memory), quiet)


def _identity(command: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the results depend on: the options, and the content of every file that they name."""
    from metaeval.execution.checkpoint import digest

    options = {name: _plain(value) for name, value in given.items() if name not in _SHOWN}
    if command == "score" and given.get("out") is not None:
        options["kind of file"] = Path(given["out"]).suffix
    named = sorted({Path(name) for name in _files(options.values())})
    files = {str(path): digest(path) for path in named if path.is_file()}
    return {"command": command, "options": options, "files": files}


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Path) else value


def _files(values: Any) -> Iterator[str]:
    """Everything that may be the name of a file: data, studies, and metrics in Python files."""
    for value in values:
        if isinstance(value, list):
            yield from _files(value)
        elif isinstance(value, str):
            yield value
            yield from re.findall(r"([^,]+\.py):\w+", value)
