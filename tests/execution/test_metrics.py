"""Users' own metrics: by name, by value, in processes, and with a sentence when they break."""

import os

import numpy as np
import pytest

import metaeval as me
from metaeval.cli.named import named
from metaeval.errors import InputError
from metaeval.execution import Execution
from metaeval.measures import registry
from metaeval.stack import chunk_length
from tests.cli.command import metaeval, refused

OWN = """
import os
import metaeval as me
from helper import half

def recall(matrix):
    return half(2 * matrix[0, 0] / matrix[0].sum())

@me.register(takes="labels", greater_is_better=False)
def loss(y_true, y_pred):
    return float(abs(y_true - y_pred).mean())

@me.register("own_cost", greater_is_better=False, takes="matrix")
def cost(matrix):
    return float(matrix.sum() - matrix.trace())

@me.register()
def where(matrix):
    return float(os.getpid())

@me.register()
def breaks(matrix):
    return 1 / int(matrix[0, 0] - 7)
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "_definitions", dict(registry.definitions()))
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "helper.py").write_text("def half(x):\n    return x / 2\n")
    yield f"{tmp_path}/own.py"
    registry._from_name.cache_clear()


@pytest.fixture(scope="module")
def stack():
    return np.random.default_rng(0).integers(1, 9, size=(1000, 3, 3))


def test_functions_of_a_file_are_scored_in_processes(own, stack):
    names = named([f"{own}:recall", f"{own}:loss", f"{own}:cost", "mae"])
    here = me.score(stack, names, jobs=1)
    there = me.score(stack, names, jobs=2)
    np.testing.assert_array_equal(there, here)
    np.testing.assert_allclose(here["recall"], stack[:, 0, 0] / stack[:, 0].sum(axis=1))
    np.testing.assert_allclose(here["loss"], here["mae"], rtol=1e-12)
    # A process is told from another by its number, which is the same for the same matrix.
    pids = me.score(stack, named(f"{own}:where"), jobs=2).to_numpy()
    assert float(os.getpid()) not in pids


def test_functions_by_value_travel(stack, monkeypatch):
    monkeypatch.setattr(registry, "_definitions", dict(registry.definitions()))
    shift = 3.0
    me.register("shifted", takes="matrix")(lambda matrix, by=shift: float(matrix[0, 1]) + by)
    me.register("shares", takes="stack")(lambda found: found[:, 0, 0] / found.sum(axis=(1, 2)))
    names = ["shifted", "shifted(by=1)", "shares"]
    there = me.score(stack, names, Execution(2, "processes"))
    np.testing.assert_array_equal(there, me.score(stack, names, jobs=1))
    np.testing.assert_array_equal(there["shifted(by=1)"], stack[:, 0, 1] + 1)


def test_a_metric_that_raises_is_named_with_its_matrix(own, stack):
    for jobs in (1, 2):
        with pytest.raises(InputError, match=r"breaks raised ZeroDivisionError.*\[\[7, "):
            me.score(stack, named(f"{own}:breaks"), jobs=jobs)


@pytest.mark.parametrize("classes", [3, 4, 7])
def test_built_in_metrics_have_the_same_bytes_from_any_number_of_threads(classes):
    count = 5 * chunk_length(classes) // 2
    stack = np.random.default_rng(1).integers(0, 40, size=(count, classes, classes)) + 1
    names = [key for key in registry.definitions() if key not in ("auoc", "oc_general")]
    one = me.score(stack, names, jobs=1)
    for how in (2, Execution(3, "threads"), Execution(2, "processes")):
        assert me.score(stack, names, how).to_numpy().tobytes() == one.to_numpy().tobytes()


def test_a_bad_matrix_is_named_by_its_number_in_the_whole_stack():
    stack = np.ones((200_000, 2, 2), dtype=np.int64)
    stack[150_001] = 0
    with pytest.raises(InputError, match="matrix 150001 is empty"):
        me.score(stack, "mae", jobs=2)


def test_commands_run_functions_in_processes(own, tmp_path):
    matrices = tmp_path / "m.json"
    matrices.write_text("[[[4,1],[0,5]],[[3,2],[1,4]]]")
    assert "loss" in metaeval("score", matrices, "-m", f"{own}:loss", "-f", "csv").stdout
    pairs = ["-m", f"{own}:loss", "-m", "mae", "--pairs", "300", "--backend", "processes"]
    done = metaeval("agree", *pairs, "-f", "csv")
    assert [float(row.split(",")[-1]) for row in done.stdout.splitlines()[1:]] == [1.0] * 12
    assert "no file" in refused("score", matrices, "-m", "nowhere.py:loss")
    study = tmp_path / "s.toml"
    study.write_text(
        'title = "t"\nanalyses = ["agreement"]\n'
        '[matrices]\nfamily = "dispersed"\npairs = 200\n[[setting]]\nclasses = 3\nitems = 9\n'
    )
    own_and_mae = ["-m", f"{own}:loss,mae"]
    done = metaeval("study", study, *own_and_mae, "-o", tmp_path / "out", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "agreement.csv").read_text().splitlines()[1].split(",")[-6] == "1.0"
