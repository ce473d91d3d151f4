"""Every checker accepts a metric that has its property and rejects one that lacks it."""

import pytest

from metaeval.properties import check
from metaeval.properties.catalogue import properties
from metaeval.properties.effort import bounds_for
from metaeval.properties.resolve import resolve

# property: (has it, lacks it)
EXAMPLES = {
    "ordinal-invariance": ("accuracy", "mae"),
    "unused-class-invariance": ("mae", "nmd"),
    "monotonicity": ("mae", "accuracy"),
    "weak-monotonicity": ("accuracy", "cosine"),
    "imbalance": ("macro_recall", "accuracy"),
    "identity": ("accuracy", "accuracy_within(n=1)"),
    "boundedness": ("accuracy", None),
    "symmetry": ("mae", "macro_recall"),
    "reversal-invariance": ("mae", "cosine"),
    "sample-size-invariance": ("mae", "kendall_tau_a"),
    "class-size-invariance": ("macro_recall", "accuracy"),
    "triangle-inequality": ("mae", "mse"),
    "single-item": ("mae", "pearson"),
    "constant-output": ("mae", "pearson"),
    "absent-class": ("mae", "misclassification_cost"),
    "constant-baseline": ("cohen_kappa", "accuracy"),
}


def test_every_property_has_its_pair():
    assert list(EXAMPLES) == list(properties())


@pytest.mark.parametrize("name", EXAMPLES)
def test_accepts(name):
    report = check(EXAMPLES[name][0], name)
    assert report.outcome(name) == "holds"
    assert report.counterexample(name) is None
    assert report.finding(name).cases > 0


@pytest.mark.parametrize("name", [name for name, (_, lacking) in EXAMPLES.items() if lacking])
def test_rejects(name):
    report = check(EXAMPLES[name][1], name)
    assert report.outcome(name) == "violated"
    assert report.counterexample(name).minimal


def test_a_score_outside_the_declared_range_is_caught():
    import metaeval as me
    from metaeval.measures import registry

    me.register("too_high", range=(0, 1), takes="batch")(lambda batch: 1 + batch.correct * 0.5)
    try:
        found = check("too_high", "boundedness").counterexample("boundedness")
    finally:
        registry._definitions.pop("too_high")
        registry._from_name.cache_clear()
    assert found.before == ((1, 0), (0, 0))
    assert found.after is None
    assert "from 0 to 1" in found.why


def test_rounding_at_the_edge_of_the_range_is_not():
    import metaeval as me
    from metaeval.measures import registry

    me.register("edge", range=(0, 1), takes="batch")(lambda batch: 1 + 1e-13 + 0 * batch.total)
    try:
        assert check("edge", "boundedness").outcome("boundedness") == "holds"
    finally:
        registry._definitions.pop("edge")
        registry._from_name.cache_clear()


@pytest.mark.parametrize(
    ("metric", "name", "reason"),
    [
        ("accuracy", "triangle-inequality", "not an error"),
        (lambda matrix: 0.0, "boundedness", "no range"),
        (lambda y_true, y_pred: 0.0, "unused-class-invariance", "labels alone"),
    ],
)
def test_what_does_not_apply_says_why(metric, name, reason):
    finding = check(metric, name).finding(name)
    assert finding.outcome == "not-applicable"
    assert reason in finding.note


def test_a_metric_for_few_classes_is_searched_within_them():
    finding = check("oc_general", "identity", max_items=2, max_classes=6).finding("identity")
    assert (finding.outcome, finding.max_classes) == ("holds", 4)
    # Putting in a class must not lead beyond them either.
    bounds = bounds_for(properties()["ordinal-invariance"], resolve("oc_general"), None, None)
    assert bounds.classes == 3
