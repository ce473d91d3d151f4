"""Plain functions as metrics: `package.module:function` and `path/file.py:function`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from metaeval.measures.registry import Definition, definitions

_adopted: dict[str, Definition] = {}  # a file is run once, whoever asks


def adopt(name: str) -> Definition:
    """The definition of a named function: its own if it is registered, or what can be told.

    A function that is not registered takes a matrix, or two label vectors, by the number of its
    parameters. It is an error, where lower is better, if it scores a perfect output lower than a
    wholly wrong one.
    """
    if name in _adopted:
        return _adopted[name]
    from metaeval.properties.loading import load, recognise

    function = load(name).function
    stated = [d for d in definitions().values() if d.function is function]
    if stated:
        _adopted[name] = stated[0]
        return stated[0]
    takes = recognise(function, name, {})
    _adopted[name] = Definition(
        key=name,
        function=function,
        takes=takes,
        family="user",
        greater_is_better=not _is_error(function, takes),
        low=float("-inf"),
        high=float("inf"),
        meaning=(getattr(function, "__doc__", None) or "").strip().partition("\n")[0],
        paper="",
        year=None,
        equation="",
        premises=(),
        defaults={},
        domains={},
        max_classes=None,
    )
    return _adopted[name]


def _is_error(function: Callable[..., Any], takes: str) -> bool:
    from metaeval.measures.adapters import expand

    right, wrong = 5 * np.eye(2, dtype=np.int64), 5 * np.eye(2, dtype=np.int64)[::-1].copy()
    try:
        best, worst = (
            float(function(m) if takes == "matrix" else function(*expand(m)))
            for m in (right, wrong)
        )
    except Exception:
        return False  # whatever is wrong with it is said where it is used
    return best < worst
