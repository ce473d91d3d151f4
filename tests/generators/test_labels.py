"""Gold labels and the five output families: what each promises."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import generators

FAMILIES = [family.name for family in generators.families() if family.kind == "outputs"]
SEED = np.random.SeedSequence(20)


def outputs(family, gold, ratio=1.0, classes=11, rng=SEED, **options):
    return generators.outputs(family, gold, classes=classes, ratio=ratio, rng=rng, **options)


def repeated(case, times):
    return np.tile(case, (times, 1))


def frequencies(labels, classes):
    """Share of each class at each item, over the cases."""
    return np.stack([(labels == k).mean(axis=0) for k in range(classes)], axis=-1)


def close(found, expected, cases, sigmas=5):
    error = np.sqrt(np.maximum(expected * (1 - expected), 0) / cases)
    return (np.abs(found - expected) <= sigmas * error + 1e-12).all()


# gold


def test_gold_has_the_shares_of_a_rounded_clipped_normal():
    gold = generators.gold(cases=50, items=2000, classes=6, mean=2, sd=1.5, rng=SEED)
    assert gold.shape == (50, 2000)
    assert gold.dtype == np.int64
    edges = stats.norm(2, 1.5).cdf([-np.inf, 0.5, 1.5, 2.5, 3.5, 4.5, np.inf])
    expected = np.diff(edges) * gold.size
    assert stats.chisquare(np.bincount(gold.ravel(), minlength=6), expected).pvalue > 1e-3


def test_gold_spreads_a_pair_of_standard_deviations_over_the_cases():
    gold = generators.gold(cases=21, items=20_000, classes=201, mean=100, sd=(1, 3), rng=SEED)
    # rounding adds the variance 1/12 of a uniform error
    assert gold.std(axis=1) == pytest.approx(np.sqrt(np.linspace(1, 3, 21) ** 2 + 1 / 12), rel=0.03)


def test_gold_defaults_are_those_of_the_paper():
    gold = generators.gold(rng=SEED)
    assert gold.shape == (100, 200)
    assert gold.min() == 0
    assert gold.max() == 10
    assert np.bincount(gold.ravel()).argmax() == 3


# which items are hit


@pytest.mark.parametrize("ratio", [0.1, 0.45, 0.9])
def test_bernoulli_hits_each_item_independently(ratio):
    gold = np.zeros((4000, 25), int)
    hit = outputs("tag_displacement", gold, ratio)
    assert close(hit.mean(axis=0), np.full(25, ratio), 4000)
    # the number of hits of a case is binomial; the rare ends count as one cell
    hits = np.bincount(hit.sum(axis=1), minlength=26)
    expected = stats.binom(25, ratio).pmf(np.arange(26)) * 4000
    rare = expected < 5
    hits, expected = (np.append(x[~rare], x[rare].sum()) for x in (hits, expected))
    assert stats.chisquare(hits, expected).pvalue > 1e-3


@settings(max_examples=60, deadline=None, derandomize=True)
@given(ratio=st.floats(0, 1), items=st.integers(1, 60))
def test_exact_placement_hits_the_rounded_number_in_every_case(ratio, items):
    hit = outputs("tag_displacement", np.zeros((5, items), int), ratio, placement="exact")
    assert (np.abs(hit.sum(axis=1) - ratio * items) <= 0.5 + 1e-6).all()
    assert len(set(hit.sum(axis=1).tolist())) == 1


def test_exact_placement_favours_no_item():
    hit = outputs("tag_displacement", np.zeros((8000, 20), int), 0.3, placement="exact")
    assert (hit.sum(axis=1) == 6).all()
    assert close(hit.mean(axis=0), np.full(20, 0.3), 8000)
    assert len(np.unique(hit[:500], axis=0)) > 450


@pytest.mark.parametrize("family", FAMILIES)
def test_ratio_zero_changes_nothing_and_any_shape_is_kept(family):
    gold = generators.gold(cases=6, items=30, rng=SEED)
    assert (outputs(family, gold, 0) == gold).all()
    for shaped in (gold[0], gold.reshape(2, 3, 30), gold[:0], gold.astype(np.int8)):
        found = outputs(family, shaped, 0.5)
        assert found.shape == shaped.shape
        assert found.dtype == np.int64


# the families


def test_majority_is_class_four_of_the_paper_or_the_class_asked_for():
    gold = generators.gold(cases=3, items=50, rng=SEED)
    assert (outputs("majority", gold) == 3).all()
    assert (outputs("majority", gold, label=0) == 0).all()
    hit = outputs("majority", gold, 0.5)
    assert set(hit[hit != gold].tolist()) == {3}


def test_empirical_majority_is_each_cases_own_and_the_lowest_of_ties():
    gold = np.array([[0, 1, 1, 2], [2, 2, 2, 0], [3, 3, 1, 1]])
    found = outputs("majority", gold, classes=4, label="empirical")
    assert found.tolist() == [[1] * 4, [2] * 4, [1] * 4]


def test_random_is_uniform_over_the_scale_whatever_the_gold():
    gold = generators.gold(cases=200, items=200, classes=7, rng=SEED)
    found = outputs("random", gold, classes=7)
    table = np.zeros((7, 7))
    np.add.at(table, (gold, found), 1)
    assert stats.chisquare(table.sum(axis=0)).pvalue > 1e-3
    assert stats.chi2_contingency(table[table.sum(axis=1) > 50]).pvalue > 1e-3


def test_tag_displacement_is_the_next_class_and_keeps_the_rank_order():
    gold = np.minimum(generators.gold(rng=SEED), 9)
    found = outputs("tag_displacement", gold)
    assert (found == gold + 1).all()
    assert stats.kendalltau(gold[0], found[0]).statistic == pytest.approx(1)
    assert outputs("tag_displacement", np.array([9, 10])).tolist() == [10, 10]


def literal_displacement(case, places, past_end):
    """The displaced classes by position in the gold order."""
    ranked = sorted(case)
    moved = []
    for position in range(len(ranked)):
        target = position + places
        if target >= len(ranked):
            target = position if past_end == "keep" else len(ranked) - 1
        moved.append(ranked[target])
    return ranked, moved


@pytest.mark.parametrize("past_end", ["keep", "clip"])
@pytest.mark.parametrize(("items", "places"), [(200, 20), (37, 3), (9, 0)])
def test_ordinal_displacement_shifts_ranks_by_a_tenth(items, places, past_end):
    gold = generators.gold(cases=8, items=items, rng=SEED)
    found = outputs("ordinal_displacement", gold, past_end=past_end)
    for case, labels in zip(gold, found, strict=True):
        ranked, moved = literal_displacement(case.tolist(), places, past_end)
        # ties are in random order, so the items of one gold class are known as a set only
        for k in set(ranked):
            expected = sorted(m for r, m in zip(ranked, moved, strict=True) if r == k)
            assert sorted(labels[case == k].tolist()) == expected


def test_ordinal_displacement_breaks_ties_at_random():
    gold = repeated([0, 0, 0, 0, 1, 1, 1, 1, 2, 2], 6000)
    found = outputs("ordinal_displacement", gold, classes=3)
    # one place further: one item of each class but the last moves up, any of its items alike
    moved = (found - gold).mean(axis=0)
    assert close(moved, np.array([0.25] * 8 + [0] * 2), 6000)
    # one and the same order serves all items of a case
    assert ((found - gold)[:, :4].sum(axis=1) == 1).all()


def test_random_shift_is_uniform_from_one_to_the_shift():
    gold = repeated(np.arange(10), 9000)
    found = outputs("ordinal_displacement", gold, classes=10, shift=0.3, random_shift=True)
    for item in range(7):
        assert close(frequencies(found, 10)[item, item + 1 : item + 4], np.full(3, 1 / 3), 9000)
    assert (found[:, 9] == 9).all()
    assert outputs("ordinal_displacement", gold[:2], random_shift=True, shift=0.05).tolist() == (
        gold[:2].tolist()
    )


def literal_proximity(case, classes):
    """Chance of each class for each item, over all random orders of ties and all positions."""
    ranked, items = sorted(case), len(case)
    chances = np.zeros((items, classes))
    for item, own in enumerate(case):
        places = [place for place in range(1, items + 1) if ranked[place - 1] == own]
        for place in places:
            for other in range(1, items + 1):
                halfway = ranked[(place + other) // 2 - 1]
                chances[item, halfway] += 1 / len(places) / items
                # between the item and the random one, as the paper words it
                assert min(own, ranked[other - 1]) <= halfway <= max(own, ranked[other - 1])
    return chances


@pytest.mark.parametrize(
    "case", [[3, 0, 1, 1, 0, 2, 2, 1, 1, 4], [0, 1, 2, 3, 4], [2, 2, 2], [4, 4, 0, 0, 0, 0, 4]]
)
def test_proximity_is_halfway_to_a_random_position(case):
    found = outputs("proximity", repeated(case, 20_000), classes=5)
    assert close(frequencies(found, 5), literal_proximity(case, 5), 20_000)


def test_proximity_draws_its_positions_independently():
    found = outputs("proximity", repeated(np.arange(8), 20_000), classes=8)
    correlation = np.corrcoef(found.T) - np.eye(8)
    assert np.abs(correlation).max() < 5 / np.sqrt(20_000)


# the paper's own remarks on its 50 systems (Amigo et al. 2020, 5.3)


@pytest.fixture(scope="module")
def study():
    gold = generators.gold(rng=SEED)[::10]
    ratios = [round(0.1 * step, 1) for step in range(1, 11)]
    return gold, {(f, r): outputs(f, gold, r) for f in FAMILIES for r in ratios}


def accuracy(gold, found):
    return (gold == found).mean()


def error(gold, found):
    return np.abs(gold - found).mean()


def tau(gold, found):
    return np.mean([stats.kendalltau(g, f).statistic for g, f in zip(gold, found, strict=True)])


def test_total_displacement_has_the_lowest_accuracy_and_the_highest_tau(study):
    gold, systems = study
    total = "tag_displacement", 1.0
    assert min(systems, key=lambda s: accuracy(gold, systems[s])) == total
    constant = "majority", 1.0  # no order at all, its tau is undefined
    taus = {s: tau(gold, found) for s, found in systems.items() if s != constant}
    assert max(taus, key=taus.__getitem__) == total
    assert taus[total] > 0.99


def test_random_beats_proximity_in_accuracy_but_not_in_error(study):
    gold, systems = study
    random, proximity = systems["random", 0.3], systems["proximity", 0.5]
    assert accuracy(gold, random) > accuracy(gold, proximity)
    assert error(gold, random) > error(gold, proximity)
