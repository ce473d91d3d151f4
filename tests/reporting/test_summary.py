"""The shortlist and its sentences follow from the numbers."""

from dataclasses import replace

import pandas as pd
import pytest

from metaeval.reporting.failures import failing
from metaeval.reporting.sections.context import context_of
from metaeval.reporting.standing import peers, shortlist, standings
from metaeval.reporting.summary import choice, headline, opening, remarks
from metaeval.reporting.words import count, number, ordinal, sentence, together


def table(**rows):
    """Metrics with (demands failed, cluster), best first."""
    frame = pd.DataFrame(
        {"demands_failed": [f for f, _ in rows.values()], "cluster": [c for _, c in rows.values()]},
        index=list(rows),
    )
    return frame


def test_one_of_each_cluster_is_listed():
    frame = table(a=((), 1), b=((), 1), c=((), 2), d=((), 3))
    assert shortlist(frame) == ["a", "c", "d"]
    assert peers(frame, "a") == ["b"]


def test_saying_the_same_is_better_than_failing_a_demand():
    frame = table(a=((), 1), b=((), 1), c=(("identity",), 2), d=(("identity",), 3))
    assert shortlist(frame) == ["a", "b", "c"]


def test_a_shortlist_can_be_shorter():
    assert shortlist(table(a=((), 1))) == ["a"]


def test_metrics_stand_by_demands_then_coverage(evidence):
    frame = standings(evidence)
    lacking = [len(names) for names in frame["demands_failed"]]
    assert lacking == sorted(lacking)
    fit = frame[[not names for names in frame["demands_failed"]]]
    assert set(fit.index) == {"mae", "amae", "cem_ord"}
    assert fit["coverage"].is_monotonic_decreasing
    assert frame["coverage_rank"].min() == 1
    assert frame.loc[frame["coverage"].idxmax(), "coverage_alike"]


def test_sentences_carry_the_numbers_of_the_evidence(evidence):
    context = context_of(evidence)
    first = context.chosen[0]
    value = evidence.coverage.loc[first, "coverage"]
    found = choice(evidence, context.standing, first, context.chosen)
    facts = {fact.label: fact for fact in found.facts}
    assert facts["Coverage"].value == number(value)
    assert f"of {len(evidence.names)}" in facts["Coverage"].note
    assert headline(context.chosen).startswith(f"Consider `{first}`")
    assert (
        f"{len(evidence.names)} metrics were compared"
        in opening(evidence, context.standing, context.chosen)[0]
    )
    failed = {
        f.property
        for f in evidence.properties.findings
        if f.metric == first and f.outcome == "violated"
    }
    assert {failure.property for failure in found.failures} == failed
    assert all("items" in f.size or "item" in f.size for f in found.failures)


def test_other_numbers_give_another_answer(evidence):
    turned = evidence.coverage.copy()
    turned["coverage"] = -turned["coverage"]
    before, after = context_of(evidence), context_of(replace(evidence, coverage=turned))
    assert before.chosen[0] != after.chosen[0]
    last = after.chosen[0]
    found = choice(after.evidence, after.standing, last, after.chosen)
    assert found.facts[0].value == number(turned.loc[last, "coverage"])


def test_only_metrics_that_were_asked_for_are_listed(evidence):
    assert context_of(replace(evidence, asked=["oc", "mae"])).chosen == ("mae", "oc")


def test_habits_are_spoken_of_unless_listed(evidence):
    context = context_of(evidence)
    found = {c.metric: c for c in remarks(evidence, context.standing, context.chosen)}
    assert set(found) & set(context.chosen) == set()
    assert [f.property for f in found["accuracy"].failures] == ["monotonicity"]
    assert number(evidence.coverage.loc["accuracy", "coverage"]) in found["accuracy"].remark


def test_every_property_has_words_for_its_failure():
    from metaeval.properties.report import properties

    for name in properties().index:
        assert not failing(name).startswith("fails "), name


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (ordinal(1), "1st"),
        (ordinal(22), "22nd"),
        (ordinal(113), "113th"),
        (count(1, "item"), "1 item"),
        (count(1200, "class", "classes"), "1,200 classes"),
        (number(-0.5, 2), "−0.50"),
        (number(float("nan")), "–"),
        (together(["a", "b", "c"]), "a, b and c"),
        (sentence("`oc` holds"), "`oc` holds."),
        (sentence("it holds!"), "It holds!"),
    ],
)
def test_words(made, text):
    assert made == text
