"""Paired tests and groups against literal computations."""

import itertools

import numpy as np
import pytest
from scipy import stats

import metaeval as me
from metaeval.analysis.resampling import Plan
from metaeval.evaluation.bootstrap import bootstrap
from metaeval.evaluation.leaderboard import leaderboard, ranking
from metaeval.evaluation.outputs import read_outputs
from metaeval.evaluation.scores import score_outputs
from metaeval.evaluation.significance import groups, letters, pair_tests
from tests.evaluation.tables import outputs_frame


@pytest.fixture(scope="module")
def prepared():
    outputs = read_outputs(outputs_frame(items=300))
    scores = score_outputs(outputs, [me.metric("mae"), me.metric("cem_ord")])
    return outputs, scores, bootstrap(outputs, scores, Plan(200))


def test_p_values_are_holm_adjusted_within_a_metric(prepared):
    outputs, scores, resamples = prepared
    frame = pair_tests(outputs, scores, resamples)
    for row, name in enumerate(scores.names):
        raw = {}
        for one, two in itertools.combinations(range(4), 2):
            drawn = resamples.means[:, row, one] - resamples.means[:, row, two]
            gap = scores.means[row, one] - scores.means[row, two]
            raw[one, two] = 2 * stats.norm.sf(abs(gap) / drawn.std())
        largest = 0.0
        for place, (pair, p) in enumerate(sorted(raw.items(), key=lambda entry: entry[1])):
            largest = max(largest, min(1.0, p * (len(raw) - place)))
            names = tuple(outputs.systems[i] for i in pair)
            assert frame.loc[(name, *names), "p"] == pytest.approx(largest, abs=1e-12)


def test_values_are_means_over_cases_and_pooled_is_over_items(prepared):
    outputs, scores, resamples = prepared
    frame = leaderboard(outputs, scores, resamples, 0.95)
    table = outputs_frame(items=300)
    by_case = [
        (part["gold"] - part["b"]).abs().mean() for _, part in table.groupby("case", sort=False)
    ]
    row = frame.loc[("mae", "b")]
    assert row["value"] == pytest.approx(np.mean(by_case))
    assert row["pooled"] == pytest.approx((table["gold"] - table["b"]).abs().mean())
    drawn = resamples.means[:, 0, 1]
    shift = row["value"] - drawn.mean()
    assert row["low"] == pytest.approx(np.quantile(drawn, 0.025) + shift)
    assert row["high"] == pytest.approx(np.quantile(drawn, 0.975) + shift)
    assert list(frame.loc["mae"].index) == list(frame.loc["mae"].sort_values("value").index)


def test_systems_that_share_a_letter_do_not_differ(prepared):
    outputs, scores, resamples = prepared
    pairs = pair_tests(outputs, scores, resamples)
    frame = groups(outputs, scores, pairs)
    for (metric, one, two), p in pairs["p"].items():
        shared = set(frame.loc[(metric, one), "group"]) & set(frame.loc[(metric, two), "group"])
        assert not (shared and p < 0.05)
    significant = (pairs.xs("mae")["p"] < 0.05).sum()
    assert frame.loc["mae", "beats"].sum() == frame.loc["mae", "loses_to"].sum() == significant


def test_letters_of_runs():
    apart = np.zeros((4, 4), dtype=bool)
    assert letters(apart) == ["a", "a", "a", "a"]
    apart[0, 2] = apart[2, 0] = apart[0, 3] = apart[3, 0] = True
    assert letters(apart) == ["a", "ab", "b", "b"]
    assert letters(~np.eye(30, dtype=bool))[25:28] == ["z", "a1", "b1"]


def test_equal_systems_share_the_better_rank():
    assert ranking(np.array([[0.5, 0.7, 0.5, 0.1]])).tolist() == [[2, 1, 2, 4]]


def test_without_resamples_there_are_no_letters(prepared):
    outputs, scores, _ = prepared
    pairs = pair_tests(outputs, scores, None)
    assert pairs["p"].isna().all()
    assert set(groups(outputs, scores, pairs)["group"]) == {""}
    assert leaderboard(outputs, scores, None, 0.95)["low"].isna().all()
