"""Metrics as functions and as scorers, inside scikit-learn's own machinery."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as sk
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)

import metaeval as me

SCALE = [1, 2, 3, 4]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2))
    y = np.digitize(x[:, 0] + 0.3 * rng.normal(size=200), [-0.7, 0.0, 0.7]) + 1
    return x, y


@pytest.mark.parametrize("key", ["cem_ord", "mae"])
def test_cross_validation_prefers_the_better_model(data, key):
    scorer = me.make_scorer(key)
    good = cross_val_score(LogisticRegression(), *data, scoring=scorer)
    bad = cross_val_score(DummyClassifier(), *data, scoring=scorer)
    assert good.mean() > bad.mean()
    assert (good <= 0).all() == (key == "mae")


@pytest.mark.parametrize("key", ["cem_ord", "mae", "oc(beta=0.75)", "quadratic_weighted_kappa"])
def test_cross_validation_gives_the_values_of_the_folds(data, key):
    x, y = data
    folds = StratifiedKFold(5)
    found = cross_val_score(LogisticRegression(), x, y, cv=folds, scoring=me.make_scorer(key))
    predicted = cross_val_predict(LogisticRegression(), x, y, cv=folds)
    metric = me.metric(key)
    expected = [metric.from_labels(y[t], predicted[t], SCALE) for _, t in folds.split(x, y)]
    np.testing.assert_array_equal(found, metric.oriented(np.array(expected)))


def test_the_sign_and_value_are_those_of_the_metric(data):
    model = LogisticRegression().fit(*data)
    expected = me.metric("mae").from_labels(data[1], model.predict(data[0]), SCALE)
    assert me.make_scorer("mae")(model, *data) == -expected
    assert me.make_scorer("oc", beta=0.75).metric == me.metric("oc(beta=0.75)")


@pytest.mark.parametrize("key", ["cem_ord", "mae", "oc"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_grid_search(data, key, jobs):
    search = GridSearchCV(
        LogisticRegression(), {"C": [1e-6, 1.0]}, scoring=me.make_scorer(key), n_jobs=jobs
    ).fit(*data)
    assert search.best_params_ == {"C": 1.0}


def test_the_scale_is_stated_or_the_estimators_own_never_guessed(data):
    x, y = data
    model = LogisticRegression().fit(x[y < 4], y[y < 4])
    with pytest.raises(me.InputError, match="unknown label 4"):
        me.make_scorer("mae")(model, x, y)
    value = me.make_scorer("mae", classes=[1, 2, 3, 4])(model, x, y)
    assert np.isfinite(value)
    with pytest.raises(me.InputError, match="no classes_"):
        me.make_scorer("mae")(object(), x, y)


def kappa(weights):
    def function(y, p, sample_weight=None):
        return sk.cohen_kappa_score(y, p, weights=weights, sample_weight=sample_weight)

    return function


def macro(function):
    return lambda y, p, sample_weight=None: function(
        y, p, average="macro", sample_weight=sample_weight
    )


FUNCTIONS = {
    "accuracy": sk.accuracy_score,
    "mer": sk.zero_one_loss,
    "mae": sk.mean_absolute_error,
    "mse": sk.mean_squared_error,
    "mcc": sk.matthews_corrcoef,
    "macro_recall": sk.balanced_accuracy_score,
    "macro_f1": macro(sk.f1_score),
    "cohen_kappa": kappa(None),
    "linear_weighted_kappa": kappa("linear"),
    "quadratic_weighted_kappa": kappa("quadratic"),
}


@pytest.mark.parametrize("key", FUNCTIONS)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_metric_is_a_function_like_those_of_scikit_learn(key, weighted):
    rng = np.random.default_rng(7)
    for classes in (2, 3, 5, 9):
        # Every class occurs in the gold labels: macro averages are over those.
        y = np.concatenate([np.arange(classes), rng.integers(classes, size=60)]) - 1
        p = np.where(rng.random(y.size) < 0.5, y, rng.integers(classes, size=y.size) - 1)
        weight = rng.exponential(size=y.size) if weighted else None
        expected = FUNCTIONS[key](y, p, sample_weight=weight)
        found = me.metric(key)(y, p, sample_weight=weight)
        assert found == pytest.approx(expected, abs=1e-12)
        assert isinstance(found, float)
        listed = me.metric(key)(list(y), pd.Series(p), labels=range(-1, classes - 1))
        assert listed == pytest.approx(FUNCTIONS[key](y, p), abs=1e-12)


def test_without_labels_the_scale_is_what_occurs_in_either():
    mae = me.metric("mae")
    assert mae([1, 1, 4], [1, 4, 4]) == pytest.approx(1 / 3)
    assert mae([1, 1, 4], [1, 4, 4], labels=SCALE) == 1
    assert mae([1, 1, 1], [1, 2, 3]) == 1
    assert mae([0.5, 1.0, 1.5], [1.5, 1.0, 0.5]) == pytest.approx(4 / 3)
    assert mae([True, False], [True, True]) == 0.5
    assert mae(np.array([1, 3], dtype=object), [3, 3]) == 0.5
    assert mae(["a", "b"], ["b", "b"], labels=["a", "b"]) == 0.5
    np.testing.assert_array_equal(mae([1, 2], [[1, 2], [2, 2]]), [0, 0.5])


def test_one_class_is_scored_as_scikit_learn_scores_it():
    for key in ("accuracy", "mae", "macro_f1"):
        assert me.metric(key)([3, 3], [3, 3]) == FUNCTIONS[key]([3, 3], [3, 3])
    assert np.isnan(me.metric("cohen_kappa")([3, 3], [3, 3]))


def test_an_ordered_categorical_brings_its_scale():
    grades = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    y, p = pd.Series(["low", "low"], dtype=grades), ["high", "low"]
    assert me.metric("mae")(y, p) == 1
    assert me.metric("mae")(p, y.array) == 1


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((["bad", "good"], ["good", "good"]), {}, "state it, lowest class first: labels="),
        ((["1", "2"], ["2", "2"]), {}, "not numbers"),
        (([1, "2"], [1, 1]), {}, "not numbers"),
        (([1.0, np.nan], [1, 1]), {}, "NaN"),
        (([], []), {}, "no labels"),
        (([1, 2], [1, 2, 1]), {}, "2 labels and y_pred 3"),
        (([1, 5], [1, 2]), {"labels": SCALE}, "unknown label 5"),
        (([[1, 0], [0, 1]],), {"labels": SCALE}, "not with matrices"),
        (([[1, 0], [0, 1]],), {"sample_weight": [1, 1]}, "not with matrices"),
    ],
)
def test_complaints_about_labels(arguments, options, message):
    with pytest.raises(me.InputError, match=message):
        me.metric("mae")(*arguments, **options)


def test_scikit_learns_own_make_scorer_takes_a_metric(data):
    scoring = {
        "cem": sk.make_scorer(me.metric("cem_ord"), labels=SCALE),
        "mae": sk.make_scorer(me.metric("mae"), greater_is_better=False),
        "sk": sk.make_scorer(sk.mean_absolute_error, greater_is_better=False),
    }
    assert "oc(beta=0.75)" in repr(sk.make_scorer(me.metric("oc(beta=0.75)")))
    found = cross_validate(LogisticRegression(), *data, scoring=scoring, n_jobs=2)
    np.testing.assert_allclose(found["test_mae"], found["test_sk"], atol=1e-12)
    ours = cross_val_score(LogisticRegression(), *data, scoring=me.make_scorer("cem_ord"))
    np.testing.assert_array_equal(found["test_cem"], ours)
    search = GridSearchCV(LogisticRegression(), {"C": [1e-6, 1.0]}, scoring=scoring, refit="cem")
    assert search.fit(*data).best_params_ == {"C": 1.0}


def test_weights_reach_the_metric(data):
    x, y = data
    model = LogisticRegression().fit(x, y)
    weight = np.random.default_rng(1).random(len(y))
    expected = sk.mean_absolute_error(y, model.predict(x), sample_weight=weight)
    scorer = sk.make_scorer(me.metric("mae"), greater_is_better=False, labels=SCALE)
    assert scorer(model, x, y, sample_weight=weight) == pytest.approx(-expected)
    assert me.make_scorer("mae")(model, x, y, sample_weight=weight) == pytest.approx(-expected)


def test_a_metric_is_still_a_value():
    metric = me.metric("oc(beta=0.75)")
    assert metric.__name__ == repr(metric) == "oc(beta=0.75)"
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert me.Metric.__name__ == "Metric"
