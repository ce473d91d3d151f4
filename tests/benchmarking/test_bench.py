"""metaeval bench on fake libraries: missing, broken, failing, wrong, or without a value."""

import math
import time
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import metaeval as me
from metaeval.benchmarking import machine, timing
from metaeval.benchmarking.bench import bench
from metaeval.benchmarking.figure import write_figure
from metaeval.benchmarking.peer import Call, Peer
from metaeval.benchmarking.sample import draw_labels, edge_cases
from metaeval.benchmarking.values import compare

SMALL = {"classes": 4, "items": 30, "matrices": 40}


def absolute(gold, output):
    return np.abs(gold - output).mean()


def peer(name, *calls, **options):
    return Peer(name, lambda classes: calls, **options)


def run(*peers, metrics=("mae",), **options):
    return bench(list(metrics), list(peers), **{**SMALL, **options})


def test_a_row_has_both_times_and_the_agreement():
    found = run(peer("right", Call("mae", absolute)))
    (row,) = found.frame.to_dict("records")
    assert row["metric"] == "mae"
    assert row["peer"] == "right"
    assert all(row[name] > 0 for name in ("peer_us", "metaeval_us", "scoring_us", "loop_us"))
    assert row["ratio"] == pytest.approx(row["peer_us"] / row["metaeval_us"])
    assert row["difference"] < 1e-12
    assert row["alike"] == row["edge_alike"] == 1
    assert row["note"] == ""
    assert found.skipped == {}
    assert found.setting["matrices"] == found.setting["sample"] == 40


def test_the_times_are_microseconds_a_matrix():
    def slow(gold, output):
        time.sleep(0.002)
        return absolute(gold, output)

    (row,) = run(peer("slow", Call("mae", slow))).frame.to_dict("records")
    assert 2_000 <= row["peer_us"] < 500_000


def test_a_missing_a_broken_and_a_failing_peer_are_named_and_the_rest_goes_on():
    def missing(classes):
        import surely_not_installed_here  # noqa: F401

    def broken(classes):
        raise RuntimeError("no GPU\nfound")

    def failing(gold, output):
        raise TypeError("wrong kind")

    found = run(
        Peer("missing", missing),
        Peer("broken", broken),
        peer("failing", Call("mae", failing), Call("mse", lambda y, p: ((y - p) ** 2).mean())),
        peer("right", Call("mae", absolute)),
        metrics=["mae", "mse"],
    )
    assert found.skipped == {
        "missing": "not installed (no module surely_not_installed_here)",
        "broken": "cannot be used: RuntimeError: no GPU found",
        "failing, mae": "fails: TypeError: wrong kind",
    }
    assert list(zip(found.frame["metric"], found.frame["peer"], strict=True)) == [
        ("mae", "right"),
        ("mse", "failing"),
    ]
    assert found.frame["alike"].tolist() == [1, 1]


def test_a_wrong_value_is_seen_and_an_example_is_shown():
    (row,) = run(peer("wrong", Call("mae", lambda y, p: absolute(y, p) + 0.5))).frame.to_dict(
        "records"
    )
    assert row["difference"] == pytest.approx(0.5)
    assert row["alike"] == row["edge_alike"] == 0
    assert row["note"].startswith("unexplained: [[")
    assert "metaeval" in row["note"]


def test_a_known_difference_keeps_its_note():
    call = Call("mae", lambda y, p: -absolute(y, p), note="the other sign")
    (row,) = run(peer("wrong", call)).frame.to_dict("records")
    assert row["note"] == "the other sign"
    assert row["alike"] < 1


def raises(gold, output):
    raise ZeroDivisionError


@pytest.mark.parametrize(
    "nothing",
    [raises, *(lambda y, p, v=v: v for v in (math.nan, math.inf, None, "None"))],
    ids=["raises", "nan", "inf", "None", "the text None"],
)
def test_undefined_is_undefined_however_it_is_spelled(nothing):
    constant = (np.zeros(3, dtype=int), np.arange(3))
    varied = (np.arange(3), np.arange(3))
    metric = me.metric("pearson")
    assert compare(metric, Call("pearson", nothing), [constant], 3).alike == 1
    other = compare(metric, Call("pearson", nothing), [varied, constant], 3)
    assert other.alike == 0.5
    assert math.isnan(other.difference)
    assert other.example == "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]: undefined, metaeval 1"
    zero = compare(metric, Call("pearson", lambda y, p: 0.0), [constant], 3)
    assert zero.alike == 0


def test_labels_come_in_the_form_that_the_library_likes():
    seen = []

    def listed(gold, output):
        seen.append(type(gold))
        return sum(abs(g - o) for g, o in zip(gold, output, strict=True)) / len(gold)

    (row,) = run(peer("lists", Call("mae", listed, np.ndarray.tolist))).frame.to_dict("records")
    assert set(seen) == {list}
    assert row["alike"] == 1


def test_one_object_with_every_metric_is_counted_once():
    calls = [Call("mae", absolute), Call("mse", lambda y, p: ((y - p) ** 2).mean())]
    each = run(peer("each", *calls), metrics=["mae", "mse"])
    once = run(peer("once", *calls, at_once=True), metrics=["mae", "mse"])
    assert each.peers["peer_us"][0] == pytest.approx(each.frame["peer_us"].sum())
    assert once.peers["peer_us"][0] == pytest.approx(once.frame["peer_us"].median())


def test_a_metric_that_no_peer_has_is_timed_alone():
    (row,) = run(peer("right", Call("mae", absolute)), metrics=["cem_ord"]).frame.to_dict("records")
    assert row["peer"] == ""
    assert row["metaeval_us"] > 0
    assert math.isnan(row["ratio"])


def test_parameters_are_part_of_a_metric():
    call = Call("accuracy_within(n=2)", lambda y, p: (np.abs(y - p) <= 2).mean())
    (row,) = run(peer("right", call), metrics=["accuracy_within(n=2)"]).frame.to_dict("records")
    assert (row["peer"], row["alike"]) == ("right", 1)
    (row,) = run(peer("right", call), metrics=["accuracy_within"]).frame.to_dict("records")
    assert row["peer"] == ""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"classes": 1}, "classes must be at least 2; got 1"),
        ({"items": 0}, "items must be at least 2; got 0"),
        ({"matrices": 0}, "matrices must be at least 1; got 0"),
        ({"matrices": 10**7}, "items x matrices must be at most 100,000,000"),
        ({"peers": ["scikit"]}, "did you mean 'scikit-learn'"),
        ({"metrics": ["maee"]}, "unknown metric 'maee'"),
    ],
)
def test_bad_arguments_are_one_sentence(arguments, sentence):
    with pytest.raises(me.InputError, match=sentence):
        me.bench(**arguments)


def test_the_labels_depend_on_the_seed_alone():
    first, second = draw_labels(3, 9, 4, seed=1), draw_labels(3, 9, 4, seed=1)
    assert all((a == b).all() for a, b in zip(first, second, strict=True))
    for gold, output in edge_cases(4, seed=1):
        assert gold.shape == output.shape
        assert gold.min() >= 0
        assert max(gold.max(), output.max()) < 4


def test_best_is_the_fastest_round(monkeypatch):
    clock = iter([0.0, 3.0, 10.0, 11.0, 20.0, 22.0])  # rounds of 3, 1 and 2 seconds
    monkeypatch.setattr(timing.time, "perf_counter", lambda: next(clock))
    calls = []
    assert timing.best(lambda: calls.append(1), rounds=5, enough=1.0) == 1.0
    assert len(calls) == 4  # the first is for the caches and not timed


def test_the_machine_is_described():
    found = machine.describe_machine()
    assert found["cores"] >= 1
    assert found["numpy"] == np.__version__
    assert machine.version("surely-not-installed") == ""


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_plot(tmp_path, suffix):
    found = run(peer("right", Call("mae", absolute)), metrics=["mae", "cem_ord"])
    path = tmp_path / f"bench.{suffix}"
    write_figure(found, path)
    if suffix == "svg":
        ElementTree.parse(path)
    else:
        assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(me.InputError, match="exists already"):
        write_figure(found, path)
