"""Against exact arithmetic and scikit-learn: many classes and items, weights, 10^12 items."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

import metaeval as me
from metaeval.measures.premises import WHOLE_COUNTS
from tests.matrices import huge_matrix, random_stack
from tests.oracles import ORACLES

PATHS = {"oc", "uoc", "auoc"}  # their oracles walk every path
KEYS = [key for key in ORACLES if key != "oc_general"]


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=8)
@given(data=st.data())
def test_up_to_twelve_classes_and_a_million_items(key, data):
    classes = data.draw(st.integers(2, 5 if key in PATHS else 12))
    items = data.draw(st.sampled_from([1, 50, 10**3, 10**6]))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    matrix = random_stack(rng, 1, classes, items)[0]
    expected = ORACLES[key](matrix.tolist())
    assert me.metric(key)(matrix) == pytest.approx(expected, abs=1e-12, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=12)
@given(data=st.data())
def test_nearly_degenerate_matrices_of_a_million_million_items(key, data):
    """The promise is 1e-9; none was off by more than 1e-15, so 1e-12 leaves room for rounding."""
    classes = data.draw(st.integers(2, 4 if key in PATHS else 7))
    matrix = huge_matrix(np.random.default_rng(data.draw(st.integers(0, 2**32))), classes)
    assert 9e11 < matrix.sum() < 2e12
    expected = ORACLES[key](matrix.tolist())
    assert me.metric(key)(matrix) == pytest.approx(expected, abs=1e-12, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=8)
@given(data=st.data())
def test_weights_are_scored_like_whole_counts_of_their_size(key, data):
    metric = me.metric(key)
    classes = data.draw(st.integers(2, 4))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    eighths = random_stack(rng, 1, classes, 500)[0]
    eighths[0, 0] |= 1
    value = metric(eighths / 8)
    if WHOLE_COUNTS in metric.definition.premises:
        assert np.isnan(value)
        assert "not a whole number" in metric.why_undefined(eighths / 8)
        return
    expected = ORACLES[key](eighths.tolist())
    assert value == pytest.approx(expected, abs=1e-12, rel=1e-12, nan_ok=True)


WEIGHTED = {
    "accuracy": lambda y, p, w, k: sk.accuracy_score(y, p, sample_weight=w),
    "mae": lambda y, p, w, k: sk.mean_absolute_error(y, p, sample_weight=w),
    "mse": lambda y, p, w, k: sk.mean_squared_error(y, p, sample_weight=w),
    "mcc": lambda y, p, w, k: sk.matthews_corrcoef(y, p, sample_weight=w),
    **{
        name: lambda y, p, w, k, weights=weights: sk.cohen_kappa_score(
            y, p, labels=range(k), weights=weights, sample_weight=w
        )
        for name, weights in (
            ("cohen_kappa", None),
            ("linear_weighted_kappa", "linear"),
            ("quadratic_weighted_kappa", "quadratic"),
        )
    },
    **{
        name: lambda y, p, w, k, peer=peer: peer(
            y, p, labels=np.unique(y), average="macro", sample_weight=w, zero_division=0
        )
        for name, peer in (("macro_recall", sk.recall_score), ("macro_f1", sk.f1_score))
    },
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("key", WEIGHTED)
@pytest.mark.parametrize("classes", [2, 5, 12])
@pytest.mark.parametrize("kind", ["counts", "weights"])
def test_scikit_learn_with_sample_weights(key, classes, kind):
    rng = np.random.default_rng([classes, 3])
    compared = 0
    for matrix in random_stack(rng, 60, classes, items=10**6):
        counts = matrix if kind == "counts" else matrix * rng.random(matrix.shape)
        gold, output = np.nonzero(counts)
        value = me.metric(key)(counts)
        if np.isnan(value):
            assert me.metric(key).why_undefined(counts)
            continue
        expected = WEIGHTED[key](gold, output, counts[gold, output], classes)
        assert value == pytest.approx(expected, abs=1e-11, rel=1e-11), counts
        compared += 1
    assert compared > 25
