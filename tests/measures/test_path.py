"""OC, UOC and AUOC beyond the oracle: K = 50, the exact area, the path itself."""

import itertools

import numpy as np
import pytest

import metaeval as me
from tests.matrices import random_stack


def recurrence(weight):
    """The printed dynamic programme, cell by cell."""
    size = len(weight)
    best = np.empty((size, size))
    for r, c in itertools.product(range(size), repeat=2):
        before = [best[i, j] for i, j in ((r - 1, c - 1), (r - 1, c), (r, c - 1)) if min(i, j) >= 0]
        best[r, c] = weight[r, c] + min(before, default=1.0)
    return best[-1, -1]


def oc_weight(matrix, beta):
    size, items = len(matrix), matrix.sum()
    away = abs(np.subtract.outer(np.arange(size), np.arange(size)))
    spread = (matrix * away).sum()
    return -matrix / (items + spread) + beta / (items * (size - 1)) * matrix * away


def uoc_weight(matrix, beta):
    size = len(matrix)
    away = abs(np.subtract.outer(np.arange(size), np.arange(size)))
    rows = matrix.sum(axis=1)
    shares = matrix[rows > 0] / rows[rows > 0][:, None]
    full = np.zeros((size, size))
    full[rows > 0] = shares
    present = (rows > 0).sum()
    return -full / (present + (full * away).sum()) + beta / present * full * away


@pytest.mark.parametrize("classes", [2, 11, 50])
def test_oc_and_uoc_with_many_classes(classes):
    for matrix in random_stack(np.random.default_rng(classes), 5, classes, items=3000):
        for beta in (0.0, 0.25, 0.75):
            expected = recurrence(oc_weight(matrix, beta))
            assert me.metric("oc", beta=beta)(matrix) == pytest.approx(expected, abs=1e-12)
            expected = recurrence(uoc_weight(matrix, beta))
            assert me.metric("uoc", beta=beta)(matrix) == pytest.approx(expected, abs=1e-12)


def bisected_area(matrix, low=0.0, high=1.0, ends=None):
    """Area of the concave, piecewise linear UOC by halving until the middle is on the chord."""
    uoc = lambda beta: recurrence(uoc_weight(matrix, beta))  # noqa: E731
    left, right = ends or (uoc(low), uoc(high))
    middle = uoc((low + high) / 2)
    quarter = uoc(low + (high - low) * 0.3137)
    chord = left + (right - left) * 0.3137
    if high - low < 1e-9 or (
        abs(middle - (left + right) / 2) < 1e-15 and abs(quarter - chord) < 1e-15
    ):
        return (left + right) / 2 * (high - low)
    halfway = (low + high) / 2
    return bisected_area(matrix, low, halfway, (left, middle)) + bisected_area(
        matrix, halfway, high, (middle, right)
    )


@pytest.mark.parametrize("classes", [5, 11])
def test_the_area_with_many_classes(classes):
    for matrix in random_stack(np.random.default_rng(classes), 4, classes, items=400):
        assert me.metric("auoc")(matrix) == pytest.approx(bisected_area(matrix), abs=1e-11)


def test_the_path_costs_what_oc_says_and_only_moves_on():
    for matrix in random_stack(np.random.default_rng(2), 60, 5):
        for beta in (0.0, 0.25, 2.0):
            path = me.oc_path(matrix, beta=beta)
            weight = oc_weight(matrix, beta)
            value = 1 + sum(weight[cell] for cell in path)
            assert value == pytest.approx(me.metric("oc", beta=beta)(matrix), abs=1e-10)
            assert path[0] == (0, 0)
            assert path[-1] == (4, 4)
            for (r, c), (s, d) in itertools.pairwise(path):
                assert (s - r, d - c) in {(1, 0), (0, 1), (1, 1)}


def test_of_equal_paths_the_diagonal_is_drawn():
    assert me.oc_path(np.diag([1, 2, 3])) == [(0, 0), (1, 1), (2, 2)]


def test_a_path_is_of_one_matrix():
    with pytest.raises(me.InputError, match="one matrix"):
        me.oc_path(np.ones((2, 3, 3)))


def test_known_equalities():
    rng = np.random.default_rng(4)
    stack = random_stack(rng, 50, 3)
    general = me.metric("oc_general", beta1=0.4, beta2=1)(stack)
    assert general == pytest.approx(me.metric("oc", beta=0.4)(stack), abs=1e-12)
    mae = me.metric("mae")(stack)
    free = me.metric("oc_general", beta1=0, beta2=0)(stack)
    assert free == pytest.approx(mae / (1 + mae), abs=1e-12)
    strict = me.metric("oc", beta_raw=1, dispersion=False)(stack)
    assert strict == pytest.approx(me.metric("mer")(stack), abs=1e-12)


def test_the_general_index_says_how_many_classes_it_can_do():
    with pytest.raises(me.InputError, match="up to 4 classes; got 5"):
        me.metric("oc_general")(np.ones((5, 5)))
    assert "oc_general" not in me.score(np.ones((5, 5)))
    assert "oc_general" in me.score(np.ones((4, 4)))
