"""Scores with a note of which ones could not be had, and how two scores are compared.

Two scores count as the same if they differ by at most TOLERANCE times the larger of 1 and their
magnitudes. The same score is neither a gain nor a loss, so rounding can never pass for either.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 1e-9
ROUNDING = 1e-13  # differences up to this are rounding and nothing else

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Scores:
    """Natural scores, NaN where there is none; `failed` marks calls that broke."""

    values: Values
    failed: Mask

    @classmethod
    def sound(cls, values: Values) -> Scores:
        """Scores none of which broke."""
        return cls(values, np.zeros(values.shape, dtype=np.bool_))


@dataclass(frozen=True)
class Judgement:
    """Of every case: does it violate the property, and was a score missing to tell?"""

    violated: Mask
    undefined: Mask
    # Violations by a gain within the tolerance that may be real. One item among hundreds can
    # change a score by less than the tolerance, so the random search passes over these.
    close: Mask | None = None

    def clear(self) -> Judgement:
        """Without the violations that larger numbers alone may explain."""
        if self.close is None:
            return self
        return replace(self, violated=self.violated & ~self.close)


def same(left: Values, right: Values, tolerance: float = TOLERANCE) -> Mask:
    """Equal within the tolerance; infinities only equal themselves, NaN equals nothing."""
    scale = np.maximum(1.0, np.maximum(np.abs(left), np.abs(right)))
    with np.errstate(invalid="ignore"):
        near = np.abs(left - right) <= tolerance * scale
    result: Mask = (left == right) | (near & np.isfinite(left) & np.isfinite(right))
    return result


def better(left: Values, right: Values) -> Mask:
    """Left is higher by more than the tolerance."""
    return (left > right) & ~same(left, right)


def should_equal(left: Values, right: Values) -> Judgement:
    """Equality: a score on one side only is a violation, none on both says nothing."""
    neither = np.isnan(left) & np.isnan(right)
    return Judgement(~same(left, right) & ~neither, neither)


def should_exceed(left: Values, right: Values) -> Judgement:
    """Left must be strictly better; without both scores nothing can be said."""
    missing = np.isnan(left) | np.isnan(right)
    close = same(left, right) & ~same(left, right, ROUNDING)
    return Judgement(~better(left, right) & ~missing, missing, close)


def should_reach(left: Values, right: Values) -> Judgement:
    """Left must be better or the same; without both scores nothing can be said."""
    missing = np.isnan(left) | np.isnan(right)
    return Judgement(better(right, left), missing)


def should_exist(values: Values) -> Judgement:
    """There must be a score."""
    return Judgement(np.isnan(values), np.zeros(values.shape, dtype=np.bool_))
