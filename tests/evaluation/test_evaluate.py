"""me.evaluate as a whole."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import metaeval as me
from metaeval.errors import InputError
from metaeval.evaluation.evaluating import evaluate
from metaeval.evaluation.recommendation import best_metric
from tests.evaluation.tables import outputs_frame

EXAMPLES = Path(__file__).parents[2] / "examples"
FEW = ["accuracy", "mae", "cem_ord", "kendall_tau_b"]


@pytest.fixture(scope="module")
def judges():
    return evaluate(EXAMPLES / "judges.csv", replicates=200)


def test_the_example_is_what_its_script_writes(tmp_path):
    script = EXAMPLES / "make_judges.py"
    subprocess.run([sys.executable, script, tmp_path / "again.csv"], check=True, timeout=60)
    assert (tmp_path / "again.csv").read_bytes() == (EXAMPLES / "judges.csv").read_bytes()


def test_every_metric_judges_every_system(judges):
    assert len(judges.leaderboard) == 12 * len(judges.metrics)
    assert set(judges.metrics.index) == set(me.metrics().index) - {"oc_general"}
    board = judges.leaderboard
    assert ((board["low"] <= board["value"]) & (board["value"] <= board["high"])).all()
    assert judges.confusion.loc["judge-a"].to_numpy().sum() == 300
    assert judges.scores.shape == (120, len(judges.metrics))
    assert judges.settings["cases"] == 10
    assert not judges.settings["random_partition"]


def test_the_qualities_are_those_of_the_analyzers(judges):
    from metaeval.analysis.coverage import coverage
    from metaeval.analysis.discrimination import discriminative_power
    from metaeval.analysis.robustness import robustness

    scores = judges.scores
    for name, analyzer in (
        ("coverage", coverage),
        ("robustness", robustness),
        ("power", discriminative_power),
    ):
        expected = analyzer(scores, replicates=0)[name]
        pd.testing.assert_series_equal(judges.metrics[name], expected, check_names=False)


def test_the_recommended_metric_sees_order_and_is_defined(judges):
    row = judges.metrics.loc[judges.metric]
    assert row["sees_order"]
    assert row["undefined"] == 0
    assert judges.recommendation[0].startswith(f"Report {judges.metric}: ")
    assert f"coverage {row['coverage']:.3f}" in judges.recommendation[0]


@pytest.mark.parametrize("classes", [3, 4, 5, 11])
def test_which_metrics_see_order(classes):
    found = evaluate(outputs_frame(items=300, classes=classes), replicates=0).metrics
    blind = ["accuracy", "cohen_kappa", "mcc", "macro_f1", "g_mean", "cem_nom", "nmd", "rnod"]
    blind += ["mutual_information", "purity", "inverse_purity", "min_sensitivity", "macro_recall"]
    assert not found.loc[blind, "sees_order"].any()
    seeing = ["mae", "amae", "mse", "cem_ord", "kendall_tau_b", "linear_weighted_kappa", "oc"]
    assert found.loc[seeing, "sees_order"].all()


def test_the_best_metric_has_the_best_mean_rank():
    frame = pd.DataFrame(
        {
            "coverage": [0.9, 0.8, 0.99, 1.0],
            "robustness": [0.5, 0.6, 0.99, 1.0],
            "power": [0.3, 0.4, 0.99, 1.0],
            "sees_order": [True, True, True, False],
            "undefined": [0, 0, 1, 0],
        },
        index=["first", "second", "undefined", "nominal"],
    )
    assert best_metric(frame) == "second"
    assert best_metric(frame.loc[["undefined", "nominal"]]) == "undefined"
    assert best_metric(frame.loc[["nominal"]]) == "nominal"


def test_same_seed_same_frames_for_any_jobs():
    frame = outputs_frame().drop(columns="case")
    one = evaluate(frame, metrics=FEW, replicates=100, seed=3)
    two = evaluate(frame, metrics=FEW, replicates=100, seed=3, jobs=2)
    for name, expected in one.frames.items():
        pd.testing.assert_frame_equal(two.frames[name], expected, check_exact=True)
    assert two.recommendation == one.recommendation
    other = evaluate(frame, metrics=FEW, replicates=100, seed=4)
    assert (other.leaderboard["low"] != one.leaderboard["low"]).any()


def test_metrics_of_ones_own_choice_need_no_reference_set():
    found = evaluate(outputs_frame(), metrics=["mae", "mse"], replicates=0)
    everything = evaluate(outputs_frame(), replicates=0)
    pd.testing.assert_series_equal(
        found.metrics["coverage"], everything.metrics.loc[["mae", "mse"], "coverage"]
    )
    assert found.metrics["coverage_low"].isna().all()


def test_one_system_has_a_leaderboard_and_nothing_to_compare():
    found = evaluate(outputs_frame(systems=1), replicates=50)
    assert found.leaderboard["rank"].eq(1).all()
    assert found.metrics["coverage"].isna().all()
    assert set(found.metrics.attrs["not_computed"]) == {"coverage", "robustness", "power"}
    assert found.recommendation[0].startswith("There is one system only")
    assert len(found.summary) == 1


def test_one_case_has_no_robustness_and_says_why():
    found = evaluate(outputs_frame(cases=1), metrics=FEW, replicates=50)
    assert found.metrics["robustness"].isna().all()
    assert found.metrics["coverage"].notna().all()
    assert "only one" in found.metrics.attrs["not_computed"]["robustness"]
    assert not found.recommended
    assert "one test case only" in found.recommendation[0]


def test_undefined_scores_count_as_told():
    frame = pd.DataFrame(
        {"gold": [1, 2, 1, 1, 2, 1], "case": list("xxyyzz"), "a": 1, "b": [1, 2, 1, 2, 2, 1]}
    )
    zero = evaluate(frame, metrics="kendall_tau_b", replicates=0).leaderboard
    assert zero.loc[("kendall_tau_b", "b"), "value"] == pytest.approx(2 / 3)
    assert zero.loc[("kendall_tau_b", "b"), "undefined"] == 1
    half = evaluate(frame, metrics="kendall_tau_b", replicates=0, undefined=0.5).leaderboard
    assert half.loc[("kendall_tau_b", "b"), "value"] == pytest.approx(2.5 / 3)
    assert half["undefined_as"].eq(0.5).all()
    with pytest.raises(InputError, match="cannot be dropped"):
        evaluate(frame, metrics="mae", undefined="drop")
