"""Every metric against the literal oracle: random, exhaustive, with parameters, huge counts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metaeval as me
from tests.matrices import all_matrices, matrices, random_stack
from tests.oracles import ORACLES

DEFAULTS = {"oc_general": {"beta1": 0.25, "beta2": 0.25}}
VARIANTS = [
    ("accuracy_within", {"n": 0}),
    ("accuracy_within", {"n": 2}),
    ("amae", {"absent": "zero"}),
    ("amse", {"absent": "zero"}),
    ("mmae", {"absent": "zero"}),
    ("oc", {"beta": 0.75}),
    ("oc", {"beta": 0.0}),
    ("oc", {"beta": 3.0}),
    ("oc", {"beta": 0.5, "gamma": 2}),
    ("oc", {"beta": 0.5, "gamma": 0.5}),
    ("oc", {"beta_raw": 0.01}),
    ("oc", {"beta_raw": 1.0, "dispersion": False}),
    ("oc", {"beta": 0.1, "dispersion": False}),
    ("uoc", {"beta": 0.75}),
    ("uoc", {"beta": 0.0}),
    ("uoc", {"beta": 1.0, "gamma": 2}),
    ("oc_general", {"beta1": 0.0, "beta2": 0.0}),
    ("oc_general", {"beta1": 0.1, "beta2": 0.03}),
    ("oc_general", {"beta1": 0.25, "beta2": 1.0, "gamma": 2}),
]


def agree(key, computed, matrix, **parameters):
    expected = ORACLES[key](matrix.tolist(), **DEFAULTS.get(key, {}) | parameters)
    assert computed == pytest.approx(expected, abs=1e-12, rel=1e-12, nan_ok=True), (key, matrix)


def test_there_is_an_oracle_for_every_built_in_metric():
    assert set(ORACLES) == set(me.metrics().index)


@pytest.mark.parametrize("key", list(ORACLES))
def test_every_small_matrix(key):
    metric = me.metric(key)
    for items, classes in [(1, 2), (2, 2), (3, 2), (4, 2), (1, 3), (2, 3), (3, 3)]:
        stack = all_matrices(items, classes)
        step = 1 if len(stack) < 120 else 3
        for matrix, value in zip(stack[::step], metric(stack)[::step], strict=True):
            agree(key, value, matrix)


@pytest.mark.parametrize("key", list(ORACLES))
@settings(max_examples=60)
@given(matrix=matrices(max_classes=4, max_count=9))
def test_random_matrices(key, matrix):
    if key == "oc_general" and len(matrix) > 3:
        matrix = matrix[:3, :3] + 1
    agree(key, me.metric(key)(matrix), matrix)


@pytest.mark.parametrize(("key", "parameters"), VARIANTS, ids=str)
def test_parameters(key, parameters):
    metric = me.metric(key, **parameters)
    rng = np.random.default_rng(5)
    for classes in (2, 3) if key == "oc_general" else (2, 3, 5):
        stack = random_stack(rng, 25, classes)
        for matrix, value in zip(stack, metric(stack), strict=True):
            agree(key, value, matrix, **parameters)


@pytest.mark.parametrize("key", ["misclassification_cost", "cost_distance", "chance_distance"])
def test_given_costs(key):
    cost = [[0, 1, 5], [2, 0, 1], [9, 3, 0]]
    metric = me.metric(key, cost=cost)
    assert me.metric(repr(metric)) == metric
    for matrix in random_stack(np.random.default_rng(1), 40, 3):
        agree(key, metric(matrix), matrix, cost=cost)
    with pytest.raises(me.InputError, match="3 classes"):
        metric(np.eye(4))


@pytest.mark.parametrize("key", [k for k in ORACLES if k != "oc_general"])
@settings(max_examples=15)
@given(data=st.data())
def test_huge_and_uneven_counts(key, data):
    """Counts up to 10^12 next to counts of 1: exact arithmetic is the judge."""
    classes = data.draw(st.integers(2, 4))
    count = st.sampled_from([0, 1, 2, 7, 10**6, 10**9 + 7, 10**12 - 1])
    cells = data.draw(st.lists(count, min_size=classes**2, max_size=classes**2))
    matrix = np.array(cells).reshape(classes, classes)
    matrix[0, 0] += 1
    expected = ORACLES[key](matrix.tolist())
    assert me.metric(key)(matrix) == pytest.approx(expected, abs=1e-9, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("key", [k for k in ORACLES if k != "oc_general"])
def test_fifty_classes_of_which_most_are_empty(key):
    """Unused outer classes must not break anything; the oracle scores the 50-class matrix."""
    if key in {"oc", "uoc", "auoc"}:
        pytest.skip("the oracle walks every path; test_path.py compares K = 50 another way")
    matrix = np.zeros((50, 50), dtype=int)
    matrix[10:14, 11:15] = random_stack(np.random.default_rng(3), 1, 4, items=80)[0] + 1
    agree(key, me.metric(key)(matrix), matrix)
