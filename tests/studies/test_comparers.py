"""The simulated and audited tables of the papers."""

from dataclasses import replace

import pytest

from metaeval.studies.compare_simulation import _judge
from metaeval.studies.reproduce import VERDICTS, compare, reproduce, select


@pytest.fixture(scope="module")
def simulation():
    return reproduce(["001-table3"])


@pytest.fixture(scope="module")
def coverage():
    return reproduce(["002-table3"])


@pytest.fixture(scope="module")
def claims():
    return reproduce(["002-table2"])


def test_simulations_have_no_cell_that_differs(simulation):
    frame = simulation.frame
    assert simulation.ok
    assert len(frame) == 72
    assert set(frame["verdict"]) <= set(VERDICTS)
    within = frame[frame["verdict"] == "within"]
    assert (abs(within["computed"] - within["published"].astype(float)) <= 0.02).all()
    assert frame["note"].str.contains("95 % interval").all()
    assert not (frame["verdict"] == "undecided").any()


def test_unexplained_cells_are_simulation_1_with_imbalance(simulation):
    odd = simulation.frame[simulation.frame["verdict"] == "unexplained"]
    assert len(odd) == 8
    assert odd["case"].str.match(r"simulation 1, Acc \d0%, 0\.").all()
    assert set(odd["metric"]) == {"amae", "kendall_tau_b"}


def test_amae_cannot_disagree_in_a_balanced_design(simulation):
    wrong = simulation.frame[simulation.frame["verdict"] == "erratum"]
    assert wrong[["case", "metric", "published", "computed"]].to_numpy().tolist() == [
        ["simulation 4, Acc 80%, balanced", "amae", "0.996", 1.0]
    ]


def test_d_is_right_by_construction(simulation):
    rows = simulation.frame[simulation.frame["metric"] == "cost_distance"]
    assert (rows["verdict"] == "match").all()
    assert (rows["computed"] == 1).all()


@pytest.mark.parametrize(
    ("share", "verdict"),
    [(0.5713, "match"), (0.59, "within"), (0.595, "undecided"), (0.61, "differs")],
)
def test_verdicts_of_a_simulated_cell(share, verdict):
    (table,) = select(["001-table3"])
    (case,) = (c for c in table.cases if c.name == "simulation 2, Acc 60%, 0.50")
    row = {"agreement": share, "low": share - 0.0097, "high": share + 0.0097, "pairs": 10000}
    assert _judge(table, case, "amae", "0.571", row)[0] == verdict


def test_coverage_is_reproduced_with_the_exchanged_rows_put_right(coverage):
    frame = coverage.frame
    assert coverage.ok
    assert len(frame) == 92
    right, printed = frame["computed"].iloc[-2:]
    assert right <= 0.02 < printed
    assert frame["verdict"].iloc[-2:].tolist() == ["within", "erratum"]
    cells = frame.iloc[:-2]
    exchanged = cells["case"].isin(["amae", "mse"])
    assert (cells["verdict"] == "erratum").sum() == 11
    assert exchanged[cells["verdict"] == "erratum"].all()
    assert (cells["verdict"] == "unexplained").sum() <= 4
    assert cells["note"].str.contains("over systems").all()


def test_a_table_with_other_numbers_is_not_reproduced():
    (table,) = (table for table in select(["002-table3"]) if table.kind == "coverage")
    shifted = tuple(
        replace(case, printed=tuple(f"{float(text) - 0.1:.2f}" for text in case.printed))
        for case in table.cases
    )
    result = compare([replace(table, cases=shifted)])
    assert not result.ok
    assert result.frame["verdict"].iloc[-2] == "differs"


def test_claims_are_audited(claims):
    frame = claims.frame
    assert claims.ok
    assert len(frame) == 78
    wrong = frame[frame["verdict"] == "erratum"]
    assert {("kendall_tau_b", "imbalance"), ("spearman", "imbalance")} < set(
        zip(wrong["case"], wrong["metric"], strict=True)
    )
    assert (wrong["published"] == "yes").all()
    assert (wrong["computed"] == 0).all()
    assert wrong["note"].str.contains("scores").all()
    assert wrong["note"].str.contains("N = ").all()
    tau = wrong[(wrong["case"] == "kendall_tau_b")]["note"].item()
    assert "0.8," in tau
    assert "0.8944" in tau
    assert (frame[frame["case"] == "cem_ord"]["verdict"] == "match").all()


def test_counts_know_every_verdict(simulation):
    assert list(simulation.counts.columns) == list(VERDICTS)
    assert simulation.counts.to_numpy().sum() == 72
