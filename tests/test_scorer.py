"""make_scorer inside scikit-learn's own machinery."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score

import metaeval as me


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


def test_the_sign_and_value_are_those_of_the_metric(data):
    model = LogisticRegression().fit(*data)
    expected = me.metric("mae").from_labels(data[1], model.predict(data[0]), [1, 2, 3, 4])
    assert me.make_scorer("mae")(model, *data) == -expected
    assert me.make_scorer("oc", beta=0.75).metric == me.metric("oc(beta=0.75)")


def test_grid_search(data):
    search = GridSearchCV(
        LogisticRegression(), {"C": [1e-6, 1.0]}, scoring=me.make_scorer("cem_ord")
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
