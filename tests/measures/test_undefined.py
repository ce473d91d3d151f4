"""NaN exactly where a premise fails, with its reason, and no warning on the way."""

import warnings

import numpy as np
import pytest

import metaeval as me
from tests.matrices import all_matrices, random_stack

KEYS = list(me.metrics().index)


@pytest.mark.parametrize("key", KEYS)
def test_nan_exactly_where_a_reason_is_given(key):
    metric = me.metric(key)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for items, classes in [(1, 2), (2, 2), (3, 2), (1, 3), (2, 3)]:
            stack = all_matrices(items, classes)
            for matrix, value in zip(stack, metric(stack), strict=True):
                reason = metric.why_undefined(matrix)
                assert np.isnan(value) == (reason is not None), (matrix, reason)
                assert np.isfinite(value) or np.isnan(value)


def test_the_reason_is_a_sentence_about_this_matrix():
    reason = me.metric("kendall_tau_b").why_undefined([[4, 0], [2, 0]])
    assert reason == (
        "kendall_tau_b is undefined here: the output is constant: "
        "one class is predicted for every item"
    )
    assert me.metric("kendall_tau_b").why_undefined([[4, 1], [2, 3]]) is None


@pytest.mark.parametrize("key", KEYS)
def test_fractional_weights_are_scored_or_refused_with_a_reason(key):
    metric = me.metric(key)
    matrix = np.array([[1.5, 0.25], [0.5, 2.0]])
    value = metric(matrix)
    if np.isnan(value):
        assert "not a whole number" in metric.why_undefined(matrix)
    else:
        # Scaling all weights by a power of two must not matter: they are shares of items.
        assert metric(matrix * 4) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("key", [k for k in KEYS if k != "oc_general"])
def test_values_stay_in_the_declared_range(key):
    metric = me.metric(key)
    rng = np.random.default_rng(8)
    for classes in (2, 3, 7):
        low, high = metric.range(classes)
        values = metric(random_stack(rng, 400, classes))
        values = values[~np.isnan(values)]
        assert (values >= low - 1e-12).all()
        assert (values <= high + 1e-12).all()


@pytest.mark.parametrize("key", KEYS)
def test_the_perfect_output_is_the_best_of_its_gold(key):
    metric = me.metric(key)
    perfect = metric(np.diag([3, 2, 4]))
    swapped = metric([[0, 3, 0], [2, 0, 0], [0, 0, 4]])
    if key in {"nmd", "rnod"}:  # they see class sizes only
        swapped = metric([[0, 3, 0], [0, 2, 0], [0, 0, 4]])
    if key in {"mutual_information", "normalized_mutual_information", "accuracy_within"} or (
        "purity" in key
    ):
        assert perfect == pytest.approx(swapped)
    elif key == "chance_distance":
        assert perfect == 0  # by its formula the ideal corner itself lies on the line of chance
    else:
        assert metric.oriented(np.array(perfect)) > metric.oriented(np.array(swapped))
