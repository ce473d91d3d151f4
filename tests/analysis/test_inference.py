"""Holm, intervals and tests against computation by hand and scipy."""

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from metaeval.analysis.inference import (
    against_best,
    holm,
    interval,
    no_difference,
    sign_test,
    wilson,
)

NAN = np.nan


def test_holm_by_hand():
    # 0.01 x 4; 0.02 x 3 = 0.06; 0.03 x 2 = 0.06; 0.5 x 1
    np.testing.assert_allclose(holm([0.5, 0.01, 0.03, 0.02]), [0.5, 0.04, 0.06, 0.06])
    # a later product may be smaller: it is raised to the one before
    np.testing.assert_allclose(holm([0.02, 0.021]), [0.04, 0.04])
    np.testing.assert_allclose(holm([0.6, 0.7]), [1, 1])


def test_holm_leaves_out_what_was_not_tested():
    np.testing.assert_allclose(holm([NAN, 0.01, 0.04]), [NAN, 0.02, 0.04])
    assert np.isnan(holm([NAN, NAN])).all()
    assert holm([]).size == 0


def test_an_interval_is_moved_to_the_estimate():
    replicates = np.linspace(0, 1, 1001)[:, None] - 0.2
    low, high = interval(np.array([0.4]), replicates, 0.9)
    assert low[0] == pytest.approx(0.4 - 0.45)
    assert high[0] == pytest.approx(0.4 + 0.45)
    low, high = interval(np.array([0.9]), replicates, 0.9)
    assert high[0] == 1  # a correlation cannot be more
    assert interval(np.array([0.9]), replicates, 0.9, 2.0)[1][0] == pytest.approx(1.35)


def test_resamples_without_a_value_take_no_part():
    replicates = np.array([[1.0, NAN], [NAN, NAN], [3.0, NAN]])
    low, high = interval(np.array([2.0, 0.5]), replicates, 0.5, 9.0)
    assert (low[0], high[0]) == (1.5, 2.5)
    assert np.isnan([low[1], high[1]]).all()


def test_p_values_by_the_normal_distribution():
    replicates = np.array([[-1.0], [1.0]]) * 0.5
    assert no_difference(np.array([1.0]), replicates)[0] == pytest.approx(2 * norm.sf(2))
    constant = np.full((5, 3), 0.25)
    found = no_difference(np.array([0.0, 0.25, 0.3]), np.zeros((5, 3)))
    assert found[0] == 1
    assert np.isnan(found[1:]).all()
    assert np.isnan(no_difference(np.array([0.25]), constant[:, :1])).all()


def test_against_best_is_holm_over_the_others():
    rng = np.random.default_rng(0)
    estimates = np.array([0.1, 0.9, 0.5, NAN])
    replicates = estimates + rng.normal(scale=[0.1, 0.2, 0.3, 1], size=(500, 4))
    found = against_best(estimates, replicates)
    assert np.isnan(found[[1, 3]]).all()
    gaps = 0.9 - estimates[[0, 2]]
    single = no_difference(gaps, replicates[:, [1]] - replicates[:, [0, 2]])
    np.testing.assert_allclose(found[[0, 2]], holm(single))


@pytest.mark.parametrize(("successes", "number"), [(0, 10), (3, 10), (10, 10), (617, 1000)])
def test_wilson_is_scipys(successes, number):
    low, high = wilson(np.array(successes / number), np.array(number), 0.95)
    expected = binomtest(successes, number).proportion_ci(method="wilson")
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize(("more", "less"), [(0, 0), (5, 5), (1, 9), (30, 12), (0, 7)])
def test_the_sign_test_is_scipys(more, less):
    expected = binomtest(more, more + less).pvalue if more + less else 1
    assert sign_test(np.array([more]), np.array([less]))[0] == pytest.approx(expected)
