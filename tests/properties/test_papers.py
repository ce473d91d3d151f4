"""What the papers say about properties, beside what is found."""

import pytest

import metaeval as me
from metaeval.properties import audit, check
from metaeval.studies.published import tables

# Claims of paper 002's Table 2 that computation contradicts, with the smallest counterexample.
CONTRADICTED = {
    ("accuracy_within(n=1)", "ordinal-invariance"): (1, 2),
    ("oc", "ordinal-invariance"): (1, 2),
    ("linear_weighted_kappa", "monotonicity"): (5, 3),
    ("quadratic_weighted_kappa", "monotonicity"): (3, 3),
    ("cosine", "monotonicity"): (3, 2),
    ("linear_weighted_kappa", "imbalance"): (5, 4),
    ("quadratic_weighted_kappa", "imbalance"): (5, 4),
    ("kendall_tau_b", "imbalance"): (4, 3),
    ("spearman", "imbalance"): (4, 3),
    ("reliability", "imbalance"): (4, 3),
    ("sensitivity", "imbalance"): (4, 3),
    ("mutual_information", "imbalance"): (4, 3),
    ("purity", "imbalance"): (4, 3),
    ("inverse_purity", "imbalance"): (4, 3),
    ("cem_int", "imbalance"): (5, 4),
}


@pytest.fixture(scope="module")
def found():
    (table,) = [t for t in tables() if t.id == "002-table2"]
    claims = {
        case.name: dict(zip(table.columns, [p == "yes" for p in case.printed], strict=True))
        for case in table.cases
    }
    return audit(claims, jobs=1)


def test_all_contradictions_of_table_2(found):
    wrong = found[~found["agrees"]]
    sizes = {
        (row.metric, row.property): tuple(int(p.split("=")[1]) for p in row.sizes.split(","))
        for row in wrong.itertuples()
    }
    assert sizes == CONTRADICTED
    assert wrong["claimed"].all()


def test_the_audit_has_one_row_a_claim(found):
    assert len(found) == 26 * 3
    assert list(found.columns[:4]) == ["metric", "property", "claimed", "found"]
    assert {"counterexample", "sizes"} <= set(found.columns)
    agreeing = found[found["agrees"] & found["claimed"]]
    assert agreeing["sizes"].str.startswith("all N <= ").all()


@pytest.mark.parametrize(
    ("key", "larger", "smaller"),
    [("kendall_tau_b", 0.80, 0.894), ("spearman", 0.833, 0.943)],
)
def test_the_papers_own_imbalance_example(key, larger, smaller):
    """Gold (1, 1, 2, 3): the smallest counterexample is the example meant to show the property."""
    found = check(key, "imbalance").counterexample("imbalance")
    assert found.labels_before == ((0, 0, 1, 2), (0, 1, 1, 2))
    assert found.labels_after == ((0, 0, 1, 2), (0, 0, 1, 1))
    assert (found.score_before, found.score_after) == pytest.approx((larger, smaller), abs=5e-4)
    assert me.metric(key).from_labels([1, 1, 2, 3], [1, 2, 2, 3], [1, 2, 3]) == pytest.approx(
        larger, abs=5e-4
    )


def test_the_triangle_inequality_of_paper_000():
    """OC fails it for a small b; b >= 1/(N + 1) makes it a distance for up to N items."""
    name = "triangle-inequality"
    for small in ("oc", "oc(beta_raw=0)", "oc(beta_raw=0.05)"):
        assert check(small, name).outcome(name) == "violated"
    assert check("oc(beta_raw=0.5)", name).outcome(name) == "holds"
    # The paper's vectors: two of N items differ from a constant third, in different places.
    items = 6
    border = (items - 1) / ((items + 1) * (items + 2))
    for b, fails in ((border - 1e-3, True), (border + 1e-3, False)):
        oc = me.metric("oc", beta_raw=b)
        ab, bc = oc([[items - 1, 0], [1, 0]]), oc([[items - 1, 1], [0, 0]])
        ac = oc([[items - 2, 1], [1, 0]])
        assert (ac > ab + bc) is fails


def test_one_item_and_the_right_b():
    """With b = 1/2 the index of a single item is that of right and wrong (paper 000, 3.2)."""
    assert check("oc(beta_raw=0.5)", "single-item").outcome("single-item") == "holds"
    assert check("kendall_tau_b", "single-item").outcome("single-item") == "violated"


def test_the_uniform_index_does_not_see_class_sizes():
    """Paper 004's classifiers D and F."""
    name = "class-size-invariance"
    assert check("uoc", name).outcome(name) == "holds"
    assert check("oc", name).outcome(name) == "violated"
