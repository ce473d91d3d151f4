"""Agreement and disagreements of metrics on pairs."""

import json

import numpy as np
import pandas as pd
import pytest

import generators
import metaeval as me
from metaeval.analysis.agreement import agreement, agreement_table
from metaeval.analysis.disagreements import disagreements
from metaeval.analysis.inference import holm, sign_test
from metaeval.errors import InputError
from tests.analysis import literal

METRICS = ["accuracy", "mae", "kendall_tau_b", "misclassification_cost"]


@pytest.fixture(scope="module")
def frames():
    stacks = [
        generators.matrices("dispersed", count=300, rng=np.random.SeedSequence(i), items=6)
        for i in (0, 1)
    ]
    return [me.score(stack, METRICS) for stack in stacks]


def defined(frames):
    known = frames[0].notna().all(axis=1) & frames[1].notna().all(axis=1)
    return [frame[known] for frame in frames]


def test_agreement_is_the_literal_one(frames):
    a, b = (f[["accuracy", "mae", "kendall_tau_b"]].fillna(0) for f in frames)
    found = agreement(*(f[["accuracy", "mae", "kendall_tau_b"]] for f in frames))
    for one in a:
        for other in a:
            expected = literal.agreement(a, b, one, other)
            assert found.loc[one, other] == pytest.approx(expected)
    assert (np.diag(found) == 1).all()


def test_dropped_pairs_are_dropped_for_two_metrics_only(frames):
    assert frames[0]["misclassification_cost"].isna().any()
    found = agreement(*frames, undefined="drop")
    complete = agreement(*(f[["accuracy", "mae"]] for f in frames))
    assert found.loc["accuracy", "mae"] == complete.loc["accuracy", "mae"]
    pair = ["accuracy", "misclassification_cost"]
    expected = agreement(*(f[pair] for f in defined([f[pair] for f in frames])))
    assert found.loc[tuple(pair)] == expected.loc[tuple(pair)]


def test_the_table_counts_pairs_and_undefined_ones(frames):
    table = agreement_table(*frames, undefined="drop")
    lost = frames[0].isna() | frames[1].isna()
    row = table.loc[("accuracy", "misclassification_cost")]
    assert row["undefined_other"] == lost["misclassification_cost"].sum()
    assert row["pairs"] == 300 - lost[["accuracy", "misclassification_cost"]].any(axis=1).sum()
    assert len(table) == 6
    assert ((table["low"] <= table["agreement"]) & (table["agreement"] <= table["high"])).all()
    matrix = agreement(*frames, undefined="drop")
    for (one, other), share in table["agreement"].items():
        assert matrix.loc[one, other] == share


def test_the_papers_view_is_a_row_of_the_matrix(frames):
    matrix = agreement(*frames)
    found = agreement_table(*frames, "misclassification_cost")
    pd.testing.assert_series_equal(
        found["agreement"],
        matrix.loc[found.index, "misclassification_cost"],
        check_names=False,
    )
    assert list(found.index) == METRICS[:-1]


def test_p_values_are_mcnemars(frames):
    a, b = (f[["accuracy", "mae", "kendall_tau_b"]].fillna(0) for f in frames)
    found = agreement_table(a, b, "kendall_tau_b")
    sign = pd.Series({"accuracy": 1, "mae": -1, "kendall_tau_b": 1})
    prefers = (a * sign).round(10) >= (b * sign).round(10)
    same = prefers.eq(prefers["kendall_tau_b"], axis=0)
    best = found["agreement"].idxmax()
    other = {"accuracy": "mae", "mae": "accuracy"}[best]
    more, less = (same[best] & ~same[other]).sum(), (same[other] & ~same[best]).sum()
    expected = holm(sign_test(np.array([more]), np.array([less])))[0]
    assert found.loc[other, "p"] == pytest.approx(expected)
    assert np.isnan(found.loc[best, "p"])


def test_frames_must_fit(frames):
    with pytest.raises(InputError, match="300 rows and the second 299"):
        agreement(frames[0], frames[1].iloc[1:])
    with pytest.raises(InputError, match="'mae' is in one only"):
        agreement(frames[0], frames[1].drop(columns="mae"))
    with pytest.raises(InputError, match="another order"):
        agreement(frames[0], frames[1][METRICS[::-1]])
    with pytest.raises(InputError, match="nothing to compare"):
        agreement(frames[0].iloc[:0], frames[1].iloc[:0])
    with pytest.raises(InputError, match="unknown reference metric"):
        agreement_table(*frames, "oc")


def test_disagreements_are_real_strict_and_smallest_first():
    sizes = (3, 4, 5, 6)
    stacks = [
        np.concatenate(
            [
                generators.matrices(
                    "dispersed", count=500, rng=np.random.SeedSequence([i, n]), items=n
                )
                for n in sizes
            ]
        )
        for i in (0, 1)
    ]
    mae, oc = me.metric("mae"), me.metric("oc(beta=0.75)")
    found = disagreements(*stacks, mae, oc, top=8)
    assert found["items"].is_monotonic_increasing
    assert set(found["items"]) == set(sizes)
    for row in found.to_dict("records"):
        better, worse = json.loads(row["better"]), json.loads(row["worse"])
        assert mae(better) == row["mae, better"] < mae(worse) == row["mae, worse"]
        assert oc(better) == row["oc(beta=0.75), better"] > oc(worse)
        pair = {str(stack[row["pair"]].tolist()) for stack in stacks}
        assert pair == {str(better), str(worse)}
    # Nothing of the same size is stronger than the first of that size.
    every = disagreements(*stacks, mae, oc, top=10**6)
    strongest = every.groupby("items")["strength"].max()
    assert found.groupby("items")["strength"].max().equals(strongest)


def test_metrics_that_never_contradict_each_other():
    stack = generators.matrices("dispersed", count=200, rng=np.random.SeedSequence(0))
    found = disagreements(stack[::2], stack[1::2], me.metric("mer"), me.metric("accuracy"))
    assert found.empty


def test_undefined_scores_are_no_disagreement():
    stacks = [np.array([[[1, 0], [1, 0]]]), np.array([[[1, 0], [0, 1]]])]
    assert disagreements(*stacks, me.metric("pearson"), me.metric("mae")).empty
