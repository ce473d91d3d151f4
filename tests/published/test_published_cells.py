"""Every printed cell of the five papers, and exactly which of them are not plain matches."""

import pytest

from metaeval.studies.published import tables
from metaeval.studies.reproduce import COLUMNS, VERDICTS, reproduce

# Kinds whose cells are exact; the others are simulated or audited, and tested where they are made.
EXACT = ("matrices", "proximity", "single-sample", "limits")

# Number of cells by table: a table that silently loses cells would otherwise look reproduced.
CELLS = {
    "000-figure4": 30,
    "000-figure5": 7,
    "000-table1": 28,
    "000-table2": 14,
    "000-table3": 14,
    "000-table4": 14,
    "000-table5": 21,
    "001-table2": 40,
    "001-table4": 22,
    "002-appendix-a": 4,
    "002-appendix-a-proximity": 9,
    "002-appendix-b": 12,
    "002-section-3.1": 4,
    "003-table1": 1,
    "004-figure2": 24,
    "004-figure3": 4,
    "004-table1": 78,
}

ROUNDING = {
    ("000-table3", "CM4", "mae"),
    ("002-appendix-b", "(1, 2, 2, 3)", "cosine"),
    ("002-appendix-b", "(1, 1, 2, 2)", "cosine"),
}

ERRATA = {
    ("000-table4", "CM5", "mer"),
    ("000-table4", "CM5", "mae"),
    ("000-table4", "CM5", "spearman"),
    ("000-table4", "CM5", "kendall_tau_b"),
    ("000-table4", "CM5", "r_int"),
    ("000-table4", "CM5", "oc(beta=0.25)"),
    ("000-table4", "CM5", "oc(beta=0.75)"),
    ("001-table2", "colon Glmnetcr", "cost_distance"),
    ("001-table4", "(a) Acc 0.60", "cost_distance"),
    ("001-table4", "(a) Acc 0.70", "cost_distance"),
    ("001-table4", "(a) Acc 0.70", "amae"),
    ("001-table4", "(b) Acc 0.70", "cost_distance"),
    ("001-table4", "(b) Acc 0.80", "cost_distance"),
}


@pytest.fixture(scope="module")
def result():
    return reproduce(list(CELLS))


def cells_with(result, verdict):
    chosen = result.frame[result.frame["verdict"] == verdict]
    return set(zip(chosen["table"], chosen["case"], chosen["metric"], strict=True))


def test_the_frame_is_tidy(result):
    assert tuple(result.frame.columns) == COLUMNS
    assert result.frame["computed"].dtype == float
    assert not result.frame[["paper", "table", "case", "metric"]].duplicated().any()
    assert (result.frame["published"] != "").all()


def test_nothing_differs(result):
    assert result.ok, result.frame[result.frame["verdict"] == "differs"].to_string()


@pytest.mark.parametrize(("table", "count"), CELLS.items())
def test_every_cell_is_compared(result, table, count):
    assert (result.frame["table"] == table).sum() == count


def test_every_exact_table_is_pinned():
    assert {table.id for table in tables() if table.kind in EXACT} == set(CELLS)


def test_exactly_these_cells_are_rounded_otherwise(result):
    assert cells_with(result, "rounding") == ROUNDING


def test_exactly_these_cells_are_errata(result):
    assert cells_with(result, "erratum") == ERRATA


def test_errata_say_why(result):
    notes = result.frame.loc[result.frame["verdict"] == "erratum", "note"]
    assert (notes.str.len() > 30).all()


def test_the_undefined_cell_is_undefined(result):
    undefined = result.frame[result.frame["published"] == "NA"]
    assert undefined[["case", "metric", "verdict"]].to_numpy().tolist() == [
        ["colon Glmnetcr", "kendall_tau_b", "match"]
    ]
    assert undefined["computed"].isna().all()
    assert result.frame["computed"].isna().sum() == 1


def test_counts_add_up(result):
    assert result.counts.to_numpy().sum() == len(result.frame)
    assert list(result.counts.columns) == list(VERDICTS)
