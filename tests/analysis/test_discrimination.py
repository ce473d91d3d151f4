"""Discriminative power, split halves and rank correlation."""

import numpy as np
import pandas as pd
import pytest

from metaeval.analysis.discrimination import discriminative_power
from metaeval.analysis.rank_correlation import metric_clusters, rank_correlation
from metaeval.analysis.split_half import split_half
from metaeval.errors import InputError
from tests.analysis import literal
from tests.analysis.literal import random_scores

TESTS = ["tukey", "bootstrap"]
FEW = {"replicates": 20, "trials": 200}


def table(values):
    """Scores of one metric from an array (cases, systems)."""
    frame = pd.DataFrame(np.asarray(values, dtype=float))
    return frame.stack().rename("accuracy").rename_axis(["case", "system"]).to_frame()


@pytest.mark.parametrize("test", TESTS)
def test_identical_systems_do_not_differ(test):
    column = np.random.default_rng(0).random((12, 1))
    found = discriminative_power(table(np.repeat(column, 5, axis=1)), test=test, **FEW)
    assert found.loc["accuracy", "power"] == 0
    assert np.isnan(found.loc["accuracy", "delta"])


@pytest.mark.parametrize("test", TESTS)
def test_very_different_systems_all_differ(test):
    rng = np.random.default_rng(0)
    # Under Tukey's test neighbours have to beat the range of all five shuffled means, which so
    # many test cases make small.
    scores = table(100 * np.arange(5) + rng.random((150, 5)))
    found = discriminative_power(scores, test=test, **FEW)
    assert found.loc["accuracy", "power"] == 1
    assert 99 < found.loc["accuracy", "delta"] < 101


@pytest.mark.parametrize("test", TESTS)
def test_systems_without_a_true_difference_rarely_differ(test):
    rng = np.random.default_rng(1)
    shares = []
    for _ in range(20):
        scores = table(rng.normal(size=(15, 6)))
        shares.append(discriminative_power(scores, test=test, replicates=0, trials=200)["power"])
    # 5 % of the pairs for the paired test, fewer for Tukey's, which covers all pairs at once.
    assert np.mean(shares) < {"tukey": 0.02, "bootstrap": 0.09}[test]


def test_tukey_by_its_definition():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(10, 4)) + np.array([0, 0.4, 0.8, 1.6])
    found = discriminative_power(table(values), replicates=0, trials=2000).loc["accuracy", "power"]
    ranges = []
    for _ in range(2000):
        means = rng.permuted(values, axis=1).mean(axis=0)
        ranges.append(np.ptp(means))
    means = values.mean(axis=0)
    gaps = np.abs(means[:, None] - means)[np.triu_indices(4, 1)]
    p = np.array([(np.array(ranges) >= gap).mean() for gap in gaps])
    assert np.abs(p - 0.05).min() > 0.01  # no pair on the edge
    assert found == pytest.approx((p <= 0.05).mean())


def test_a_constant_lead_is_significant_in_the_paired_test():
    column = np.random.default_rng(0).random((10, 1))
    scores = table(np.hstack([column, column + 0.1]))
    assert discriminative_power(scores, test="bootstrap", **FEW)["power"].item() == 1


@pytest.mark.parametrize("analyse", [discriminative_power, split_half, rank_correlation])
def test_jobs_change_nothing(analyse):
    scores = random_scores(0, cases=10, systems=9)
    one = analyse(scores, replicates=40)
    pd.testing.assert_frame_equal(analyse(scores, replicates=40, jobs=2), one, check_exact=True)


def test_power_says_why_there_is_no_interval_over_cases():
    found = discriminative_power(random_scores(0), **FEW)
    assert "low" not in found
    assert "low_systems" in found
    assert "test of its own" in found.attrs["no_interval"]["test cases"]


def test_what_a_test_cannot_do():
    with pytest.raises(InputError, match="did you mean 'tukey'"):
        discriminative_power(random_scores(0), test="tuckey")
    with pytest.raises(InputError, match="two test cases"):
        discriminative_power(random_scores(0, cases=1))
    with pytest.raises(InputError, match="alpha"):
        discriminative_power(random_scores(0), alpha=5)


def test_split_halves_of_perfect_and_of_random_rankings():
    steady = table(np.arange(8) + np.zeros((10, 8)))
    found = split_half(steady, replicates=20).loc["accuracy"]
    columns = ["consistency", "low_splits", "high_splits", "low_systems"]
    assert found[columns].tolist() == pytest.approx([1, 1, 1, 1])
    noise = table(np.random.default_rng(0).normal(size=(40, 30)))
    assert abs(split_half(noise, replicates=0)["consistency"].item()) < 0.25


def test_split_halves_by_their_definition():
    scores = random_scores(3, cases=7, ties=True)
    from metaeval.analysis.split_half import _halves

    halves = _halves(7, 25, 0)
    assert (halves.sum(axis=1) == 3).all()
    expected = []
    for half in halves.astype(bool):
        values = scores["cem_ord"].unstack()
        means = [values[half].mean().round(10), values[~half].mean().round(10)]
        expected.append(literal.kendalltau(*means).statistic)
    found = split_half(scores, splits=25, replicates=0).loc["cem_ord", "consistency"]
    assert found == pytest.approx(np.nanmean(expected))


@pytest.mark.parametrize("seed", range(4))
def test_rank_correlation_is_scipys(seed):
    scores = random_scores(seed, cases=3)
    found = rank_correlation(scores, replicates=10)
    assert len(found) == 10
    for (one, other), row in found.iterrows():
        assert row["tau"] == pytest.approx(literal.tau(scores, one, other), abs=1e-12)
        assert row["low"] <= row["tau"] <= row["high"]


def test_rank_correlation_in_blocks(monkeypatch):
    scores = random_scores(5)
    whole = rank_correlation(scores, replicates=5)
    monkeypatch.setattr("metaeval.analysis.rank_correlation.rows_a_block", lambda width: 4)
    pd.testing.assert_frame_equal(rank_correlation(scores, replicates=5), whole)


def test_metrics_that_rank_alike_are_one_cluster():
    scores = random_scores(6, systems=12, ties=False)
    scores = scores.assign(mse=-scores["cem_ord"], purity=scores["cem_ord"] * 3, cosine=1.0)
    found = metric_clusters(scores)
    cluster = found.frame["cluster"]
    assert cluster["mse"] == cluster["cem_ord"] == cluster["purity"]
    assert (cluster == cluster["cosine"]).sum() == 1
    assert cluster.iloc[0] == 1
    assert set(found.metrics) == set(cluster.index)
    assert found.linkage.shape == (len(scores.columns) - 1, 4)
    with pytest.raises(InputError, match="two metrics"):
        metric_clusters(scores[["mae"]])
