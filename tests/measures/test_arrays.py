"""One score a matrix, however it comes: alone or among others, in any order, chunk or array."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metaeval as me
from metaeval.measures.scoring import choose, score_stack
from tests.matrices import random_stack, stacks

# Numpy adds a few numbers in another order when the batch is a single matrix, so the last digits
# may differ; by more than this they never did. In a file of results chunks are always cut alike.
LAST_DIGITS = 4e-14


def same(left, right):
    np.testing.assert_allclose(left, right, rtol=LAST_DIGITS, atol=LAST_DIGITS, equal_nan=True)


@settings(max_examples=40)
@given(stack=stacks())
def test_alone_or_among_others(stack):
    chosen = choose(None, stack.shape[-1])
    alone = np.concatenate([score_stack(matrix[None], chosen) for matrix in stack], axis=1)
    same(score_stack(stack, chosen), alone)


@settings(max_examples=40)
@given(stack=stacks(), data=st.data())
def test_in_any_order_and_in_chunks_of_any_size(stack, data):
    chosen = choose(None, stack.shape[-1])
    expected = score_stack(stack, chosen)
    order = np.array(data.draw(st.permutations(range(len(stack)))))
    same(score_stack(stack[order], chosen), expected[:, order])
    same(score_stack(stack, chosen, data.draw(st.integers(1, len(stack)))), expected)


@settings(max_examples=20)
@given(stack=stacks(max_count=12), copies=st.integers(2, 4))
def test_the_shape_in_front_does_not_matter(stack, copies):
    chosen = choose(None, stack.shape[-1])
    tower = np.stack([stack] * copies)
    for metric in chosen:
        same(metric(tower), np.stack([metric(stack)] * copies))


def variants(stack):
    """The same numbers in other clothes."""
    yield "list", stack.tolist()
    for code in ("b", "B", "h", "H", "i", "I", "l", "L", "q", "Q", "e", "f", "d", "g"):
        for order in "<>":
            yield f"dtype {order}{code}", stack.astype(np.dtype(code).newbyteorder(order))
    yield "Fortran", np.asfortranarray(stack)
    yield "batch last", np.moveaxis(np.ascontiguousarray(np.moveaxis(stack, 0, -1)), -1, 0)
    yield "transposed twice", stack.transpose(0, 2, 1).copy().transpose(0, 2, 1)
    yield "reversed", stack[::-1, ::-1, ::-1].copy()[::-1, ::-1, ::-1]
    wide = np.zeros((len(stack) * 2, *(2 * n for n in stack.shape[1:])), dtype=stack.dtype)
    wide[::2, ::2, ::2] = stack
    yield "every second", wide[::2, ::2, ::2]
    unaligned = np.zeros(stack.nbytes + 1, dtype=np.uint8)[1:].view(stack.dtype)
    unaligned = unaligned.reshape(stack.shape)
    unaligned[:] = stack
    yield "unaligned", unaligned


def pieces(stack):
    """Every kind of array, twice: writable, and not."""
    for name, array in variants(stack):
        yield name, array
        if isinstance(array, np.ndarray):
            locked = array.view()
            locked.setflags(write=False)
            yield f"read-only {name}", locked


@pytest.mark.parametrize("classes", [2, 3, 5, 12])
def test_every_kind_of_array_gives_the_same_bytes_and_is_left_alone(classes):
    stack = random_stack(np.random.default_rng(classes), 23, classes, items=100)
    expected = me.score(stack)
    tried = 0
    for name, array in pieces(stack):
        before = np.array(array)
        found = me.score(array)
        assert found.equals(expected), name
        assert (np.asarray(array) == before).all(), name
        tried += 1
    assert tried > 60


def test_booleans_are_counts_of_one():
    stack = random_stack(np.random.default_rng(9), 40, 3, items=3).clip(0, 1)
    assert me.score(stack.astype(bool)).equals(me.score(stack))


@pytest.mark.parametrize("dtype", ["i1", "i8", ">i4", "f4", "f8"])
def test_single_metrics_take_them_too(dtype):
    stack = random_stack(np.random.default_rng(4), 9, 4).astype(dtype)
    for metric in choose(None, 4):
        np.testing.assert_array_equal(metric(stack[::-1])[::-1], metric(stack))
        assert metric(stack)[3] == pytest.approx(metric(stack[3]), abs=LAST_DIGITS, nan_ok=True)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", ">i4", "i8", "u8", "f4", "f8"])
def test_labels_of_every_kind_are_counted_alike(dtype):
    rng = np.random.default_rng(6)
    gold, output = rng.integers(0, 5, (2, 7, 90))
    expected = me.confusion(gold, output, 5)
    kinds = [gold.astype(dtype), np.asfortranarray(gold.astype(dtype))]
    kinds += [gold.astype(dtype)[:, ::-1].copy()[:, ::-1]]
    for array in kinds:
        locked = array.view()
        locked.setflags(write=False)
        assert (me.confusion(locked, output, 5) == expected).all()
        assert (me.confusion(output, locked, 5) == expected.swapaxes(-1, -2)).all()
