"""Labels to matrices: every kind of label, every shape, and who is told what when it is wrong."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

import metaeval as me
from metaeval.labels import LABELS_PER_ROUND, grouped_confusion


@given(st.data())
def test_equal_to_scikit_learn_on_the_whole_scale(data):
    classes = data.draw(st.lists(st.integers(-50, 50), min_size=2, max_size=9, unique=True))
    label = st.sampled_from(classes)
    pairs = data.draw(st.lists(st.tuples(label, label), min_size=1, max_size=40))
    true, pred = map(list, zip(*pairs, strict=True))
    found = me.confusion(true, pred, classes)
    assert (found == confusion_matrix(true, pred, labels=classes)).all()
    assert found.dtype == np.int64


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64])
@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("classes", [2, 5, 17, 60])
def test_integer_labels_of_any_width(dtype, start, classes):
    rng = np.random.default_rng(classes)
    true, pred = rng.integers(start, start + classes, size=(2, 7, 300)).astype(dtype)
    found = me.confusion(true, pred, range(start, start + classes))
    for case in range(7):
        expected = confusion_matrix(true[case], pred[case], labels=range(start, start + classes))
        assert (found[case] == expected).all()


def test_labels_far_from_zero_do_not_overflow():
    start = 2**31 - 6
    true, pred = start + np.random.default_rng(2).integers(0, 5, size=(2, 9, 40), dtype=np.int32)
    found = me.confusion(true, pred, range(start, start + 5))
    assert (found == me.confusion(true - start, pred - start, 5)).all()


@pytest.mark.parametrize("dtype", [np.int8, np.int64])
def test_more_cases_than_codes_of_two_bytes(dtype):
    true, pred = np.random.default_rng(3).integers(0, 15, size=(2, 70_000, 2), dtype=dtype)
    found = me.confusion(true, pred, 15)
    assert (found.sum(axis=(1, 2)) == 2).all()
    assert (found[np.arange(70_000), true[:, 1], pred[:, 1]] > 0).all()


def test_more_labels_than_one_round():
    rng = np.random.default_rng(1)
    true, pred = rng.integers(0, 3, size=(2, 2, 3 * LABELS_PER_ROUND + 17))
    found = me.confusion(true, pred, 3)
    for case in range(2):
        assert (found[case] == confusion_matrix(true[case], pred[case])).all()


@pytest.mark.parametrize(
    ("classes", "true", "pred"),
    [
        (["neg", "neu", "pos"], ["neg", "pos", "neu"], ["neg", "neu", "neu"]),
        ([1, "two", 3.5], [1, "two", 3.5], [1, 3.5, 3.5]),
        ([(0, 1), (1, 0)], [(0, 1), (1, 0)], [(1, 0), (1, 0)]),
        ([0.5, 1.0, 1.5], [0.5, 1.5, 1.0], [0.5, 1.0, 1.0]),
        ([False, True], [True, False, True], [True, True, False]),
        ([10, 20, 30], [10, 30, 20], [10, 20, 20]),
        ([3, 2, 1], [3, 1, 2], [3, 2, 2]),
        ([None, "a"], ["a", None], ["a", "a"]),
    ],
)
def test_any_hashable_labels(classes, true, pred):
    found = me.confusion(true, pred, classes)
    expected = np.zeros((len(classes), len(classes)), dtype=int)
    for t, p in zip(true, pred, strict=True):
        expected[classes.index(t), classes.index(p)] += 1
    assert (found == expected).all()


def test_pandas_and_broadcasting():
    gold = pd.Series(["a", "b", "b"])
    outputs = np.array([["a", "b", "b"], ["b", "b", "b"]])
    found = me.confusion(gold, outputs, ["a", "b"])
    assert found.tolist() == [[[1, 0], [0, 2]], [[0, 1], [0, 2]]]
    category = gold.astype("category")
    assert (me.confusion(category, category, ["a", "b"]) == [[1, 0], [0, 2]]).all()


def test_weights():
    found = me.confusion([0, 1, 1], [0, 0, 1], 2, sample_weight=[0.5, 2, 3])
    assert found.tolist() == [[0.5, 0], [2, 3]]
    with pytest.raises(me.InputError, match="not negative"):
        me.confusion([0], [0], 2, sample_weight=[-1])
    with pytest.raises(me.InputError, match="shape"):
        me.confusion([0, 1], [0, 1], 2, sample_weight=[1, 2, 3])


def test_groups_of_any_size():
    gold, output = np.array([0, 1, 1, 2]), np.array([0, 1, 2, 2])
    found = grouped_confusion(gold, [output, gold], np.array([0, 0, 1, 1]), 3)
    assert found.shape == (2, 2, 3, 3)
    assert (found[0, 0] == me.confusion([0, 1], [0, 1], 3)).all()
    assert (found[1, 0] == me.confusion([1, 2], [2, 2], 3)).all()


def test_scoring_labels():
    assert me.metric("mae").from_labels([1, 2, 3], [1, 3, 3], classes=[1, 2, 3]) == pytest.approx(
        1 / 3
    )
    values = me.metric("accuracy").from_labels([[0, 1], [1, 1]], [[0, 1], [0, 0]], classes=2)
    assert values.tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (([1, 2, 7], [1, 2, 3], [1, 2, 3]), "unknown label 7 in y_true, row 2; the classes are 1"),
        (([1, 2], [1, -2], [1, 2, 3]), "unknown label -2 in y_pred, row 1"),
        ((np.array([0, -1]), np.array([0, 1]), 2), "unknown label -1 in y_true, row 1"),
        ((np.array([[0, 0], [0, 5]]), np.zeros((2, 2), int), 2), "label 5 in y_true, row 1, 1"),
        ((["a", "x"], ["a", "b"], ["a", "b"]), "unknown label 'x' in y_true, row 1"),
        (([1.0, np.nan], [1, 2], [1, 2]), "unknown label nan in y_true, row 1"),
        (([0, 1], [0], 2), "y_true has 2 labels and y_pred 1"),
        (([], [], 2), "hold no labels"),
        ((1, 1, 2), "sequences"),
        ((np.zeros((2, 3), int), np.zeros((4, 3), int), 2), "differ"),
        (([0], [0], [0]), "at least 2 classes; got 1"),
        (([0], [0], [0, 0]), "class 0 is named twice"),
        (([0], [0], "ab"), "not the text"),
        (([0], [0], [[0], [1]]), "hashable"),
    ],
)
def test_bad_labels_are_refused_in_one_sentence(arguments, sentence):
    with pytest.raises(me.InputError, match=r"\S") as problem:
        me.confusion(*arguments)
    assert sentence in str(problem.value)
    assert "\n" not in str(problem.value)
