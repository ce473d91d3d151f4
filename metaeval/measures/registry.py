"""The registry: what a metric declares about itself, and how it is found by name."""

from __future__ import annotations

import ast
import inspect
import keyword
import logging
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from metaeval.errors import InputError, unknown
from metaeval.measures.domains import Domain
from metaeval.measures.metric import Metric
from metaeval.measures.premises import WHOLE_ITEMS, Premise

ENTRY_POINTS = "metaeval.metrics"

Takes = Literal["batch", "stack", "matrix", "labels"]


@dataclass(frozen=True)
class Bound:
    """A limit of a metric's range that depends on the number of classes."""

    words: str
    value: Callable[[int], float]


@dataclass(frozen=True)
class Definition:
    """Everything that is known about a metric, stated once, where its function is."""

    key: str
    function: Callable[..., Any]
    takes: Takes
    family: str
    greater_is_better: bool
    low: float | Bound
    high: float | Bound
    meaning: str
    formula: str
    paper: str
    year: int | None
    equation: str
    premises: tuple[Premise, ...]
    defaults: Mapping[str, Any]
    domains: Mapping[str, Domain]
    max_classes: int | None
    builtin: bool = field(default=False)


_definitions: dict[str, Definition] = {}
_state = {"plugins_loaded": False}


def register(
    key: str | None = None,
    *,
    greater_is_better: bool = True,
    range: tuple[float | Bound, float | Bound] = (float("-inf"), float("inf")),
    takes: Takes = "matrix",
    family: str = "user",
    meaning: str = "",
    formula: str = "",
    paper: str = "",
    year: int | None = None,
    equation: str = "",
    premises: Iterable[Premise] = (),
    parameters: Mapping[str, Domain] | None = None,
    max_classes: int | None = None,
    replace: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register the decorated function as a metric.

    `takes` says what the function is called with: "matrix", one K x K array, gives a number;
    "labels", two vectors of class indices, gives a number; "stack", an array (n, K, K), gives
    n numbers; "batch", a `metaeval.batch.Batch`, gives n numbers and has the class sizes and
    pair counts ready. Keyword parameters of the function are the metric's parameters. `formula`
    is LaTeX, for people.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        name = str(key or getattr(function, "__name__", ""))
        if not re.fullmatch(r"[a-z_][a-z0-9_]*", name) or keyword.iskeyword(name):
            raise InputError(f"a metric's key is a lower-case Python name; got {name!r}")
        known = _definitions.get(name)
        if known and not replace and not _loaded_again(known.function, function):
            raise InputError(f"a metric {name!r} is registered already; replace=True replaces it")
        first_line = (inspect.getdoc(function) or "").partition("\n")[0]
        _definitions[name] = Definition(
            key=name,
            function=function,
            takes=takes,
            family=family,
            greater_is_better=greater_is_better,
            low=range[0],
            high=range[1],
            meaning=meaning or first_line,
            formula=formula,
            paper=paper,
            year=year,
            equation=equation,
            premises=(*premises, *([WHOLE_ITEMS] if takes == "labels" else ())),
            defaults=_defaults(function, 2 if takes == "labels" else 1),
            domains=dict(parameters or {}),
            max_classes=max_classes,
            builtin=str(getattr(function, "__module__", "")).startswith("metaeval."),
        )
        _from_name.cache_clear()
        return function

    return decorate


def _loaded_again(old: Callable[..., Any], new: Callable[..., Any]) -> bool:
    """Another object from the same lines: a file that was run by name and that is a plug-in."""
    places = []
    for function in (old, new):
        code = getattr(function, "__code__", None)
        if code is None:
            return False
        places.append((os.path.realpath(code.co_filename), code.co_firstlineno, code.co_qualname))
    return old is not new and places[0] == places[1]


def registered(function: object) -> Definition | None:
    """The definition that a function was registered with, if it was."""
    return next((d for d in _definitions.values() if d.function is function), None)


def _defaults(function: Callable[..., Any], positional: int) -> dict[str, Any]:
    """The parameters of a metric: what its function takes beyond the data, with defaults."""
    found = list(inspect.signature(function).parameters.values())[positional:]
    variadic = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    named = [p for p in found if p.kind not in variadic]
    missing = [p.name for p in named if p.default is inspect.Parameter.empty]
    if missing:
        raise InputError(
            f"{function.__name__}: parameter {missing[0]!r} needs a default to be registered"
        )
    return {p.name: p.default for p in named}


def definitions() -> dict[str, Definition]:
    """All registered metrics by key: built-in ones first, plug-ins loaded on first use."""
    from metaeval.measures.builtin import ORDER  # registers on import

    if not _state["plugins_loaded"]:
        _state["plugins_loaded"] = True
        _load_plugins()
    listed = sorted(
        _definitions.items(), key=lambda item: ORDER.get(item[1].function.__module__, len(ORDER))
    )
    return dict(listed)


def _load_plugins() -> None:
    from generators.plugins import load

    for name, loaded in load(ENTRY_POINTS):
        # Loading a module may have registered its metrics already; a bare function is
        # registered here under its entry point's name.
        if not callable(loaded) or registered(loaded) is not None:
            continue
        try:
            register(name)(loaded)
        except (InputError, TypeError, ValueError) as problem:
            logging.getLogger("metaeval").warning("plug-in %r was skipped: %s", name, problem)


def metric(name: str | Metric, /, **parameters: Any) -> Metric:
    """Look up a metric: `metric("oc(beta=0.75)")` or `metric("oc", beta=0.75)`."""
    if isinstance(name, Metric):
        if not parameters:
            return name
        return _build(name.key, {**name.stated, **parameters})
    if not isinstance(name, str):
        raise InputError(f"a metric is looked up by its name, a text; got {name!r}")
    found = _from_name(name)
    return _build(found.key, {**found.stated, **parameters}) if parameters else found


@lru_cache(maxsize=1024)
def _from_name(name: str) -> Metric:
    key, stated = parse(name)
    return _build(key, stated)


def parse(name: str) -> tuple[str, dict[str, Any]]:
    """The key and the parameters written in a metric's name."""
    text = name.strip()
    if re.fullmatch(r"[\w.\-]+", text):
        return text, {}
    wrong = InputError(
        f"cannot read the metric name {name!r}; expected key or key(parameter=value, ...)"
    )
    try:
        call = ast.parse(text, mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            raise wrong
        stated = {k.arg: ast.literal_eval(k.value) for k in call.keywords if k.arg is not None}
        if len(stated) != len(call.keywords):
            raise wrong
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        raise wrong from None
    return call.func.id, stated


def split_names(text: str) -> list[str]:
    """Metric names joined by commas; a comma within brackets belongs to a parameter."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _build(key: str, stated: Mapping[str, Any]) -> Metric:
    known = definitions()
    if key not in known:
        raise unknown("metric", key, known)
    definition = known[key]
    for name in stated:
        if name not in definition.defaults:
            takes = ", ".join(definition.defaults) or "no parameters"
            raise InputError(f"{key} has no parameter {name!r}; it takes {takes}")
    checked = {
        name: definition.domains[name].check(key, name, stated[name])
        if name in definition.domains
        else stated[name]
        for name in definition.defaults
        if name in stated
    }
    return Metric(definition, checked)
