"""Stacks: what is accepted, what is refused and how, and that layout never matters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metaeval as me
from metaeval.measures.scoring import choose, score_stack
from tests.matrices import random_stack

STACK = random_stack(np.random.default_rng(0), 40, 4)


def scores(stack, chunk=None):
    return score_stack(np.asarray(stack), choose(None, 4), chunk)


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(lambda s: s.astype(float), id="float"),
        pytest.param(lambda s: s.astype(np.uint8), id="bytes"),
        pytest.param(lambda s: s.astype(">i8"), id="big-endian"),
        pytest.param(lambda s: s.astype(">f4"), id="big-endian float32"),
        pytest.param(np.asfortranarray, id="fortran"),
        pytest.param(lambda s: np.moveaxis(np.moveaxis(s, 0, -1).copy(), -1, 0), id="batch last"),
        pytest.param(lambda s: np.repeat(s, 2, axis=0)[::2], id="every other"),
        pytest.param(lambda s: s[::-1].copy()[::-1], id="reversed"),
        pytest.param(lambda s: s.tolist(), id="lists"),
    ],
)
def test_the_layout_does_not_matter(variant):
    assert np.array_equal(scores(variant(STACK)), scores(STACK), equal_nan=True)


def test_the_input_is_neither_changed_nor_needed_writable():
    stack = STACK.copy()
    stack.setflags(write=False)
    scores(stack)
    assert (stack == STACK).all()


@given(chunk=st.integers(1, 45), order=st.permutations(range(len(STACK))))
def test_chunks_and_order_do_not_matter(chunk, order):
    whole = scores(STACK)
    shuffled = scores(STACK[order], chunk)
    assert np.allclose(shuffled, whole[:, order], rtol=1e-13, atol=1e-13, equal_nan=True)


def test_one_by_one_equals_the_batch():
    whole = scores(STACK)
    for number, matrix in enumerate(STACK[:10]):
        assert np.allclose(
            scores(matrix)[:, 0], whole[:, number], rtol=1e-13, atol=1e-13, equal_nan=True
        )


def test_shapes():
    metric = me.metric("mae")
    assert isinstance(metric([[4, 1], [0, 5]]), float)
    assert metric(STACK.reshape(2, 20, 4, 4)).shape == (2, 20)
    assert metric(np.empty((0, 3, 3))).shape == (0,)
    frame = me.score(STACK.reshape(2, 20, 4, 4), ["mae", "oc(beta=0.75)"])
    assert frame.shape == (40, 2)
    assert frame.index.nlevels == 2
    assert list(me.score(STACK).columns) == list(me.metrics().index)
    assert list(me.score(STACK, "mae").columns) == ["mae"]


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        ([[1, 2, 3], [4, 5, 6]], "square"),
        ([1, 2, 3], "square"),
        ([[3]], "at least 2 classes; got 1"),
        ([[]], "square"),
        (np.empty((0, 0)), "at least 2 classes; got 0"),
        ([[1, -1], [0, 2]], "matrix 0, row 0, column 1 holds -1"),
        ([[1, np.nan], [0, 2]], "matrix 0, row 0, column 1 holds nan"),
        ([[1, np.inf], [0, 2]], "matrix 0, row 0, column 1 holds inf"),
        ([[[1, 0], [0, 1]], [[0, 0], [0, 0]]], "matrix 1 is empty"),
        ([["a", "b"], ["c", "d"]], "numbers"),
        ([[1, 2], [3]], "differ in shape"),
        ([[1j, 0], [0, 1]], "numbers"),
    ],
)
def test_bad_matrices_are_refused_in_one_sentence(matrix, sentence):
    with pytest.raises(me.InputError, match=r"\S") as problem:
        me.metric("mae")(matrix)
    assert sentence in str(problem.value)
    assert "\n" not in str(problem.value)
