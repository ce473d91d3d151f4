"""So little data that a quality has no value for any metric: nothing is ranked by it."""

import numpy as np
import pandas as pd

import metaeval as me
from metaeval.reporting.gather import _finish

# One case and four systems on which no two metrics agree: coverage is undefined for all.
STACK = np.array(
    [
        [[2, 8, 1, 2], [6, 9, 8, 1], [7, 7, 5, 2], [7, 3, 2, 7]],
        [[1, 2, 6, 1], [3, 2, 5, 2], [1, 4, 4, 0], [0, 4, 4, 4]],
        [[4, 0, 1, 5], [1, 9, 2, 6], [0, 5, 3, 4], [5, 8, 0, 9]],
        [[6, 4, 3, 8], [7, 4, 4, 1], [1, 1, 3, 7], [2, 2, 8, 2]],
    ]
)


def test_a_quality_without_values_is_no_evidence():
    reference = ["accuracy", "kendall_tau_a", "mutual_information"]
    scores = me.score(STACK, ["mae", "cem_ord", *reference])
    scores.index = pd.MultiIndex.from_product([[1], list("abcd")], names=["case", "system"])
    coverage = me.coverage(scores, reference=reference)
    assert coverage["coverage"].isna().all()
    assert "coverage" not in _finish({"coverage": coverage}, ["mae"])
    known = pd.DataFrame({"robustness": [np.nan, 0.5]})
    assert _finish({"robustness": known}, ["mae"])["robustness"] is known
