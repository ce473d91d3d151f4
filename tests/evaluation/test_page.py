"""The page of an evaluation: what it says, and that odd tables do not break it."""

import re

import numpy as np
import pandas as pd
import pytest

from metaeval.evaluation.board import spans
from metaeval.evaluation.evaluating import evaluate
from metaeval.evaluation.page import headline, page
from metaeval.reporting.html import render_page
from tests.evaluation.tables import outputs_frame
from tests.reporting.systems import FORMULA, HOSTILE, ODD

FEW = ["mae", "accuracy", "cem_ord", "kendall_tau_b"]


def systems(**columns):
    frame = outputs_frame(systems=1)[["gold", "case"]]
    return frame.assign(**{name: make(frame["gold"]) for name, make in columns.items()})


def flipped(gold):
    return 5 - gold


TABLES = {
    "one system": systems(a=flipped),
    "two systems": outputs_frame(systems=2),
    "constant systems": systems(
        a=lambda g: 1 + 0 * g, b=lambda g: 2 + 0 * g, c=lambda g: 4 + 0 * g
    ),
    "equal systems": systems(a=flipped, b=flipped, c=flipped, d=flipped),
    "one case": outputs_frame(cases=1),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("replicates", [0, 20])
def test_without_ground_no_metric_is_recommended(name, replicates):
    found = evaluate(TABLES[name], metrics=FEW, replicates=replicates)
    assert not found.recommended
    assert found.metric == "cem_ord"
    assert "to recommend" in found.recommendation[0] or "be recommended" in found.recommendation[0]
    text = render_page(page(found))
    assert "the metric to report here" not in text
    assert "Report cem_ord" not in text


def test_the_headline_says_whether_the_lead_is_sure():
    gold = np.tile([1, 2, 3, 4], 60)
    frame = pd.DataFrame({"gold": gold, "case": np.arange(240) % 6, "best": gold})
    frame["same"] = np.where(np.arange(240) == 7, 5 - gold, gold)
    for seed, name in enumerate(("poor", "worse")):
        frame[name] = np.random.default_rng(seed).integers(1, 5, 240)
    found = evaluate(frame, metrics=FEW, replicates=100)
    assert "but cannot be told from `same`." in headline(found)
    frame["same"] = 5 - gold
    assert headline(evaluate(frame, metrics=FEW, replicates=100)).endswith("lead is significant.")


def test_groups_are_lines_from_their_first_to_their_last_system():
    groups = pd.Series(["a", "ab", "b", "c1", "c1"])
    assert spans(groups) == {"a": (0, 1), "b": (1, 2), "c1": (3, 4)}


def test_hostile_names_are_text_everywhere():
    frame = outputs_frame(systems=4)
    frame.columns = ["gold", "case", HOSTILE, FORMULA, ODD, "x" * 300]
    found = evaluate(frame, metrics=FEW, replicates=20)
    for text in (render_page(page(found)), found._repr_html_()):
        assert HOSTILE not in text
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "&lt;script&gt;" in text


def test_a_notebook_shows_the_leaderboard_without_scripts():
    text = evaluate(outputs_frame(), metrics=FEW, replicates=20)._repr_html_()
    assert re.search(r"<code>a</code>", text)
    assert "<svg" in text
    assert "<script" not in text
    assert "<button" not in text


def test_the_same_table_gives_the_same_page():
    one, other = (evaluate(outputs_frame(), metrics=FEW, replicates=20) for _ in range(2))
    assert render_page(page(one)) == render_page(page(other))


def test_progress_is_told_in_order():
    told = []
    evaluate(outputs_frame(), metrics=FEW, replicates=5, progress=lambda *step: told.append(step))
    assert [name for name, _, _ in told][:2] == ["reading", "scoring"]
    done = [amount for _, amount, _ in told]
    assert done == sorted(done)
    assert all(amount < total for _, amount, total in told)
