"""Registered functions that misbehave: named with their input, and no one else's score changes."""

import json
import sys
import threading

import numpy as np
import pytest

import metaeval as me
from metaeval.execution.backends import dismiss
from metaeval.measures import registry
from tests.cli.command import metaeval, refused
from tests.matrices import random_stack

STACK = [[[3, 1], [0, 2]], [[0, 4], [1, 1]]]


@pytest.fixture(autouse=True)
def _clean_registry(monkeypatch):
    monkeypatch.setattr(registry, "_definitions", dict(registry.definitions()))
    yield
    registry._from_name.cache_clear()


@pytest.fixture
def matrices(tmp_path):
    path = tmp_path / "m.json"
    path.write_text(json.dumps(STACK))
    return path


def accuracy(matrix):
    return float(np.trace(matrix) / matrix.sum())


def raises(matrix):
    if matrix[0, 0] == 0:
        raise ZeroDivisionError("no item\nin the first cell")
    return accuracy(matrix)


def exits(matrix):
    sys.exit("enough")


BAD = {
    "raises": (
        raises,
        "bad raised ZeroDivisionError: no item in the first cell on [[0, 4], [1, 1]]",
    ),
    "exits": (exits, "bad raised SystemExit: enough on [[3, 1], [0, 2]]"),
    "none": (lambda m: None, "it returned None, not a number"),
    "text": (lambda m: "0.5", "it returned '0.5', not a number"),
    "vector": (lambda m: m.sum(axis=0), "an array of shape (2,)"),
    "one of a list": (lambda m: [0.5], "an array of shape (1,)"),
    "complex": (lambda m: 1j, "not a number"),
    "infinite": (lambda m: float("inf"), "it returned inf"),
    "object": (lambda m: object(), "not a number"),
}


@pytest.mark.parametrize("case", BAD)
def test_it_is_named_with_its_input(case, matrices):
    function, words = BAD[case]
    me.register("bad")(function)
    with pytest.raises(me.InputError) as caught:
        me.score(STACK, ["mae", "bad"])
    said = str(caught.value)
    assert said.startswith("bad ")
    assert words in said
    assert "[[" in said
    assert "\n" not in said
    assert words in refused("score", matrices, "-m", "mae", "-m", "bad")


def test_every_command_that_scores_says_so(matrices, tmp_path):
    me.register("bad")(raises)
    assert "bad raised ZeroDivisionError" in refused("agree", matrices, "-m", "bad", "-m", "mae")
    table = tmp_path / "t.csv"
    table.write_text("gold,a,b,c\n" + "1,2,1,1\n2,2,1,2\n" * 5)
    words = [table, "-m", "bad", "-m", "mae"]
    assert "on [[0, " in refused("evaluate", *words, "--replicates", "2", "--jobs", "2")
    page = tmp_path / "page.html"
    assert "bad raised" in refused("report", "--data", *words, "--out", page, "--jobs", "1")
    assert not page.exists()


@pytest.mark.parametrize("takes", ["stack", "batch"])
@pytest.mark.parametrize(
    ("result", "words"),
    [
        (lambda given: None, "returned None"),
        (lambda given: ["a"] * 2, "not a number"),
        (lambda given: np.ones(7), "shape (7,)"),
        (lambda given: np.ones((2, 2)), "shape (2, 2)"),
        (lambda given: np.array([0.5, np.inf]), "bad must return one number a matrix"),
    ],
)
def test_functions_of_many_matrices(takes, result, words):
    me.register("bad", takes=takes)(result)
    with pytest.raises(me.InputError, match="bad must return one number a matrix") as caught:
        me.score(STACK, ["bad"])
    assert words in str(caught.value)


def test_the_matrix_that_breaks_a_stack_is_found():
    def fragile(stack):
        if (stack[:, 0, 0] == 0).any():
            raise ValueError("an empty cell")
        return stack[:, 0, 0] / stack.sum(axis=(1, 2))

    me.register("bad", takes="stack")(fragile)
    with pytest.raises(me.InputError, match=r"an empty cell on \[\[0, 4\], \[1, 1\]\]"):
        me.score(STACK, ["bad"])


LUCK = {
    "matrix": lambda rng: lambda matrix: rng.random(),
    "labels": lambda rng: lambda y, p: rng.random(),
    "stack": lambda rng: lambda stack: rng.random(len(stack)),
    "batch": lambda rng: lambda batch: rng.random(batch.size),
}


@pytest.mark.parametrize("takes", LUCK)
def test_random_scores_are_noticed(takes):
    me.register("luck", takes=takes)(LUCK[takes](np.random.default_rng(0)))
    with pytest.raises(
        me.InputError, match=r"luck is not the same for the same matrix.*\[\[3, 1\]"
    ):
        me.score(STACK, ["luck"])


def test_what_it_prints_does_not_stand_among_the_results(matrices):
    def loud(matrix):
        print("noise")
        sys.stdout.write("more noise\n")
        return accuracy(matrix)

    me.register("loud")(loud)
    done = metaeval("score", matrices, "-m", "loud", "--format", "json")
    assert json.loads(done.stdout)[0]["loud"] == pytest.approx(5 / 6)
    assert "noise" in done.stderr


def test_stdout_comes_back_after_threads():
    me.register("loud")(lambda m: print("noise", file=sys.stdout) or accuracy(m))
    before = sys.stdout
    stack = np.repeat(STACK, 50, axis=0)
    threads = [threading.Thread(target=me.score, args=(stack, ["loud"])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sys.stdout is before


@pytest.mark.parametrize("takes", ["matrix", "labels", "stack", "batch"])
@pytest.mark.parametrize("kind", [int, float])
def test_it_cannot_spoil_anybodys_input(takes, kind):
    def spoil(given, other=None):
        target = given.counts if takes == "batch" else given
        value = np.asarray(target, dtype=float).sum()
        target[:] = 0
        if takes == "batch":
            given.rows[:] = 0
            return np.zeros(given.size)
        return np.zeros(len(target)) if takes == "stack" else 0.0 * value

    if takes == "labels":
        me.register("spoil", takes=takes)(lambda y, p: spoil(y))
    else:
        me.register("spoil", takes=takes)(lambda given: spoil(given))
    stack = random_stack(np.random.default_rng(1), 20, 4).astype(kind)
    if takes != "labels" and kind is float:
        stack += 0.5
    copy = stack.copy()
    expected = me.score(stack, ["mae", "cem_ord"])
    found = me.score(stack, ["spoil", "mae", "spoil", "cem_ord"])
    assert (stack == copy).all()
    assert (found[["mae", "cem_ord"]] == expected).all(axis=None)


def test_numpy_is_left_as_it_was():
    def strict(matrix):
        np.seterr(all="raise")
        return accuracy(matrix)

    me.register("strict")(strict)
    before = np.geterr()
    found = me.score([[[1, 0], [3, 0]]], ["strict", "kendall_tau_b", "mcc"])
    assert np.geterr() == before
    assert np.isnan(found.loc[0, "kendall_tau_b"])


def test_whole_counts_are_whole_whatever_stands_beside_them():
    seen = []
    me.register("kinds")(lambda m: seen.append(m.dtype.kind) or 0.0)
    me.score([[[1.0, 2.0], [3.0, 4.0]], [[0.5, 1.0], [1.0, 1.0]]], ["kinds"])
    assert seen == ["i", "f", "i"]  # the first one twice, to see whether it is random


def test_nan_means_undefined():
    me.register("sometimes")(lambda m: np.nan if m[0, 0] == 0 else 1)
    assert me.score(STACK, ["sometimes"])["sometimes"].isna().tolist() == [False, True]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("takes", ["matrix", "stack"])
def test_a_call_that_hangs_is_cut_off_and_named(monkeypatch, jobs, takes):
    dismiss()  # a process that waits already knows another limit
    monkeypatch.setenv("METAEVAL_TIME_LIMIT", "0.2")

    @me.register(takes=takes)
    def hangs(given):
        while np.ravel(given)[0] == 7:
            pass
        return accuracy(given) if takes == "matrix" else np.trace(given, axis1=1, axis2=2)

    stack = np.ones((600, 2, 2), dtype=np.int64)
    stack[0, 0, 0] = 7
    with pytest.raises(me.InputError, match=r"hangs raised TimeoutError.*0.2 sec.* \[\[7, 1\]"):
        me.score(stack, "hangs", jobs=jobs)


def test_a_function_that_keeps_memory_is_named():
    kept = []

    @me.register()
    def hoards(matrix):
        if matrix[0, 0] == 0:
            kept.append(np.zeros(150 << 20))
            kept[-1][::512] = 1  # a page is taken when it is written to
        return accuracy(matrix)

    with pytest.raises(me.InputError, match=r"hoards raised MemoryError.* \[\[0, 4\]"):
        me.score(STACK, "hoards", jobs=1)


def test_a_time_limit_that_is_none(monkeypatch):
    monkeypatch.setenv("METAEVAL_TIME_LIMIT", "soon")
    me.register("fine")(accuracy)
    with pytest.raises(me.InputError, match="METAEVAL_TIME_LIMIT is the seconds"):
        me.score(STACK, "fine", jobs=1)
