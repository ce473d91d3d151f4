"""The registry: what a metric declares about itself, and how it is found by name."""

from __future__ import annotations

import ast
import inspect
import keyword
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from metaeval.errors import InputError, unknown
from metaeval.measures.domains import Domain
from metaeval.measures.metric import Metric
from metaeval.measures.premises import Premise

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
    n numbers; "batch", a `metaeval.batch.Batch`, gives n numbers and can share quantities with
    other metrics. Keyword parameters of the function are the metric's parameters.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        name = key or function.__name__
        if not re.fullmatch(r"[a-z_][a-z0-9_]*", name) or keyword.iskeyword(name):
            raise InputError(f"a metric's key is a lower-case Python name; got {name!r}")
        if name in _definitions and not replace:
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
            paper=paper,
            year=year,
            equation=equation,
            premises=tuple(premises),
            defaults=_defaults(function, 2 if takes == "labels" else 1),
            domains=dict(parameters or {}),
            max_classes=max_classes,
            builtin=function.__module__.startswith("metaeval."),
        )
        _from_name.cache_clear()
        return function

    return decorate


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
        if not callable(loaded) or any(d.function is loaded for d in _definitions.values()):
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
    if re.fullmatch(r"[^()]+:[A-Za-z_]\w*", name.strip()):
        from metaeval.measures.adoption import adopt

        return Metric(adopt(name.strip()), {})
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
