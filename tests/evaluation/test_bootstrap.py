"""The bootstrap against explicit resampling of items, one at a time."""

import math

import numpy as np
import pytest

import metaeval as me
from metaeval.analysis.resampling import Plan
from metaeval.evaluation import bootstrap as module
from metaeval.evaluation.bootstrap import bootstrap
from metaeval.evaluation.outputs import ITEMS, read_outputs
from metaeval.evaluation.scores import score_outputs
from tests.evaluation.tables import outputs_frame

NAMES = ["mae", "accuracy", "kendall_tau_b", "amae", "cem_ord"]


@pytest.fixture
def prepared():
    outputs = read_outputs(outputs_frame())
    return outputs, score_outputs(outputs, [me.metric(name) for name in NAMES])


def literal(outputs, scores, replicates, seed):
    """Means and undefined counts, from lists of drawn items."""
    classes = len(outputs.classes)
    means = np.zeros((replicates, len(NAMES), len(outputs.systems)))
    undefined = np.zeros_like(means)
    seeds = np.random.SeedSequence(seed, spawn_key=(ITEMS,)).spawn(replicates)
    for replicate in range(replicates):
        uniform = np.random.Generator(np.random.PCG64(seeds[replicate])).random(len(outputs.gold))
        used = 0
        for case in range(len(outputs.cases)):
            members = [i for i in range(len(outputs.gold)) if outputs.groups[i] == case]
            members.sort(key=lambda i: outputs.gold[i])
            drawn = [members[int(u * len(members))] for u in uniform[used : used + len(members)]]
            used += len(members)
            for system, predictions in enumerate(outputs.predictions):
                matrix = np.zeros((classes, classes), dtype=int)
                for item in drawn:
                    matrix[outputs.gold[item], predictions[item]] += 1
                for row, name in enumerate(NAMES):
                    score = me.metric(name)(matrix)
                    undefined[replicate, row, system] += math.isnan(score)
                    filled = scores.fill[row] if math.isnan(score) else score
                    means[replicate, row, system] += filled / len(outputs.cases)
    return means, undefined


def test_resamples_are_those_of_explicit_item_lists(prepared):
    outputs, scores = prepared
    found = bootstrap(outputs, scores, Plan(12, seed=5))
    means, undefined = literal(outputs, scores, 12, 5)
    np.testing.assert_allclose(found.means, means, atol=1e-12)
    np.testing.assert_array_equal(found.undefined, undefined)


def test_neither_threads_nor_blocks_change_a_bit(prepared, monkeypatch):
    outputs, scores = prepared
    expected = bootstrap(outputs, scores, Plan(30, seed=2)).means
    np.testing.assert_array_equal(
        bootstrap(outputs, scores, Plan(30, seed=2, jobs=3)).means, expected
    )
    monkeypatch.setattr(module, "BLOCK", 1 << 9)
    np.testing.assert_array_equal(bootstrap(outputs, scores, Plan(30, seed=2)).means, expected)
    fewer = bootstrap(outputs, scores, Plan(7, seed=2)).means
    np.testing.assert_array_equal(fewer, expected[:7])


def test_every_case_keeps_its_size(prepared):
    outputs, _ = prepared
    items = module._Items(outputs)
    weights = items.weights(np.random.SeedSequence(0))
    sizes = np.bincount(items.groups)
    np.testing.assert_array_equal(np.bincount(items.groups, weights), sizes)
    counts = items.counts([weights]).reshape(len(outputs.cases), len(outputs.systems), 4, 4)
    np.testing.assert_array_equal(counts.sum(axis=(2, 3)), sizes[:, None].repeat(4, axis=1))
