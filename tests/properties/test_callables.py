"""Functions that misbehave: the outcome names the input, and everything else goes on."""

import time

import numpy as np
import pytest

import metaeval as me
from metaeval.errors import InputError
from metaeval.properties import check
from metaeval.properties.callables import CallableSubject
from metaeval.properties.workers import Pool
from tests.properties import metrics

NAMES = ["monotonicity", "identity", "imbalance"]


def small(function, names=NAMES, **options):
    return check(function, names, max_items=4, max_classes=3, samples=0, jobs=2, **options)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (metrics.raises, "it raised ZeroDivisionError: no item in the first cell"),
        (metrics.returns_none, "it returned None, not a number"),
        (metrics.returns_text, "it returned 'very good', not a number"),
        (metrics.exits, "it raised SystemExit: 3"),
    ],
)
def test_broken_calls_are_errors_with_their_input(function, words):
    report = small(function)
    finding = report.finding("identity")
    assert finding.outcome == "error"
    assert words in finding.note
    assert finding.errors > 0
    assert finding.example.before[0][0] == 0
    assert str([list(row) for row in finding.example.before]) in finding.note
    # A violation elsewhere is found all the same, and it counts for more.
    assert report.outcome("monotonicity") == "violated"
    assert report.outcome("imbalance") == "violated"


def test_an_array_is_no_score():
    finding = small(metrics.returns_an_array).finding("identity")
    assert (finding.outcome, finding.errors) == ("error", finding.cases)
    assert "array of shape (2,)" in finding.note


def test_a_hanging_call_is_cut_off_and_the_rest_goes_on():
    start = time.perf_counter()
    report = small(metrics.hangs, time_limit=0.5)
    finding = report.finding("identity")
    assert finding.outcome == "error"
    assert finding.example.before == ((0, 1), (0, 0))
    assert "did not return within 0.5 seconds" in finding.note
    assert finding.errors == 1
    assert report.outcome("monotonicity") == "violated"
    assert time.perf_counter() - start < 20


def test_a_function_that_kills_its_process():
    finding = small(metrics.dies).finding("identity")
    assert finding.outcome == "error"
    assert finding.example.before == ((0, 1), (0, 0))
    assert "its process died" in finding.note
    assert finding.errors == 1


def test_a_call_that_ignores_the_alarm_is_ended_with_its_process():
    finding = small(metrics.deaf, "identity", time_limit=0.3).finding("identity")
    assert finding.outcome == "error"
    assert finding.example.before == ((0, 1), (0, 0))
    assert "could not be interrupted" in finding.note
    assert finding.errors == 1


def test_a_function_that_never_returns_is_given_up():
    def never(matrix):
        while True:
            pass

    start = time.perf_counter()
    finding = small(never, "identity", time_limit=0.1).finding("identity")
    assert finding.outcome == "error"
    assert finding.errors == finding.cases
    assert time.perf_counter() - start < 30


def test_what_a_function_prints_goes_nowhere(capfd):
    assert small(metrics.prints, "identity").outcome("identity") == "holds"
    captured = capfd.readouterr()
    assert "noise" not in captured.out + captured.err


def test_a_random_function_is_noticed():
    report = small(metrics.luck, ["identity", "symmetry"])
    for finding in report.findings:
        assert finding.outcome == "error"
        assert "not the same for the same input: first 0." in finding.note
        assert "[[" in finding.note


def test_a_function_that_does_not_release_its_memory():
    finding = small(metrics.hoards, "identity", time_limit=30).finding("identity")
    assert finding.outcome == "error"
    assert "its process grew by" in finding.note
    assert finding.example.before == ((0, 1), (0, 0))
    assert finding.errors == 1


def test_a_function_cannot_spoil_its_input():
    assert small(metrics.spoils_its_input, "symmetry").outcome("symmetry") == "holds"


def test_undefined_everywhere():
    finding = small(metrics.nowhere).finding("identity")
    assert finding.outcome == "undefined"
    assert finding.undefined == finding.cases > 0
    assert "[[0, 1], [0, 0]]" in finding.note


def test_no_case_within_the_bounds():
    finding = check("mae", "imbalance", max_items=3, samples=0).finding("imbalance")
    assert finding.outcome == "not-applicable"
    assert "premise" in finding.note


def test_labels_and_matrix_are_told_apart():
    assert small(metrics.mae, "symmetry", lower_is_better=True).outcome("symmetry") == "holds"
    assert small(metrics.accuracy, "symmetry").outcome("symmetry") == "holds"
    stated = small(lambda *given: float((given[0] == given[1]).mean()), "symmetry", takes="labels")
    assert stated.outcome("symmetry") == "holds"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"metric": lambda *given: 0.0}, "takes"),
        ({"metric": lambda a, b, c: 0.0}, "requires 3"),
        ({"metric": metrics.mae, "takes": "both"}, "'labels' or 'matrix'"),
        ({"metric": 7}, "a name, a Metric or a function"),
        ({"metric": "mae", "takes": "labels"}, "registered"),
        ({"metric": "mae", "properties": "monotony"}, "monotonicity"),
        ({"metric": "mae", "properties": []}, "no property"),
        ({"metric": "mae", "max_items": 0}, "max_items"),
        ({"metric": "mae", "max_items": "many"}, "max_items"),
        ({"metric": "mae", "budget": "long"}, "budget"),
        ({"metric": "mae", "max_classes": 1}, "max_classes"),
        ({"metric": "mae", "budget": -1}, "budget"),
        ({"metric": "mae", "seed": -1}, "seed"),
        ({"metric": metrics.mae, "time_limit": 0}, "time limit"),
    ],
)
def test_bad_input_is_one_sentence(options, words):
    with pytest.raises(InputError, match=words) as caught:
        check(**options)
    assert "\n" not in str(caught.value)


def test_each_distinct_matrix_is_scored_once():
    subject = CallableSubject(metrics.accuracy, "accuracy", "matrix", jobs=1)
    asked = []
    pool = subject._pool
    subject._pool = lambda stack: asked.append(len(stack)) or [0.5] * len(stack)
    counts = np.zeros((2, 2, 5), dtype=np.int16)
    counts[0, 0] = [7, 7, 8, 7, 8]
    try:
        subject.evaluate(counts)
        subject.evaluate(counts)
    finally:
        pool.close()
    assert asked == [2]


def test_arguments_are_passed_on():
    sk = pytest.importorskip("sklearn.metrics")
    report = check(
        sk.cohen_kappa_score, "identity", max_items=2, samples=0, arguments={"weights": "linear"}
    )
    assert report.frame["metric"][0] == "cohen_kappa_score(weights='linear')"
    pool = Pool(sk.cohen_kappa_score, "labels", {"weights": "linear"}, jobs=1)
    try:
        (value,) = pool(np.array([[[1, 0, 1], [0, 0, 0], [0, 0, 1]]], dtype=np.int16))
    finally:
        pool.close()
    true, pred = [0, 0, 2], [0, 2, 2]
    assert value == pytest.approx(sk.cohen_kappa_score(true, pred, weights="linear"))


def test_registered_plain_functions_keep_their_premises():
    from metaeval.measures import registry
    from metaeval.measures.premises import TWO_ITEMS

    me.register("plain_one", premises=[TWO_ITEMS])(metrics.raises)
    try:
        report = check("plain_one", ["single-item", "identity"], max_items=2, samples=0, jobs=1)
    finally:
        registry._definitions.pop("plain_one")
        registry._from_name.cache_clear()
    assert report.outcome("single-item") == "violated"  # undefined by its premise, no error
    assert report.finding("identity").outcome == "error"
    assert "me.metric('plain_one')" in report.counterexample("identity").python


def test_the_memory_of_scores_is_bounded(monkeypatch):
    monkeypatch.setattr("metaeval.properties.callables.MOST_KNOWN", 50)
    finding = small(metrics.raises, "identity").finding("identity")
    assert finding.outcome == "error"
    assert "no item in the first cell" in finding.note


def test_a_registered_batch_metric_that_breaks():
    from metaeval.measures import registry

    def fragile(batch):
        if (batch.counts[0, 0] == 0).any():
            raise ValueError("an empty first cell")
        return batch.correct / batch.total

    me.register("fragile", takes="batch")(fragile)
    try:
        finding = check("fragile", "identity", max_items=2, samples=0).finding("identity")
    finally:
        registry._definitions.pop("fragile")
        registry._from_name.cache_clear()
    assert finding.outcome == "error"
    assert "an empty first cell" in finding.note
