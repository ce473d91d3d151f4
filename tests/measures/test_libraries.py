"""Against scikit-learn, scipy and krippendorff: thousands of matrices, K from 2 to 20."""

import warnings

import krippendorff
import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

import metaeval as me
from metaeval.measures.adapters import expand
from tests.matrices import random_stack

SEED = 20
PER_SIZE = 110
SIZES = range(2, 21)
CLOSE = 1e-12


def kappa(weights):
    return lambda y, p, k: sk.cohen_kappa_score(y, p, labels=range(k), weights=weights)


def macro(function):
    return lambda y, p, k: function(y, p, labels=np.unique(y), average="macro", zero_division=0)


PEERS = {
    "accuracy": lambda y, p, k: sk.accuracy_score(y, p),
    "mae": lambda y, p, k: sk.mean_absolute_error(y, p),
    "mse": lambda y, p, k: sk.mean_squared_error(y, p),
    "macro_recall": macro(sk.recall_score),
    "macro_f1": macro(sk.f1_score),
    "cohen_kappa": kappa(None),
    "linear_weighted_kappa": kappa("linear"),
    "quadratic_weighted_kappa": kappa("quadratic"),
    "mcc": lambda y, p, k: sk.matthews_corrcoef(y, p),
    "mutual_information": lambda y, p, k: sk.mutual_info_score(y, p) / np.log(2),
    "normalized_mutual_information": lambda y, p, k: sk.normalized_mutual_info_score(y, p),
    "kendall_tau_b": lambda y, p, k: stats.kendalltau(y, p).statistic,
    "spearman": lambda y, p, k: stats.spearmanr(y, p).statistic,
    "pearson": lambda y, p, k: stats.pearsonr(y, p).statistic,
    "krippendorff_alpha": lambda y, p, k: krippendorff.alpha(
        reliability_data=[y, p], level_of_measurement="ordinal", value_domain=range(k)
    ),
}


@pytest.mark.parametrize("key", [*PEERS, "somers_d"])
def test_equal_to_the_library_wherever_the_metric_is_defined(key):
    metric = me.metric(key)
    compared = 0
    for classes in SIZES:
        rng = np.random.default_rng([SEED, classes])
        stack = random_stack(rng, PER_SIZE, classes)
        for matrix, value in zip(stack, metric(stack), strict=True):
            if np.isnan(value):
                assert metric.why_undefined(matrix)
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if key == "somers_d":
                    if np.count_nonzero(matrix) < 2:
                        continue  # scipy refuses such a table
                    expected = stats.somersd(matrix).statistic
                else:
                    expected = PEERS[key](*expand(matrix), classes)
            assert value == pytest.approx(expected, abs=CLOSE, rel=CLOSE), matrix
            compared += 1
    assert compared > 1_000
