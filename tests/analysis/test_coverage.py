"""Coverage and UIR against plain loops and scipy, and what resampling must and must not do."""

import numpy as np
import pandas as pd
import pytest

from metaeval.analysis.coverage import coverage, coverage_by_family, coverage_differences
from metaeval.analysis.unanimity import uir, uir_table
from metaeval.errors import InputError
from tests.analysis import literal
from tests.analysis.literal import REFERENCE, random_scores

SEEDS = range(6)


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_uir_is_the_literal_one(seed, ties):
    scores = random_scores(seed, ties=ties)
    found = uir(scores)
    for (one, other), ratio in literal.uir(scores).items():
        assert found.loc[one, other] == pytest.approx(ratio, abs=1e-12)
    assert (np.diag(found) == 0).all()


@pytest.mark.parametrize("reference", [("accuracy",), ("mae", "cem_ord"), REFERENCE])
def test_any_reference_set(reference):
    scores = random_scores(3)
    found = uir(scores, reference)
    for (one, other), ratio in literal.uir(scores, reference).items():
        assert found.loc[one, other] == pytest.approx(ratio, abs=1e-12)
    for metric in scores:
        expected = literal.coverage(scores, metric, reference)
        assert coverage(scores, reference, replicates=0).loc[metric, "coverage"] == pytest.approx(
            expected, abs=1e-12
        )


def test_the_uir_table_has_the_matrix_and_the_interval_of_a_mean():
    scores = random_scores(1)
    matrix, table = uir(scores), uir_table(scores)
    verdict = []
    for case in range(6):
        verdict.append(literal.uir(scores.loc[[case]])["s0", "s4"])
    for (one, other), row in table.iterrows():
        assert row["uir"] == pytest.approx(matrix.loc[one, other])
        assert row["low"] <= row["uir"] <= row["high"]
    error = np.std(verdict, ddof=1) / np.sqrt(6)
    row = table.loc[("s0", "s4")]
    assert row["high"] - row["uir"] == pytest.approx(1.959963985 * error)
    assert row["low"] == max(-1, row["uir"] - 1.959963985 * error)


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_coverage_is_the_literal_one(seed, ties):
    scores = random_scores(seed, ties=ties)
    found = coverage(scores, replicates=0)
    for metric in scores:
        expected = literal.coverage(scores, metric)
        assert found.loc[metric, "coverage"] == pytest.approx(expected, abs=1e-12)


def test_coverage_without_families_is_the_literal_one():
    scores = random_scores(2)
    families = {f"s{i}": "odd" if i % 2 else "even" if i < 4 else "rest" for i in range(7)}
    found = coverage_by_family(scores, families, replicates=5)
    assert list(found.index.unique("left_out")) == ["", "even", "odd", "rest"]
    for left_out, metric in found.index:
        kept = [s for s, family in families.items() if family != left_out]
        row = found.loc[(left_out, metric)]
        assert row["coverage"] == pytest.approx(literal.coverage(scores, metric, systems=kept))
        assert row["systems"] == len(kept)


def test_scores_closer_than_the_resolution_are_ties():
    scores = random_scores(4)
    noise = np.random.default_rng(0).uniform(-2e-11, 2e-11, size=scores.shape)
    for change in (scores + noise, scores):
        pd.testing.assert_frame_equal(uir(change), uir(scores))
    found = coverage(scores + noise, replicates=0)["coverage"]
    pd.testing.assert_series_equal(found, coverage(scores, replicates=0)["coverage"])


def test_the_only_reference_metric_covers_what_the_definition_gives():
    scores = random_scores(5, cases=1, ties=False)
    alone = coverage(scores, ["accuracy"], replicates=0)["coverage"]
    # One case: UIR is the sign of the difference, so that ranks of differences keep its order.
    assert alone["accuracy"] == pytest.approx(literal.coverage(scores, "accuracy", ["accuracy"]))
    assert alone["accuracy"] < 1
    two = scores.loc[(slice(None), ["s0", "s6"]), :]
    assert coverage(two, ["accuracy"], replicates=0).loc["accuracy", "coverage"] == 1


def test_a_metric_that_tells_nothing_apart_has_no_coverage():
    scores = random_scores(0).assign(cem_ord=0.5)
    found = coverage(scores, replicates=20)
    assert np.isnan(found.loc["cem_ord", ["coverage", "low", "high", "p", "p_systems"]]).all()
    assert found["coverage"].drop("cem_ord").notna().all()


def explicit_resample(scores, weights, level):
    """The resample written out, every copy of a case or system with a name of its own."""
    parts = []
    groups = scores.groupby(level=level, sort=False)
    for (name, group), weight in zip(groups, weights, strict=True):
        for copy in range(int(weight)):
            part = group.reset_index()
            column = ["case", "system"][level]
            part[column] = f"{name}/{copy}"
            parts.append(part)
    return pd.concat(parts).set_index(["case", "system"])


def test_a_resample_of_cases_is_coverage_of_the_written_out_cases():
    from metaeval.analysis.coverage import _Task
    from metaeval.analysis.resampling import Plan
    from metaeval.analysis.scores import read_scores
    from metaeval.analysis.unanimity import verdicts

    scores = random_scores(7)
    table = read_scores(scores)
    task = _Task(table, verdicts(table, REFERENCE), np.ones((1, 7)))
    weights = Plan(replicates=5).case_weights(6)
    found = task.over_cases(weights)[:, 0]
    for row, weight in zip(found, weights, strict=True):
        expected = coverage(explicit_resample(scores, weight, 0), replicates=0)["coverage"]
        np.testing.assert_allclose(row, expected, atol=1e-12)


def test_a_resample_of_systems_compares_different_systems_only():
    from metaeval.analysis.coverage import _Task
    from metaeval.analysis.resampling import Plan
    from metaeval.analysis.scores import read_scores
    from metaeval.analysis.unanimity import verdicts

    scores = random_scores(8)
    table = read_scores(scores)
    task = _Task(table, verdicts(table, REFERENCE), np.ones((1, 7)))
    weights = Plan(replicates=5).system_weights(7)
    found = task.over_systems(weights)[:, 0]
    ratios = literal.uir(scores)
    means = literal.oriented(scores).groupby(level=1, sort=False).mean()
    for row, weight in zip(found, weights, strict=True):
        drawn = [f"s{i}" for i in range(7) for _ in range(int(weight[i]))]
        pairs = [(s, t) for s in drawn for t in drawn if s != t]
        for value, metric in zip(row, scores, strict=True):
            gaps = [round(means[metric][s] - means[metric][t], 10) for s, t in pairs]
            expected = literal.spearmanr(gaps, [ratios[p] for p in pairs]).statistic
            assert value == pytest.approx(expected, abs=1e-12)


def test_intervals_hold_the_estimate_and_jobs_change_nothing():
    scores = random_scores(9, cases=20, systems=20, ties=False)
    found = coverage(scores, replicates=150)
    for ending in ("", "_systems"):
        assert (found[f"low{ending}"] <= found["coverage"]).all()
        assert (found["coverage"] <= found[f"high{ending}"]).all()
        assert np.isnan(found.loc[found["coverage"].idxmax(), f"p{ending}"])
    for jobs in (2, 3, 0):
        pd.testing.assert_frame_equal(
            coverage(scores, replicates=150, jobs=jobs), found, check_exact=True
        )
    assert not coverage(scores, replicates=150, seed=1).equals(found)


def test_blocks_change_nothing(monkeypatch):
    scores = random_scores(10, cases=12, systems=12)
    families = {f"s{i}": "ab"[i % 2] for i in range(12)}
    whole = coverage_by_family(scores, families, replicates=30)
    for module in ("coverage", "unanimity"):
        monkeypatch.setattr(f"metaeval.analysis.{module}.rows_a_block", lambda width: 1)
    monkeypatch.setattr("metaeval.analysis.unanimity.BLOCK", 24)
    again = coverage_by_family(scores, families, replicates=30)
    pd.testing.assert_frame_equal(again, whole, rtol=1e-12)


def test_differences_are_those_of_the_coverages():
    scores = random_scores(11, cases=15, systems=12, ties=False)
    single = coverage(scores, replicates=100)["coverage"]
    frame = coverage_differences(scores, replicates=100)
    assert len(frame) == 10
    for (one, other), row in frame.iterrows():
        assert row["difference"] == pytest.approx(single[one] - single[other])
        assert row["low"] <= row["difference"] <= row["high"]
    assert frame["p"].between(0, 1).all()


def test_a_metric_and_its_complement_are_one():
    scores = random_scores(12)
    scores = scores.assign(mse=-scores["cem_ord"])
    frame = coverage_differences(scores, replicates=50)
    row = frame.loc[("cem_ord", "mse")]
    assert row["difference"] == 0
    assert row["p"] == row["p_systems"] == 1


def test_one_case_has_no_interval_over_cases_and_says_so():
    frame = coverage(random_scores(0, cases=1), replicates=10)
    assert "low" not in frame
    assert "low_systems" in frame
    assert frame.attrs["no_interval"] == {"test cases": "there is one test case only"}
    assert "any" in coverage(random_scores(0), replicates=0).attrs["no_interval"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reference": []}, "reference set is empty"),
        ({"reference": ["acuracy"]}, "did you mean 'accuracy'"),
        ({"replicates": -1}, "replicates"),
        ({"level": 1.5}, "level"),
        ({"jobs": -1}, "jobs"),
        ({"seed": -1}, "seed"),
    ],
)
def test_impossible_arguments(change, message):
    with pytest.raises(InputError, match=message):
        coverage(random_scores(0), **{"replicates": 5, **change})


def test_every_system_needs_a_family():
    with pytest.raises(InputError, match="no family for system 's1'"):
        coverage_by_family(random_scores(0), {"s0": "a"})
    with pytest.raises(InputError, match="fewer than two systems"):
        coverage_by_family(random_scores(0), {f"s{i}": "a" for i in range(7)})
