"""The other matrix families, and the feature data."""

from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

import generators

SEED = np.random.SeedSequence(22)


def made(family, count=20_000, **options):
    return generators.matrices(family, count=count, rng=SEED, **options)


def counted(stack):
    return Counter(map(tuple, stack.reshape(len(stack), -1).tolist()))


def test_tridiagonal():
    found = made("tridiagonal", 2, classes=4)
    assert found.tolist() == [[[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 1]]] * 2


@pytest.mark.parametrize("distance", [0, 1, 3, None])
def test_single_sample_is_uniform_over_its_cells(distance):
    found = made("single_sample", classes=4, distance=distance)
    assert (found.sum(axis=(1, 2)) == 1).all()
    total = found.sum(axis=0)
    cells = [(r, c) for r, c in product(range(4), repeat=2) if distance in (abs(r - c), None)]
    assert total.sum() == sum(total[cell] for cell in cells)
    assert stats.chisquare([total[cell] for cell in cells]).pvalue > 1e-3


def test_dispersed_makes_all_matrices_equally_likely():
    drawn = counted(made("dispersed", items=3, classes=2))
    every = [cells for cells in product(range(4), repeat=4) if sum(cells) == 3]
    assert set(drawn) == set(every)
    assert len(every) == 20
    assert stats.chisquare([drawn[cells] for cells in every]).pvalue > 1e-3


def test_dispersed_has_the_size_asked_for():
    found = made("dispersed", 500, items=321, classes=6)
    assert found.shape == (500, 6, 6)
    assert (found.sum(axis=(1, 2)) == 321).all()
    assert (found >= 0).all()


def test_given_marginals_are_those_of_shuffled_predictions():
    rows, columns = (2, 1, 2), (1, 3, 1)
    gold, predicted = np.repeat(range(3), rows), np.repeat(range(3), columns)
    expected = Counter()
    for shuffled in permutations(predicted.tolist()):
        matrix = np.zeros((3, 3), int)
        np.add.at(matrix, (gold, np.array(shuffled)), 1)
        expected[tuple(matrix.ravel().tolist())] += 1
    drawn = counted(made("given_marginals", rows=rows, columns=columns))
    assert set(drawn) == set(expected)
    wanted = np.array(list(expected.values())) / 120 * 20_000
    assert stats.chisquare([drawn[cells] for cells in expected], wanted).pvalue > 1e-3


def test_given_marginals_are_kept():
    found = made("given_marginals", 800, rows=[50, 0, 7, 3], columns=[10, 20, 0, 30])
    assert (found.sum(axis=2) == [50, 0, 7, 3]).all()
    assert (found.sum(axis=1) == [10, 20, 0, 30]).all()
    assert (found >= 0).all()
    assert (made("given_marginals", 5).sum(axis=1) == [40, 30, 20, 10]).all()


def test_noisy_kernel_has_the_moments_of_a_dirichlet_multinomial():
    kernel = np.array([[6, 3, 1], [2, 8, 0], [1, 1, 2]])
    found = made("noisy_kernel", kernel=kernel, concentration=5, items=90)
    assert (found.sum(axis=2) == 30).all()
    share = kernel / kernel.sum(axis=1, keepdims=True)
    variance = 30 * share * (1 - share) * (30 + 5) / (1 + 5)
    error = np.sqrt(variance / len(found))
    assert (np.abs(found.mean(axis=0) - 30 * share) <= 5 * error).all()
    assert found.var(axis=0) == pytest.approx(variance, rel=0.05)
    assert (found[:, 1, 2] == 0).all()  # a zero of the kernel is never drawn


def test_noisy_kernel_for_extreme_concentrations():
    kernel = [[3, 1], [0, 1]]
    calm = made("noisy_kernel", 2000, kernel=kernel, concentration=1e9, items=80)
    assert calm[:, 0, 0].var() == pytest.approx(40 * 0.75 * 0.25, rel=0.15)
    wild = made("noisy_kernel", 2000, kernel=kernel, concentration=1e-6, items=80)
    # one class takes all: a mixed row has the chance 1e-6 * 3/16 * about 2 log 40
    assert set(wild[:, 0, 0].tolist()) == {0, 40}
    assert (wild[:, 0, 0] == 40).mean() == pytest.approx(0.75, abs=0.05)


def test_noisy_kernel_knows_its_classes():
    assert made("noisy_kernel", 1).shape == (1, 4, 4)
    assert made("noisy_kernel", 1, classes=6).shape == (1, 6, 6)
    assert made("noisy_kernel", 1, kernel=np.eye(3)).shape == (1, 3, 3)
    sizes = made("noisy_kernel", 3, items=800, largest=0.75).sum(axis=2)
    assert (sizes == [600, 66, 67, 67]).all()
    assert (made("noisy_kernel", 3, kernel=np.eye(3), items=30) == 10 * np.eye(3)).all()


@pytest.mark.parametrize("family", [f.name for f in generators.families() if f.kind == "matrices"])
def test_no_matrices_and_the_smallest_scale(family):
    assert generators.matrices(family, count=0, rng=SEED).shape[0] == 0
    options = {"rows": [1, 1]} if family == "given_marginals" else {"classes": 2}
    found = generators.matrices(family, count=3, rng=SEED, **options)
    assert found.shape == (3, 2, 2)
    assert found.dtype == np.int64
    assert (found >= 0).all()


# feature data: SPEC.md gives the shares of both formulas


@pytest.mark.parametrize(
    ("formula", "shares"),
    [("centred", [0.01, 0.23, 0.41, 0.22, 0.12]), ("printed", [0.66, 0.15, 0.05, 0.04, 0.09])],
)
def test_feature_classes_have_the_known_shares(formula, shares):
    x, y = generators.features(100_000, SEED, formula=formula)
    assert x.shape == (100_000, 2)
    assert y.shape == (100_000,)
    assert y.dtype == np.int64
    assert np.bincount(y, minlength=5) / len(y) == pytest.approx(shares, abs=0.0075)


def test_feature_classes_follow_the_formula_up_to_the_noise():
    x, y = generators.features(20_000, SEED)
    assert ((x >= 0) & (x < 1)).all()
    assert stats.kstest(x.ravel(), "uniform").pvalue > 1e-3
    value = 10 * (x[:, 0] - 0.5) * (x[:, 1] - 0.5)
    bounds = np.array([-np.inf, -2, -0.5, 0.25, 1, np.inf])
    # the chance of each point's class under normal noise, point by point
    noise = stats.norm(value[:, None], 0.125)
    chances = np.diff(noise.cdf(bounds), axis=1)
    expected, variance = chances.sum(axis=0), (chances * (1 - chances)).sum(axis=0)
    assert (np.abs(np.bincount(y, minlength=5) - expected) < 5 * np.sqrt(variance)).all()
    assert chances[np.arange(len(y)), y].min() > 1e-7
