"""Verdicts on built-in metrics, pinned, and confirmed by brute force over the oracles."""

import math

import pytest

from metaeval.properties import check
from tests.properties import brute

# Size (N, K) of the smallest counterexample; the brute force below finds the same by itself.
VIOLATED = {
    "ordinal-invariance": {
        "accuracy_within": (1, 2), "mae": (1, 2), "oc": (1, 2), "pearson": (3, 3),
        "linear_weighted_kappa": (2, 3), "cem_int": (2, 3), "misclassification_cost": (2, 2),
    },
    "unused-class-invariance": {"oc": (1, 2), "rennie_srebro": (1, 2), "cosine": (2, 2)},
    "monotonicity": {
        "accuracy": (3, 3), "quadratic_weighted_kappa": (3, 3), "cosine": (3, 2), "oc": (4, 3),
        "kendall_tau_b": (3, 3), "macro_f1": (3, 3), "sensitivity": (2, 2), "mmae": (2, 2),
        "misclassification_cost": (4, 3), "reliability": (3, 2),
    },
    "weak-monotonicity": {
        "cohen_kappa": (4, 3), "macro_f1": (3, 3), "oc": (4, 3), "cosine": (3, 2), "purity": (2, 2),
    },
    "imbalance": {
        "accuracy": (4, 3), "kendall_tau_b": (4, 3), "spearman": (4, 3), "reliability": (4, 3),
        "sensitivity": (4, 3), "mutual_information": (4, 3), "purity": (4, 3),
        "inverse_purity": (4, 3), "oc": (4, 3), "linear_weighted_kappa": (5, 4),
        "quadratic_weighted_kappa": (5, 4), "cem_int": (5, 4), "chance_distance": (6, 3),
    },
    "identity": {"accuracy_within": (1, 2), "pearson": (2, 3), "nmd": (2, 2)},
    "symmetry": {"macro_recall": (3, 2), "cem_ord": (2, 2), "rennie_srebro": (1, 3)},
    "reversal-invariance": {"cosine": (2, 3)},
    "sample-size-invariance": {"krippendorff_alpha": (1, 2), "kendall_tau_a": (1, 2)},
    "class-size-invariance": {"mae": (2, 2), "kendall_tau_b": (3, 2), "somers_d": (3, 3)},
    "triangle-inequality": {"mse": (1, 3), "amae": (3, 2), "oc": (2, 3), "rnod": (2, 3)},
    "single-item": {"kendall_tau_b": (1, 2), "cohen_kappa": (1, 2)},
    "constant-output": {"pearson": (2, 2), "reliability": (2, 2)},
    "absent-class": {"misclassification_cost": (2, 3)},
}  # fmt: skip

# Found to hold; brute force confirms it up to a few items.
HOLDS = {
    "ordinal-invariance": ["accuracy", "kendall_tau_b", "cem_ord", "krippendorff_alpha"],
    "unused-class-invariance": ["mae", "cem_ord", "quadratic_weighted_kappa"],
    "monotonicity": ["mae", "mse", "amae", "rennie_srebro", "cem_ord", "cem_int"],
    "weak-monotonicity": ["accuracy", "macro_recall", "uoc", "cem_nom"],
    "imbalance": ["macro_recall", "cohen_kappa", "macro_f1", "amae", "cem_nom", "cem_ord"],
    "identity": ["mae", "cem_ord", "cohen_kappa", "oc"],
    "symmetry": ["mae", "kendall_tau_b", "oc", "mutual_information"],
    "reversal-invariance": ["mae", "cem_ord", "oc"],
    "sample-size-invariance": ["mae", "oc", "cem_ord"],
    "class-size-invariance": ["macro_recall", "amae", "uoc"],
    "triangle-inequality": ["mae", "mer", "nmd"],
    "single-item": ["mae", "oc", "cem_ord"],
    "constant-output": ["mae", "cohen_kappa"],
    "absent-class": ["mae", "kendall_tau_b", "cem_ord"],
}
REACH = {"triangle-inequality": (2, 3), "imbalance": (6, 4), "single-item": (1, 4)}


def pairs(table):
    return [(name, key) for name, keys in table.items() for key in keys]


@pytest.mark.parametrize(("name", "key"), pairs(VIOLATED))
def test_the_smallest_counterexample_is_the_brute_force_one(name, key):
    found = check(key, name).counterexample(name)
    assert found is not None
    assert found.minimal
    assert (found.items, found.classes) == VIOLATED[name][key]
    items, classes, matrix = brute.smallest(name, key, found.items, max(found.classes, 3))
    assert (items, classes) == (found.items, found.classes)
    if name not in ("imbalance", "triangle-inequality"):
        assert found.before == matrix


@pytest.mark.parametrize(("name", "key"), pairs(HOLDS))
def test_what_holds_holds_for_the_brute_force_too(name, key):
    assert check(key, name).outcome(name) == "holds"
    assert brute.smallest(name, key, *REACH.get(name, (3, 3))) is None


@pytest.mark.parametrize(
    ("key", "outcome"),
    [("cohen_kappa", "holds"), ("kendall_tau_b", "holds"), ("somers_d", "holds"),
     ("accuracy", "violated"), ("mae", "violated"), ("goodman_kruskal_gamma", "violated")],
)  # fmt: skip
def test_constant_baseline_by_writing_out_all_permutations(key, outcome):
    report = check(key, "constant-baseline")
    assert report.outcome("constant-baseline") == outcome
    found = report.counterexample("constant-baseline")
    sizes = [(2, 2), (2, 3), (3, 2), (3, 3)]
    means = {
        size: [m for m in brute.baseline_means(key, *size) if not math.isnan(m)] for size in sizes
    }
    constant = means[2, 2][0]
    off = [s for s in sizes if any(not brute.same(m, constant) for m in means[s])]
    if outcome == "holds":
        assert off == []
    else:
        assert (found.items, found.classes) == off[0]
        assert found.score_before == pytest.approx(constant)


def test_longer_searches_for_the_rarer_violations():
    linear = check("linear_weighted_kappa", ["monotonicity", "weak-monotonicity"])
    sizes = [(c.items, c.classes) for c in linear.counterexamples]
    assert sizes == [(5, 3), (6, 3)]
    assert brute.smallest("monotonicity", "linear_weighted_kappa", 5, 3)[:2] == (5, 3)
    # One of the uniform indices rewards a step away from gold, the one it is the area of does not.
    assert check("auoc", "weak-monotonicity").counterexample("weak-monotonicity").items == 4
    assert check("uoc", "weak-monotonicity").outcome("weak-monotonicity") == "holds"
