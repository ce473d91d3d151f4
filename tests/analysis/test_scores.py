"""Reading score frames: orientation, undefined scores, and what is refused."""

import numpy as np
import pandas as pd
import pytest

from metaeval.analysis.coverage import coverage
from metaeval.analysis.scores import read_scores
from metaeval.errors import InputError
from tests.analysis.literal import random_scores

NAN = np.nan


@pytest.fixture
def holed():
    scores = random_scores(0)
    scores.loc[(2, "s1"), "mae"] = NAN
    scores.loc[(3, "s2"), "mae"] = np.inf
    scores.loc[(3, "s0"), "cem_ord"] = NAN
    return scores


def value(table, metric, case, system):
    return table.values[
        table.metrics.index(metric), table.cases.index(case), table.systems.index(system)
    ]


def test_errors_are_turned_round():
    scores = random_scores(0)
    table = read_scores(scores)
    assert value(table, "mae", 1, "s3") == -scores.loc[(1, "s3"), "mae"]
    assert value(table, "cem_ord", 1, "s3") == scores.loc[(1, "s3"), "cem_ord"]


def test_the_order_of_rows_does_not_matter():
    scores = random_scores(0)
    shuffled = scores.sample(frac=1, random_state=1)
    one, other = coverage(scores, replicates=0), coverage(shuffled, replicates=0)
    pd.testing.assert_series_equal(one["coverage"], other["coverage"])


def test_undefined_counts_as_zero_and_is_counted(holed):
    table = read_scores(holed)
    assert value(table, "mae", 2, "s1") == value(table, "mae", 3, "s2") == 0
    account = table.account()
    assert account["undefined"].to_dict()["mae"] == 2
    assert account["undefined"].sum() == 3
    assert account.loc["mae", "undefined_as"] == "0"


def test_undefined_as_the_worst_score_of_the_metric(holed):
    table = read_scores(holed, "worst")
    worst = holed["mae"].replace(np.inf, NAN).max()
    assert value(table, "mae", 2, "s1") == -worst
    assert value(table, "cem_ord", 3, "s0") == holed["cem_ord"].min()


def test_undefined_as_a_number_or_by_metric(holed):
    assert value(read_scores(holed, 0.7), "mae", 2, "s1") == -0.7
    table = read_scores(holed, {"mae": 2.0})
    assert value(table, "mae", 2, "s1") == -2
    assert value(table, "cem_ord", 3, "s0") == 0
    assert table.account()["undefined_as"].to_dict()["mae"] == "2"


def test_dropped_cases_are_dropped_for_all(holed):
    table = read_scores(holed, "drop")
    assert table.cases == (0, 1, 4, 5)
    found = coverage(holed, undefined="drop", replicates=0)
    expected = coverage(holed.drop([2, 3], level=0), replicates=0)
    pd.testing.assert_series_equal(found["coverage"], expected["coverage"])
    assert (found["cases"] == 4).all()
    assert found.loc["mae", "undefined"] == 2
    only_mae = read_scores(holed, {"mae": "drop"})
    assert only_mae.cases == (0, 1, 4, 5)
    assert only_mae.treatment[only_mae.metrics.index("mae")] == "case left out"


def test_the_caller_keeps_the_frame(holed):
    before = holed.copy()
    read_scores(holed)
    pd.testing.assert_frame_equal(holed, before)


def test_nothing_left():
    scores = random_scores(0)
    scores.loc[(slice(None), "s0"), "mae"] = NAN
    with pytest.raises(InputError, match="undefined='drop' leaves nothing"):
        read_scores(scores, "drop")


def test_foreign_metrics_need_an_orientation():
    scores = random_scores(0).rename(columns={"cem_ord": "my loss"})
    with pytest.raises(InputError, match=r"column 'my loss' .* greater_is_better=\{'my loss'"):
        read_scores(scores)
    table = read_scores(scores, greater_is_better={"my loss": False})
    assert value(table, "my loss", 0, "s0") == -scores.loc[(0, "s0"), "my loss"]
    turned = read_scores(scores, greater_is_better={"my loss": True, "mae": True})
    assert value(turned, "mae", 0, "s0") == scores.loc[(0, "s0"), "mae"]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda s: s.reset_index(), "index is"),
        (lambda s: s.iloc[:0], "at least one row"),
        (lambda s: s[[]], "at least one row and one column"),
        (lambda s: s.drop((1, "s2")), "case 1, system 's2' has no row"),
        (lambda s: pd.concat([s, s.loc[[(1, "s2")]]]), "case 1, system 's2' has two rows"),
        (lambda s: s.loc[(slice(None), ["s1"]), :], "one system only"),
        (lambda s: s.assign(mae="x"), "column 'mae' of the scores holds no numbers"),
        (lambda s: pd.concat([s, s[["mae"]]], axis=1), "two columns named 'mae'"),
        (lambda s: s.rename(index={"s1": None}, level=1), "without a case or a system"),
    ],
)
def test_what_is_no_table_of_scores(spoil, message):
    with pytest.raises(InputError, match=message):
        read_scores(spoil(random_scores(0)))


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("zeros", "did you mean 'zero'"),
        (NAN, "finite number"),
        ({"mea": 1.0}, "did you mean 'mae'"),
        ({"mae": "best"}, "unknown policy"),
    ],
)
def test_impossible_policies(policy, message):
    with pytest.raises(InputError, match=message):
        read_scores(random_scores(0), policy)
