"""Checks of single values in a study's file; what is wrong is said where it stands."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from metaeval.errors import InputError, unknown
from metaeval.studies.locate import Path

MOST = 10**9 - 1
# Takes a value as TOML gives it, returns it as the study wants it, or raises a CheckError.
Check = Callable[[Any], Any]


class CheckError(Exception):
    """What is wrong with a value, and where inside it."""

    def __init__(self, message: object, *path: str | int) -> None:
        super().__init__(str(message))
        self.path: Path = path


def inside(place: str | int, check: Check, value: Any) -> Any:
    """Check a part of a value; its problems are known to be in that part."""
    try:
        return check(value)
    except CheckError as problem:
        raise CheckError(problem, place, *problem.path) from None


def text(value: Any) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise CheckError(f"expected a text, got {value!r}")
    return value


def whole(low: int) -> Check:
    """A whole number of at least `low`, and not beyond what anything can be counted to."""

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < low:
            raise CheckError(f"expected a whole number of at least {low}, got {value!r}")
        if value > MOST:
            raise CheckError(f"expected a whole number of at most {MOST}, got {value!r}")
        return value

    return check


def number(low: float, high: float) -> Check:
    """A number within two limits."""

    def check(value: Any) -> float:
        wrong = isinstance(value, bool) or not isinstance(value, (int, float))
        if wrong or not low <= value <= high:
            limits = "a finite number" if math.isinf(low) else f"a number from {low:g} to {high:g}"
            raise CheckError(f"expected {limits}, got {value!r}")
        return value if abs(value) < 2**53 else float(value)  # numpy takes no longer integers

    return check


def either(*checks: Check) -> Check:
    """What one of several checks lets pass; the last one's problem is told."""

    def check(value: Any) -> Any:
        for attempt in checks[:-1]:
            try:
                return attempt(value)
            except CheckError:
                continue
        return checks[-1](value)

    return check


def several(check: Check, distinct: bool = True) -> Check:
    """A list of values, at least one, no two of them equal."""

    def check_all(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or not value:
            raise CheckError(f"expected a list with at least one entry, got {value!r}")
        found: list[Any] = []
        for place, entry in enumerate(value):
            checked = inside(place, check, entry)
            if distinct and checked in found:
                raise CheckError(f"{entry!r} stands there twice", place)
            found.append(checked)
        return tuple(found)

    return check_all


def choice(kind: str, known: Iterable[str]) -> Check:
    """One of some names."""
    names = list(known)

    def check(value: Any) -> str:
        if value not in names:
            raise CheckError(unknown(kind, str(value), names))
        return str(value)

    return check


def metric_name(value: Any) -> str:
    """A metric that is registered, by the name that its results will have."""
    from metaeval.measures.registry import metric

    try:
        return metric(text(value)).name
    except InputError as problem:
        raise CheckError(problem) from None


def anything(value: Any) -> Any:
    """Whatever it is; something else will look at it."""
    return value


def mapping(check: Check) -> Check:
    """A table with any keys, whose values are checked."""

    def check_all(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise CheckError(f"expected a table, got {value!r}")
        return {key: inside(key, check, entry) for key, entry in value.items()}

    return check_all


def table(fields: Mapping[str, Check], required: Iterable[str] = ()) -> Check:
    """A table that has only these keys, and at least the required ones."""

    def check(value: Any) -> dict[str, Any]:
        mapping(anything)(value)
        for key in value:
            if key not in fields:
                raise CheckError(unknown("key", key, fields), key)
        for key in required:
            if key not in value:
                raise CheckError(f"the key {key!r} is missing")
        return {key: inside(key, fields[key], entry) for key, entry in value.items()}

    return check
