"""What a metric's parameter may be; said in the error when it is something else."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from metaeval.errors import InputError


@dataclass(frozen=True)
class Domain:
    """The allowed values of a parameter, in words and as a test that also normalises."""

    words: str
    accept: Callable[[Any], Any]  # the value in its normal form; raises ValueError or TypeError

    def check(self, metric: str, name: str, value: Any) -> Any:
        try:
            return self.accept(value)
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"{metric}: {name} must be {self.words}; got {value!r}") from None


def _real(value: Any, test: Callable[[float], bool]) -> float:
    if isinstance(value, (bool, str)) or not test(float(value)) or math.isnan(float(value)):
        raise ValueError
    return float(value)


def at_least(low: float) -> Domain:
    return Domain(
        f"a finite number of at least {low:g}",
        lambda v: _real(v, lambda x: low <= x < math.inf),
    )


def above(low: float) -> Domain:
    return Domain(
        f"a finite number above {low:g}", lambda v: _real(v, lambda x: low < x < math.inf)
    )


def whole_from(low: int) -> Domain:
    def accept(value: Any) -> int:
        if isinstance(value, (bool, str)) or int(value) != value or value < low:
            raise ValueError
        return int(value)

    return Domain(f"a whole number of at least {low}", accept)


def one_of(*choices: Any) -> Domain:
    def accept(value: Any) -> Any:
        if not any(value is c or (type(value) is type(c) and value == c) for c in choices):
            raise ValueError
        return value

    return Domain("one of " + ", ".join(map(repr, choices)), accept)


def optional(domain: Domain) -> Domain:
    return Domain(f"{domain.words}, or None", lambda v: None if v is None else domain.accept(v))


def _cost_matrix(value: Any) -> tuple[tuple[float, ...], ...]:
    rows = tuple(tuple(_real(x, lambda c: 0 <= c < math.inf) for x in row) for row in value)
    square = len(rows) >= 2 and all(len(row) == len(rows) for row in rows)
    if not square or any(rows[i][i] for i in range(len(rows))):
        raise ValueError
    return rows


COST_MATRIX = Domain(
    "a square table of costs, true classes in rows, not negative and 0 on the diagonal",
    _cost_matrix,
)
