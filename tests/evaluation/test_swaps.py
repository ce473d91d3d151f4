"""Swaps between metrics and the cells that explain them."""

import itertools

import numpy as np
import pandas as pd
import pytest

import metaeval as me
from metaeval.evaluation.outputs import read_outputs
from metaeval.evaluation.scores import score_outputs
from metaeval.evaluation.significance import pair_tests
from metaeval.evaluation.swaps import agreement, contrary_metrics, contributions, swaps
from tests.evaluation.tables import outputs_frame


def found_swaps(frame, names):
    outputs = read_outputs(frame, partitions=1)
    scores = score_outputs(outputs, [me.metric(name) for name in names])
    alike = agreement(outputs, scores, "zero")
    return swaps(outputs, scores, pair_tests(outputs, scores, None), alike), alike, scores


def test_a_swap_is_found_with_its_cells():
    gold = [1, 2, 3, 4, 5] * 4
    near = [min(g + 1, 5) for g in gold]  # always one off, but at the end
    far = [g if n % 2 else 6 - g for n, g in enumerate(gold)]
    frame = pd.DataFrame({"gold": gold, "near": near, "far": far})
    found, alike, _ = found_swaps(frame, ["accuracy", "mae"])
    assert len(found) == 1
    row = found.iloc[0]
    assert (row["system"], row["metric"]) == ("near", "mae")
    assert (row["other"], row["against"]) == ("far", "accuracy")
    assert "1→5: 0 / 2" in row["cells"]
    assert "2→3: 0 / 4" in row["cells_against"]
    assert alike.loc[("accuracy", "mae"), "swapped"] == 1
    assert found.attrs["swapped"] == found.attrs["pairs"] == 1


def test_swapped_pairs_are_counted_as_by_hand():
    names = ["accuracy", "mae", "kendall_tau_b", "nmd"]
    _, alike, scores = found_swaps(outputs_frame(systems=8), names)
    means = scores.oriented
    for one, two in itertools.combinations(range(4), 2):
        opposite = sum(
            np.sign(np.round(means[one, i] - means[one, j], 10))
            * np.sign(np.round(means[two, i] - means[two, j], 10))
            < 0
            for i, j in itertools.combinations(range(8), 2)
        )
        assert alike.loc[(names[one], names[two]), "swapped"] == opposite


@pytest.mark.parametrize("name", ["mae", "accuracy"])
def test_contributions_of_linear_metrics_are_exact(name):
    outputs = read_outputs(outputs_frame())
    one, two = outputs.counts[:, 0].astype(float), outputs.counts[:, 3].astype(float)
    parts = contributions(one, two, me.metric(name))
    items = one.sum(axis=(1, 2))[:, None, None]
    place = np.arange(4)
    cost = np.abs(place[:, None] - place) if name == "mae" else place[:, None] != place
    expected = (-(one - two) * cost / items).mean(axis=0)
    np.testing.assert_allclose(parts, expected, atol=1e-4)


def test_contributions_of_others_sum_to_about_the_difference():
    outputs = read_outputs(outputs_frame(items=2000))
    one, two = outputs.counts[:, 0].astype(float), outputs.counts[:, 1].astype(float)
    for name in ("cem_ord", "quadratic_weighted_kappa", "kendall_tau_b"):
        metric = me.metric(name)
        gap = (metric(one) - metric(two)).mean()
        assert contributions(one, two, metric).sum() == pytest.approx(gap, rel=0.05)


def test_metrics_against_the_rest_take_no_part():
    names = ["accuracy", "mae", "mse", "chance_distance"]
    found, alike, _ = found_swaps(outputs_frame(items=400, systems=8), names)
    assert found.attrs["contrary"] == ["chance_distance"] == contrary_metrics(alike)
    assert "chance_distance" not in set(found["metric"]) | set(found["against"])
    assert contrary_metrics(alike.loc[[("accuracy", "chance_distance")]]) == []


def test_metrics_with_undefined_scores_take_no_part():
    gold = [1, 2, 3, 4, 5] * 4
    near = [min(g + 1, 5) for g in gold]
    far = [g if n % 2 else 6 - g for n, g in enumerate(gold)]
    frame = pd.DataFrame({"gold": gold, "near": near, "far": far, "same": 3})
    found, _, scores = found_swaps(frame, ["accuracy", "mae", "kendall_tau_b"])
    assert np.isnan(scores.values[2]).any()
    assert "kendall_tau_b" not in set(found["metric"]) | set(found["against"])
    assert {"accuracy", "mae"} == set(found["metric"]) | set(found["against"])
