"""Reports on so little data that a quality has no value for any metric."""

import numpy as np

from metaeval.reporting.evidence import Settings
from metaeval.reporting.gather import gather_given
from metaeval.reporting.given import Given
from metaeval.reporting.report import build
from tests.matrices import random_stack


def test_one_case_and_four_systems():
    counts = random_stack(np.random.default_rng(0), 4, 4, items=90)[None]
    given = Given("m.json", counts, (1,), ("a", "b", "c", "d"), (0, 1, 2, 3))
    evidence = gather_given(given, ["mae", "cem_ord"], Settings(jobs=1))
    assert evidence.coverage is None
    assert build(evidence).html.startswith("<!DOCTYPE html>")
