"""Names, parameters, registration, plug-ins."""

import logging
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import metaeval as me
from metaeval.measures import registry


@pytest.fixture
def clean_registry(monkeypatch):
    monkeypatch.setattr(registry, "_definitions", dict(registry.definitions()))
    yield
    registry._from_name.cache_clear()


@pytest.mark.parametrize("name", ["mae", "oc(beta=0.75)", "accuracy_within(n=1)", "oc(gamma=2)"])
def test_the_repr_is_the_name(name):
    assert repr(me.metric(name)) == name
    assert me.metric(repr(me.metric(name))) == me.metric(name)


def test_equal_values_are_equal_metrics():
    assert me.metric("oc(beta=0.75)") == me.metric("oc", beta=0.75)
    assert me.metric("oc") == me.metric("oc(beta=0.25, gamma=1)")
    assert hash(me.metric("oc")) == hash(me.metric("oc(gamma=1)"))
    assert me.metric("oc") != me.metric("oc(beta=0.3)")
    assert me.metric("oc") != "oc"
    assert repr(me.metric("oc(gamma=2, beta=0.5)")) == "oc(beta=0.5, gamma=2)"


def test_metrics_travel_between_processes():
    metric = me.metric("oc(beta=0.75)")
    assert pickle.loads(pickle.dumps(metric)) == metric


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("oc(beta=-1)", "oc: beta must be a finite number of at least 0; got -1"),
        ("oc(beta='x')", "oc: beta must be a finite number of at least 0; got 'x'"),
        ("oc(beta=True)", "oc: beta must be a finite number of at least 0; got True"),
        ("oc(gamma=0)", "oc: gamma must be a finite number above 0; got 0"),
        ("oc(alpha=1)", "oc has no parameter 'alpha'; it takes beta, gamma, beta_raw, dispersion"),
        ("mae(n=1)", "mae has no parameter 'n'; it takes no parameters"),
        ("accuracy_within(n=0.5)", "n must be a whole number of at least 0; got 0.5"),
        ("amae(absent='maybe')", "absent must be one of 'skip', 'zero'; got 'maybe'"),
        ("maee", "unknown metric 'maee'; did you mean 'mae'?"),
        ("oc(beta=0.1", "cannot read the metric name"),
        ("oc(0.1)", "cannot read the metric name"),
        ("oc(beta=__import__('os'))", "cannot read the metric name"),
        ("", "cannot read the metric name"),
    ],
)
def test_bad_names_are_explained(name, sentence):
    with pytest.raises(me.InputError, match=r"\S") as problem:
        me.metric(name)
    assert sentence in str(problem.value)
    assert "\n" not in str(problem.value)
    assert isinstance(problem.value, ValueError)


def test_the_catalogue_is_complete():
    frame = me.metrics()
    assert len(frame) >= 47
    for column in ("family", "low", "high", "paper", "year", "equation", "meaning"):
        assert (frame[column].astype(str) != "").all(), column
    assert frame["greater_is_better"].dtype == bool
    assert frame.loc["misclassification_cost", "needs_all_gold_classes"]
    assert not frame.loc["amae", "needs_all_gold_classes"]


@pytest.mark.usefixtures("clean_registry")
@pytest.mark.parametrize("takes", ["matrix", "stack", "labels", "batch"])
def test_a_metric_of_ones_own(takes):
    functions = {
        "matrix": lambda m, power=1: float(np.trace(m)) ** power / m.sum(),
        "stack": lambda s, power=1: np.trace(s, axis1=1, axis2=2) ** power / s.sum(axis=(1, 2)),
        "labels": lambda y, p, power=1: (y == p).sum() ** power / len(y),
        "batch": lambda b, power=1: b.correct**power / b.total,
    }
    me.register("own", takes=takes, range=(0, 1))(functions[takes])
    stack = np.array([[[4, 1], [0, 5]], [[0, 1], [1, 0]]])
    assert me.metric("own")(stack) == pytest.approx([0.9, 0.0])
    assert me.metric("own(power=2)")(stack[0]) == pytest.approx(8.1)
    assert "own" in me.score(stack)
    with pytest.raises(me.InputError, match="registered already"):
        me.register("own")(functions["matrix"])
    me.register("own", replace=True)(lambda m: 1.0)
    assert me.metric("own")(stack[0]) == 1.0


@pytest.mark.usefixtures("clean_registry")
def test_a_metric_that_returns_nonsense_is_named():
    me.register("nonsense")(lambda m: "high")
    with pytest.raises(me.InputError, match="nonsense must return one number a matrix"):
        me.metric("nonsense")([[1, 0], [0, 1]])


@pytest.mark.parametrize("key", ["My Metric", "for", "1st", "Oc"])
def test_keys_are_python_names(key):
    with pytest.raises(me.InputError, match="lower-case Python name"):
        me.register(key)(lambda m: 0.0)


def test_a_parameter_needs_a_default():
    with pytest.raises(me.InputError, match="'weight' needs a default"):
        me.register("needs")(lambda m, weight: 0.0)


def run_with_plugins(tmp_path, **environment):
    """A fresh interpreter that sees a working and a broken plug-in distribution."""
    (tmp_path / "plug.py").write_text("def twice(matrix):\n    return 2.0 * matrix.trace()\n")
    info = tmp_path / "plug-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plug\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[metaeval.metrics]\ntwice = plug:twice\nbroken = no_such_module:f\n"
    )
    code = """
        import metaeval as me
        found = me.metrics().index
        print("twice" in found, "broken" in found, "mae" in found)
        if "twice" in found:
            print(me.metric("twice")([[1, 0], [0, 2]]))
    """
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={"PYTHONPATH": f"{tmp_path}:{':'.join(filter(None, sys.path))}", **environment},
        capture_output=True,
        text=True,
        check=True,
    )


def test_plugins_are_found_and_a_broken_one_is_one_line(tmp_path):
    done = run_with_plugins(tmp_path)
    assert done.stdout.split("\n")[:2] == ["True False True", "6.0"]
    assert len(done.stderr.strip().splitlines()) == 1
    assert "broken" in done.stderr
    assert "no_such_module" in done.stderr


def test_plugins_can_be_switched_off(tmp_path):
    done = run_with_plugins(tmp_path, METAEVAL_NO_PLUGINS="1")
    assert done.stdout.strip() == "False False True"
    assert done.stderr == ""


def test_a_plugin_with_a_bad_key_is_skipped(monkeypatch, caplog):
    monkeypatch.setattr("generators.plugins.load", lambda group: [("Bad Name", lambda m: 0.0)])
    with caplog.at_level(logging.WARNING, "metaeval"):
        registry._load_plugins()
    assert "'Bad Name' was skipped" in caplog.text


def test_the_order_does_not_depend_on_what_was_imported_first():
    code = "import metaeval as me; me.oc_path([[1, 0], [0, 1]]); print(*me.metrics().index)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == list(me.metrics().index)
