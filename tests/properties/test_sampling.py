"""The random search beyond the bounds, shrinking, and how far a search says it went."""

import numpy as np
import pytest

from metaeval.measures.registry import metric
from metaeval.properties import check
from metaeval.properties.base import Bounds
from metaeval.properties.catalogue import properties
from metaeval.properties.sampling import draw
from metaeval.properties.search import Tally
from metaeval.properties.shrink import shrink
from metaeval.properties.subject import VectorSubject
from metaeval.properties.tables import Scorer


@pytest.mark.parametrize("name", [n for n, p in properties().items() if p.sampled])
@pytest.mark.parametrize("classes", [3, 11])
def test_random_objects_are_within_their_limits(name, classes):
    chosen = properties()[name]
    drawn = draw(chosen, classes, 40, 6, 500, np.random.default_rng(1))
    assert drawn.shape == (*[classes] * chosen.axes, 40)
    items = drawn.reshape(-1, 40).sum(axis=0)
    assert items.min() >= 1
    assert items.max() <= 500
    assert drawn.min() >= chosen.least
    assert (np.diff(items) >= 0).all()


@pytest.mark.parametrize(
    ("key", "name", "size"),
    [
        ("accuracy", "monotonicity", (3, 3)),
        ("kendall_tau_b", "imbalance", (4, 3)),
        ("mse", "triangle-inequality", (1, 3)),
        ("mae", "ordinal-invariance", (1, 2)),
    ],
)
def test_with_nothing_enumerated_the_random_search_finds_and_shrinks(key, name, size):
    found = check(key, name, max_items=1, max_classes=size[1]).counterexample(name)
    if found.minimal:  # one item was enough
        assert (found.items, found.classes) == size
    else:
        assert found.how == "found at random and shrunk"
        # A local minimum need not be a global one, but it is not far off.
        assert found.items <= size[0] + 2
        assert found.classes <= size[1] + 1


def test_a_shrunk_violation_is_a_local_minimum():
    scorer = Scorer(VectorSubject(metric("kendall_tau_b")))
    chosen = properties()["monotonicity"]
    start = draw(chosen, 8, 50, 100, 400, np.random.default_rng(3))

    def violates(counts):
        return any(j.violated.any() for j in chosen.judge(counts[..., None], scorer, clearly=True))

    first = next(start[..., at] for at in range(50) if violates(start[..., at]))
    small = shrink(chosen, scorer, first, 10**6)
    assert violates(small)
    assert small.sum() < 10
    for place in np.argwhere(small > 0):
        fewer = small.copy()
        fewer[tuple(place)] -= 1
        assert not violates(fewer)
    for gone in range(len(small)):
        assert not violates(np.delete(np.delete(small, gone, 0), gone, 1))


def test_patience_limits_the_shrinking():
    scorer = Scorer(VectorSubject(metric("accuracy")))
    chosen = properties()["monotonicity"]
    start = draw(chosen, 8, 1, 300, 400, np.random.default_rng(3))[..., 0]
    assert shrink(chosen, scorer, start, 1).sum() > 3


def test_the_outcome_says_how_far_it_went():
    finding = check("mae", "symmetry", max_items=3, max_classes=3, samples=10).finding("symmetry")
    assert (finding.max_items, finding.max_classes) == (3, 3)
    assert finding.reach == "all N <= 3 with K <= 3"
    assert finding.cases == 4 + 10 + 20 + 9 + 45 + 165
    assert finding.random_cases == 10


def test_cases_are_counted_up_to_the_violation():
    report = check("accuracy", "monotonicity")
    found = report.counterexample("monotonicity")
    frame = report.frame
    assert (frame["max_items"][0], frame["max_classes"][0]) == (found.items, found.classes)
    # By hand: 8 moves in 2 x 2 matrices of N <= 3 without an empty row, 4 of 2 and 12 of 3 items,
    # and 4 in the first ones with three classes.
    assert frame["cases"][0] == 20


def test_unfinished_sizes_are_told_apart():
    from metaeval.properties.findings import in_words, reach

    tally = Tally(complete=[(1, 2), (1, 3), (2, 2), (2, 3), (3, 2)])
    assert reach(tally) == Bounds(2, 3)
    assert in_words(tally) == "all N <= 2 with K <= 3, N <= 3 with K <= 2"
    assert in_words(Tally()) == "no size was completed"


def test_a_budget_goes_further():
    usual = check("mae", "symmetry", samples=0).finding("symmetry")
    further = check("mae", "symmetry", samples=0, budget=2).finding("symmetry")
    assert further.cases > usual.cases
    none = check("mae", "symmetry", samples=0, budget=1e-9).finding("symmetry")
    assert (none.outcome, none.cases) == ("not-applicable", 0)
    assert "time was used up" in none.note


def test_too_many_triples_are_left_out_and_it_says_so():
    name = "triangle-inequality"
    finding = check("mae", name, max_items=5, max_classes=4, samples=0).finding(name)
    assert finding.outcome == "holds"
    assert finding.reach == "all N <= 4 with K <= 4, N <= 5 with K <= 3"
