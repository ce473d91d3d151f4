"""Fixed accuracy: sizes and accuracy exactly, the schemes' distributions by enumeration."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import generators
from generators.sizes import class_sizes
from generators.splits import LIMITED_SPLITS, SPLITS

SEED = np.random.SeedSequence(21)
SCHEMES = ["sequential", "multinomial", "uniform"]


def made(count=300, rng=SEED, **options):
    return generators.matrices("fixed_accuracy", count=count, rng=rng, **options)


@pytest.mark.parametrize(
    ("items", "classes", "largest", "sizes"),
    [
        (800, 4, 0.75, [600, 66, 67, 67]),
        (400, 4, 0.5, [200, 66, 67, 67]),
        (400, 4, None, [100] * 4),
        (400, 4, 0.25, [100] * 4),
        (1000, 5, 0.2, [200] * 5),
        (1000, 5, 0.75, [750, 62, 62, 63, 63]),
        (10, 4, None, [2, 2, 3, 3]),
        (9, 4, 0.25, [3, 2, 2, 2]),
        (5, 3, 1, [5, 0, 0]),
        (3, 3, 1 / 3, [1, 1, 1]),
    ],
)
def test_class_sizes(items, classes, largest, sizes):
    assert class_sizes(items, classes, largest).tolist() == sizes
    found = made(5, items=items, classes=classes, largest=largest, accuracy=1)
    assert (found == np.diag(sizes)).all()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_sizes_and_accuracy_are_exactly_as_asked(data):
    classes = data.draw(st.integers(2, 7))
    items = data.draw(st.integers(1, 300))
    right = data.draw(st.integers(0, items))
    largest = data.draw(st.one_of(st.none(), st.floats(1 / classes, 1)))
    diagonal, errors = data.draw(st.sampled_from(SCHEMES)), data.draw(st.sampled_from(SCHEMES))
    found = made(
        50,
        items=items,
        classes=classes,
        accuracy=right / items,
        largest=largest,
        diagonal=diagonal,
        errors=errors,
    )
    assert found.shape == (50, classes, classes)
    assert found.dtype == np.int64
    assert (found >= 0).all()
    assert (found.sum(axis=2) == class_sizes(items, classes, largest)).all()
    assert (np.trace(found, axis1=1, axis2=2) == right).all()


@pytest.mark.parametrize("errors", SCHEMES)
@pytest.mark.parametrize(("items", "accuracy", "largest"), [(400, 0.6, 0.5), (97, 0.33, 0.4)])
def test_class_wise_rounds_each_class(items, accuracy, largest, errors):
    found = made(items=items, accuracy=accuracy, largest=largest, mode="class-wise", errors=errors)
    sizes = class_sizes(items, 4, largest)
    diagonal = np.diagonal(found, axis1=1, axis2=2)
    assert (diagonal == np.floor(accuracy * sizes + 0.5)).all()
    assert (found.sum(axis=2) == sizes).all()


# the distributions, from the words of the definition


def sequential(total, limits):
    """Every split with its chance: each part in turn uniform on what is possible."""
    if len(limits) == 1:
        return {(total,): Fraction(1)}
    chances = {}
    low, high = max(0, total - sum(limits[1:])), min(limits[0], total)
    for first in range(low, high + 1):
        for rest, chance in sequential(total - first, limits[1:]).items():
            chances[first, *rest] = chance / (high - low + 1)
    return chances


def weighted(total, limits, weight):
    splits = [s for s in product(*(range(n + 1) for n in limits)) if sum(s) == total]
    whole = sum(weight(s) for s in splits)
    return {s: Fraction(weight(s), whole) for s in splits}


def diagonal_chances(scheme, total, sizes):
    if scheme == "sequential":
        return sequential(total, sizes)
    if scheme == "multinomial":  # which items are right, all choices alike
        choices = lambda split: prod(comb(n, f) for n, f in zip(sizes, split, strict=True))  # noqa: E731
        return weighted(total, sizes, choices)
    return weighted(total, sizes, lambda split: 1)


def error_chances(scheme, total, parts):
    limits = (total,) * parts
    if scheme == "sequential":
        return sequential(total, limits)
    if scheme == "multinomial":  # where each item goes, all choices alike
        return weighted(total, limits, lambda s: factorial(total) // prod(map(factorial, s)))
    return weighted(total, limits, lambda split: 1)


def agrees(found, chances):
    """Chi-square of drawn tuples against their chances, rare ones pooled."""
    drawn = Counter(map(tuple, found.tolist()))
    assert set(drawn) <= set(chances)
    expected = {s: float(c) * len(found) for s, c in chances.items()}
    rare = [s for s in expected if expected[s] < 5]
    table = [(drawn[s], expected[s]) for s in expected if s not in rare]
    if sum(expected[s] for s in rare) > 5:
        table.append((sum(drawn[s] for s in rare), sum(expected[s] for s in rare)))
    observed, wanted = zip(*table, strict=True)
    scale = sum(observed) / sum(wanted)
    return stats.chisquare(observed, [w * scale for w in wanted]).pvalue > 1e-3


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("accuracy", "right"), [(0.5, 6), (0.75, 9)])
def test_diagonal_scheme(scheme, accuracy, right):
    found = made(40_000, items=12, classes=4, accuracy=accuracy, largest=0.5, diagonal=scheme)
    diagonal = np.diagonal(found, axis1=1, axis2=2)
    assert agrees(diagonal, diagonal_chances(scheme, right, (6, 2, 2, 2)))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_error_scheme(scheme):
    found = made(40_000, items=24, accuracy=0.5, mode="class-wise", errors=scheme)
    for k, wrong in enumerate((6, 2, 2, 2)):
        cells = np.delete(found[:, k], k, axis=1)
        assert agrees(cells, error_chances(scheme, wrong, 3))
    # the classes' errors do not depend on one another
    assert abs(np.corrcoef(found[:, 0, 1], found[:, 1, 0])[0, 1]) < 5 / 200


def test_sequential_errors_favour_the_first_wrong_class():
    found = made(20_000, mode="class-wise")
    # 80 errors of class 0: halves, quarters, and the rest
    assert found[:, 0, 1:].mean(axis=0) == pytest.approx([40, 20, 20], abs=0.8)


def test_uniform_diagonal_stays_exact_where_the_numbers_of_ways_are_huge():
    sizes = [100] * 10
    found = LIMITED_SPLITS["uniform"](950, np.array(sizes), 20_000, np.random.default_rng(3))
    assert (found.sum(axis=0) == 950).all()
    assert found.max() <= 100
    assert found.min() >= 0
    # the number of errors of one class, by exact counting of the others' ways
    ways = [comb(50 - e + 8, 8) for e in range(51)]
    expected = np.array([w / sum(ways) for w in ways])
    for part in (0, 4, 9):
        errors = np.bincount(100 - found[part], minlength=51)
        error = np.sqrt(expected * (1 - expected) / 20_000)
        assert (np.abs(errors / 20_000 - expected) < 5 * error + 1e-4).all()


def test_splits_reach_the_ends_of_their_range():
    total = np.array([[0, 1, 10**6]])
    for split in SPLITS.values():
        found = split(total, 3, np.random.default_rng(0))
        assert found.shape == (3, 1, 3)
        assert (found.sum(axis=0) == total).all()
        assert (split(total, 1, np.random.default_rng(0)) == total).all()
