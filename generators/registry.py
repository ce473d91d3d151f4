"""The families by name: what a family is, how it is registered, how its parameters are read."""

import inspect
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from generators import plugins
from generators.checks import GeneratorError, choice, listed, nearest_name

Array = NDArray[np.int64]
Kind = Literal["outputs", "matrices"]
# mypy cannot express "these positional arguments, then any keywords"
Function = TypeVar("Function", bound=Callable[..., Any])

# What every function of a kind is given, in this order; its keyword-only arguments are parameters
GIVEN: Final[dict[str, tuple[str, ...]]] = {
    "outputs": ("gold", "classes", "rng"),
    "matrices": ("count", "rng"),
}


class _Required:
    def __repr__(self) -> str:
        return "required"


REQUIRED: Final = _Required()
"""Stands where a parameter has no default."""


@dataclass(frozen=True)
class Family:
    """What a user can know about a family; ``parameters`` maps names to defaults."""

    name: str
    kind: Kind
    parameters: dict[str, object]
    paper: str
    description: str


_registered: dict[str, tuple[Family, Callable[..., Array]]] = {}
_groups_to_load = ["metaeval.generators"]
_loading = threading.RLock()


def register(
    *, kind: Kind, name: str | None = None, paper: str = ""
) -> Callable[[Function], Function]:
    """Decorator that makes a function a family.

    An ``outputs`` family is ``f(gold, classes, rng, *, ...)``: it is given labels of shape
    ``(cases, items)`` and returns, in the same shape, the label that each item has when it is hit
    by an error. A ``matrices`` family is ``f(count, rng, *, ...)`` and returns integers of shape
    ``(count, K, K)``. Keyword-only arguments are the family's parameters, the first line of the
    docstring describes it. Draw all randomness from ``rng``, in shapes that do not depend on the
    labels' values; then every part of a result is reproducible by itself.

    An installed package makes its families known by an entry point of the group
    ``metaeval.generators`` that names the module, or the function, to import.
    """
    choice("kind", kind, list(GIVEN))

    def decorate(function: Function) -> Function:
        family = Family(
            name=name or function.__name__,
            kind=kind,
            parameters=_parameters(function, kind),
            paper=paper,
            description=(inspect.getdoc(function) or "").partition("\n")[0],
        )
        known = _registered.get(family.name)
        # the same function again is a notebook cell run twice, or a reloaded module
        if known and _origin(known[1]) != _origin(function):
            raise GeneratorError(f"a family named {family.name!r} is already registered")
        _registered[family.name] = family, function
        return function

    return decorate


def families() -> list[Family]:
    """All families, label outputs first."""
    _load_plugins()
    found = (family for family, _ in _registered.values())
    return sorted(found, key=lambda family: (family.kind != "outputs", family.name))


def bound(name: str, kind: Kind, parameters: Mapping[str, object]) -> Callable[..., Array]:
    """The function of a family with its parameters filled in; its complaints name the family."""
    _load_plugins()
    if name not in _registered:
        raise GeneratorError(f"unknown family {name!r}{nearest_name(name, _registered)}")
    family, function = _registered[name]
    if family.kind != kind:
        raise GeneratorError(f"family {name!r} generates {family.kind}, not {kind}")
    for given in parameters:
        if given not in family.parameters:
            hint = nearest_name(given, family.parameters)
            raise GeneratorError(
                f"{name} has no parameter {given!r}{hint or ';'} "
                f"allowed: {listed(family.parameters)}"
            )
    for needed, default in family.parameters.items():
        if default is REQUIRED and needed not in parameters:
            raise GeneratorError(f"{name} needs the parameter {needed!r}")

    def call(*given: object) -> Array:
        try:
            return function(*given, **parameters)
        except GeneratorError as error:
            raise GeneratorError(f"{name}: {error}") from None

    return call


def _parameters(function: Callable[..., Any], kind: Kind) -> dict[str, object]:
    signature = inspect.signature(function).parameters.values()
    given = [p for p in signature if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    options = [p for p in signature if p.kind is p.KEYWORD_ONLY]
    if len(given) != len(GIVEN[kind]) or len(given) + len(options) != len(signature):
        raise GeneratorError(
            f"{function.__name__} must be written ({listed(GIVEN[kind])}, *, option=default, ...) "
            f"to be a family of {kind}"
        )
    return {p.name: REQUIRED if p.default is p.empty else p.default for p in options}


def _origin(function: Callable[..., Any]) -> tuple[str, str]:
    return function.__module__, function.__qualname__


def _load_plugins() -> None:
    with _loading:
        # emptied first: a plug-in may look up families while it is being imported
        while _groups_to_load:
            for _ in plugins.load(_groups_to_load.pop()):
                pass  # importing a plug-in runs its @register
