"""Functions named on the command line: `package.module:function` and `path/file.py:function`."""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from metaeval.errors import InputError, unknown
from metaeval.properties.subject import Takes


@dataclass(frozen=True)
class Loaded:
    """A function, its name in reports, and how a line of Python fetches and calls it.

    `run` is the code that runs its file or module, which registers what is registered there.
    """

    function: Callable[..., Any]
    name: str
    setup: str
    called: str = "m"
    run: str = ""


def load(name: str) -> Loaded:
    """Fetch the function that a name with a colon means."""
    where, _, attribute = name.rpartition(":")
    path = Path(where)
    if path.suffix == ".py":
        module = _from_file(path, name)
        run = f"import runpy; runpy.run_path({str(path)!r})"
        setup = f"import runpy; m = runpy.run_path({str(path)!r})[{attribute!r}]"
    else:
        module = _import(where, name)
        run = f"import {where}"
        setup = f"from {where} import {attribute} as m"
    if not hasattr(module, attribute):
        public = [n for n, v in vars(module).items() if callable(v) and not n.startswith("_")]
        raise unknown(f"function in {where}", attribute, public)
    function = getattr(module, attribute)
    if not callable(function):
        raise InputError(f"{name} is not a function but {type(function).__name__}")
    return Loaded(function, name, setup, run=run)


def describe(function: Callable[..., Any]) -> Loaded:
    """A function that the caller has at hand: imported from where it is, if that is possible."""
    name = getattr(function, "__name__", type(function).__name__)
    home = getattr(function, "__module__", None) or "__main__"
    if home != "__main__" and getattr(sys.modules.get(home), name, None) is function:
        return Loaded(function, name, f"from {home} import {name} as m")
    return Loaded(function, name, "", name if name.isidentifier() else "metric")


@contextlib.contextmanager
def _aside() -> Iterator[None]:
    """What a module prints or sets in numpy while it is imported is no part of the result."""
    with contextlib.redirect_stdout(sys.stderr), np.errstate():
        yield


def _import(where: str, name: str) -> Any:
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # a module next to the user is meant to be found
    try:
        with _aside():
            return importlib.import_module(where)
    except (Exception, SystemExit) as problem:
        raise InputError(f"{name}: cannot import {where}: {_say(problem)}") from None


def _from_file(path: Path, name: str) -> Any:
    if not path.is_file():
        raise InputError(f"{name}: there is no file {path}")
    # A name of its own: a user's numbers.py must not pass for the standard library's.
    own = f"_checked_{path.stem}_{crc32(str(path.resolve()).encode()):08x}"
    content = crc32(path.read_bytes())
    known = sys.modules.get(own)
    if known is not None and getattr(known, "_checked_content", None) == content:
        return known  # several functions of one file: it is run once
    spec = importlib.util.spec_from_file_location(own, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # the file may import its neighbours, here and in the workers
    sys.modules[own] = module
    try:
        with _aside():
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as problem:
        del sys.modules[own]
        raise InputError(f"{name}: cannot run {path}: {_say(problem)}") from None
    # Workers cannot import the file by that name, so its functions travel to them by value.
    from cloudpickle import (  # type: ignore[import-untyped, unused-ignore]
        register_pickle_by_value,
    )

    register_pickle_by_value(module)
    module._checked_content = content  # type: ignore[attr-defined]
    return module


def _say(problem: BaseException) -> str:
    return " ".join(f"{type(problem).__name__}: {problem}".split())


def read_arguments(texts: Iterable[str]) -> dict[str, Any]:
    """Keyword arguments written as name=value; a value that is no Python literal is text."""
    arguments = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise InputError(f"an argument is written name=value; got {text!r}")
        try:
            arguments[name] = ast.literal_eval(value)
        except (SyntaxError, ValueError):
            arguments[name] = value
    return arguments


def recognise(function: Callable[..., Any], name: str, arguments: Mapping[str, Any]) -> Takes:
    """What a function takes, by the number of positional parameters that it requires."""
    how = "say takes='labels' or takes='matrix' (on the command line --takes)"
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise InputError(f"{name} does not say what it takes; {how}") from None
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    required = [
        p
        for p in parameters
        if p.kind in positional and p.default is p.empty and p.name not in arguments
    ]
    if len(required) == 1:
        return "matrix"
    if len(required) == 2:
        return "labels"
    raise InputError(
        f"{name} requires {len(required)} positional arguments; a metric takes one matrix or "
        f"two label vectors, {how}"
    )
