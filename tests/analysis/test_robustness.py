"""Robustness against loops over all pairs of test cases."""

import numpy as np
import pandas as pd
import pytest

from metaeval.analysis.robustness import robustness, robustness_differences
from metaeval.errors import InputError
from tests.analysis import literal
from tests.analysis.literal import random_scores


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_robustness_is_the_literal_one(seed, ties):
    scores = random_scores(seed, ties=ties)
    found = robustness(scores, replicates=0)
    for metric in scores:
        expected = literal.robustness(scores, metric)
        assert found.loc[metric, "robustness"] == pytest.approx(expected, abs=1e-12)


def test_cases_that_rank_nothing_are_left_out_and_counted():
    scores = random_scores(1)
    scores.loc[2, "mae"] = 0.5
    scores.loc[4, "mae"] = 0.5
    found = robustness(scores, replicates=30)
    assert found.loc["mae", "alike"] == 2
    assert found["alike"].drop("mae").sum() == 0
    expected = literal.robustness(scores, "mae")
    assert found.loc["mae", "robustness"] == pytest.approx(expected)
    assert found.loc["mae", "low"] <= expected <= found.loc["mae", "high"]
    nothing = robustness(scores.assign(mae=1.0), replicates=10).loc["mae"]
    assert np.isnan(nothing[["robustness", "low", "high", "low_systems", "p"]].astype(float)).all()


def test_resamples_are_the_written_out_ones():
    from metaeval.analysis.ranking import Ranking
    from metaeval.analysis.robustness import _mean_correlation, _mean_over_pairs, _standardised

    scores = random_scores(2)["cem_ord"].unstack().to_numpy()
    ranking = Ranking(scores)
    weights = np.array([2.0, 0, 1, 1, 3, 0, 0])
    copies = np.repeat(scores, weights.astype(int), axis=1)
    frame = pd.DataFrame(copies).stack().rename("cem_ord").to_frame()
    assert _mean_correlation(ranking, weights) == pytest.approx(
        literal.robustness(frame, "cem_ord")
    )
    # Copies of one test case are not compared with each other.
    ranks = _standardised(ranking, np.ones(7))
    correlations = ranks @ ranks.T
    np.fill_diagonal(correlations, 0)
    cases = np.array([[2.0, 0, 0, 1, 1, 0]])
    expected = (2 * correlations[0, 3] + 2 * correlations[0, 4] + correlations[3, 4]) / 5
    found = _mean_over_pairs(cases, correlations, np.ones(6))
    assert found[0] == pytest.approx(expected)


def test_jobs_change_nothing():
    scores = random_scores(3, cases=12, systems=15)
    found = robustness(scores, replicates=100)
    pd.testing.assert_frame_equal(robustness(scores, replicates=100, jobs=2), found)
    assert (found["low_systems"] <= found["robustness"]).all()
    assert (found["robustness"] <= found["high_systems"]).all()


def test_differences():
    scores = random_scores(4)
    single = robustness(scores, replicates=0)["robustness"]
    frame = robustness_differences(scores, replicates=20)
    for (one, other), row in frame.iterrows():
        assert row["difference"] == pytest.approx(single[one] - single[other])


def test_one_case_is_refused():
    with pytest.raises(InputError, match="only one"):
        robustness(random_scores(0, cases=1))
