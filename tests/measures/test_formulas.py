"""The printed formulas are what the metrics compute."""

import numpy as np
import pytest

import metaeval as me
from metaeval.measures.registry import definitions
from tests.measures.formulas import FORMULAS, Letters

RNG = np.random.default_rng(7)
MATRICES = [RNG.multinomial(9, RNG.dirichlet(np.ones(9))).reshape(3, 3) for _ in range(12)]
MATRICES += [RNG.integers(0, 3, (4, 4)) for _ in range(4)]


def builtin():
    return [key for key, definition in definitions().items() if definition.builtin]


def test_every_metric_has_a_formula_that_is_tested():
    assert sorted(FORMULAS) == sorted(builtin())
    assert all(definitions()[key].formula for key in FORMULAS)


@pytest.mark.parametrize("key", FORMULAS)
def test_the_formula_is_what_is_computed(key):
    compared = 0
    for matrix in MATRICES:
        if key == "oc_general" and len(matrix) > 3:
            continue
        found = me.metric(key)(matrix)
        if np.isfinite(found):
            exact = 2e-6 if key == "auoc" else 1e-12
            assert found == pytest.approx(FORMULAS[key](Letters(matrix)), abs=exact), matrix
            compared += 1
    assert compared >= 4


@pytest.mark.parametrize("key", FORMULAS)
def test_formulas_are_balanced(key):
    formula = definitions()[key].formula
    assert formula.count("{") == formula.count("}")
    assert formula.count("(") == formula.count(")")
    assert formula.count(r"\Big(") == formula.count(r"\Big)")
    assert "$" not in formula
