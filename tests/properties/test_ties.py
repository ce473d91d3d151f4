"""Rounding is neither a violation nor a gain."""

import numpy as np
import pytest

from metaeval.properties import check
from metaeval.properties.scores import (
    better,
    same,
    should_equal,
    should_exceed,
    should_exist,
    should_reach,
)
from tests.properties import metrics


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (0.1 + 0.2, 0.3, True),
        (1.0, 1.0 + 5e-10, True),
        (1.0, 1.0 + 2e-9, False),
        (1e12, 1e12 + 1, True),
        (np.inf, np.inf, True),
        (np.inf, 1.0, False),
        (np.inf, -np.inf, False),
        (np.nan, np.nan, False),
    ],
)
def test_same(left, right, equal):
    a, b = np.array([left]), np.array([right])
    assert bool(same(a, b)[0]) is equal
    assert bool(same(b, a)[0]) is equal
    if equal:
        assert not better(a, b).any()
        assert not better(b, a).any()


def judged(relation, *values):
    found = relation(*(np.array([value]) for value in values))
    return bool(found.violated[0]), bool(found.undefined[0])


def test_missing_scores():
    nan = float("nan")
    assert judged(should_equal, nan, nan) == (False, True)
    assert judged(should_equal, nan, 1.0) == (True, False)
    assert judged(should_exceed, nan, 1.0) == (False, True)
    assert judged(should_reach, 1.0, nan) == (False, True)
    assert judged(should_exist, nan) == (True, False)


def test_a_tie_is_no_gain_and_no_loss():
    assert judged(should_exceed, 0.1 + 0.2, 0.3) == (True, False)
    assert judged(should_reach, 0.3, 0.1 + 0.2) == (False, False)
    assert judged(should_equal, 0.1 + 0.2, 0.3) == (False, False)


@pytest.mark.parametrize("function", [metrics.jittered, metrics.tenths])
def test_noise_in_the_last_digits_violates_nothing(function):
    names = ["ordinal-invariance", "weak-monotonicity", "symmetry", "reversal-invariance"]
    frame = check(function, names, max_items=3, max_classes=3, samples=5, jobs=1).frame
    assert set(frame["outcome"]) == {"holds"}


def test_noise_in_the_last_digits_is_no_gain():
    for function in (metrics.jittered, metrics.nearly_mae):
        report = check(function, "monotonicity", max_items=3, max_classes=3, jobs=1)
        found = report.counterexample("monotonicity")
        assert (found.items, found.classes) == (3, 3)


def test_small_but_real_gains_on_large_matrices_are_not_called_ties():
    """With hundreds of items the gain of this metric falls below the tolerance."""
    assert check("cost_distance", "imbalance").outcome("imbalance") == "holds"


def test_the_tolerance_is_reported():
    assert set(check("mae", "identity", max_items=2).frame["tolerance"]) == {1e-9}
