"""Deliberately wrong metrics are caught, right ones written by hand are not."""

import pytest

from metaeval.properties import check
from tests.properties import metrics

BASIC = ["ordinal-invariance", "monotonicity", "weak-monotonicity", "identity", "absent-class"]


def outcomes(function, names=BASIC, **options):
    frame = check(function, names, max_items=4, max_classes=3, samples=0, jobs=1, **options).frame
    return dict(zip(frame["property"], frame["outcome"], strict=True))


def test_mae_by_hand_is_judged_like_the_built_in_one():
    by_hand = outcomes(metrics.mae, lower_is_better=True)
    built_in = check("mae", BASIC, max_items=4, max_classes=3, samples=0).frame
    assert by_hand == dict(zip(built_in["property"], built_in["outcome"], strict=True))


def test_mae_that_ignores_the_last_class():
    report = check(
        metrics.mae_without_the_last_class, ["monotonicity", "identity"], lower_is_better=True
    )
    assert report.outcome("monotonicity") == "violated"
    found = report.counterexample("identity")
    assert (found.items, found.classes) == (1, 2)
    assert found.before == ((0, 0), (1, 0))
    assert found.score_before == found.score_after == 0


def test_accuracy_with_a_sign_error():
    found = outcomes(metrics.accuracy_with_a_sign_error)
    assert found["identity"] == "violated"
    assert found["weak-monotonicity"] == "violated"
    assert outcomes(metrics.accuracy_with_a_sign_error, lower_is_better=True) == outcomes(
        metrics.accuracy
    )


def test_an_error_that_nobody_called_one_is_hinted_at():
    named = check(metrics.mae, "identity", max_items=2, samples=0, jobs=1).finding("identity")
    assert (named.outcome, "lower is better" in named.note) == ("violated", True)
    stated = check(
        metrics.accuracy_with_a_sign_error, "identity", lower_is_better=False, max_items=2, jobs=1
    )
    assert stated.finding("identity").note == ""


def test_kappa_that_guesses_its_classes_from_gold():
    """An output outside them has no place: it breaks, with the very input."""
    report = check(metrics.kappa_that_guesses_from_gold, "absent-class", max_items=3, samples=0)
    finding = report.finding("absent-class")
    assert finding.outcome == "error"
    assert "KeyError" in finding.note
    gold, output = finding.example.labels_before
    with pytest.raises(KeyError):
        metrics.kappa_that_guesses_from_gold(*map(metrics.np.array, (gold, output)))


def test_kappa_that_guesses_its_classes_from_all_labels():
    """Weights by distance must see a gap between the labels; one that guesses cannot."""
    guessing = outcomes(metrics.kappa_that_guesses_from_all_labels)
    stated = outcomes(metrics.kappa_on_the_scale)
    assert guessing["ordinal-invariance"] == "holds"
    assert stated["ordinal-invariance"] == "violated"
    assert outcomes("linear_weighted_kappa")["ordinal-invariance"] == "violated"


def test_labels_that_are_shifted_show_up():
    report = check(metrics.label_sum, "ordinal-invariance", max_items=2, samples=0, jobs=1)
    found = report.counterexample("ordinal-invariance")
    assert "raised by 1" in found.why
    assert (found.labels_before, found.labels_after) == (((0,), (0,)), ((1,), (1,)))
