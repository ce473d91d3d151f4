"""Figures: SVG fit for the page, whatever the names."""

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from metaeval.reporting.figures.canvas import draw, short, spread
from metaeval.reporting.figures.lines import lines
from metaeval.reporting.figures.path import path_on_matrix
from metaeval.reporting.figures.plane import plane
from metaeval.reporting.page import Figure
from metaeval.reporting.palette import DARK, INK, LIGHT, SERIES
from tests.reporting.systems import HOSTILE, ODD


def paint(canvas):
    axes = canvas.add_axes((0.1, 0.1, 0.8, 0.8))
    axes.plot([0, 1], [0, 1], color=SERIES[0], label="$x$")
    axes.pcolormesh([[1, 2], [3, 4]])
    axes.set_title(HOSTILE, color=INK)
    return ["one", "two <", "three", "four"]


def test_svg_has_roles_instead_of_styles_and_no_stray_ids():
    text = draw("name", (300, 200), paint, alt="What it shows.")
    root = ElementTree.fromstring(text)
    assert root.attrib["aria-label"] == "What it shows."
    assert (root.attrib["width"], root.attrib["height"]) == ("300", "200")
    used = set(re.findall(r"url\(#([^)]+)\)", text)) | set(re.findall(r'href="#([^"]+)"', text))
    ids = [e.attrib["id"] for e in root.iter() if "id" in e.attrib]
    assert sorted(ids) == sorted(used)
    assert all(name.startswith("name-") for name in ids)
    assert not [e for e in root.iter() if "style" in e.attrib or e.tag in ("style", "metadata")]
    assert "s-c0" in text
    assert "f-ink" in text
    assert LIGHT["c0"] not in text
    assert [e.text for e in root.iter("title")] == ["one", "two <", "three", "four"]


def test_the_same_drawing_is_the_same_text():
    assert draw("a", (300, 200), paint, "x") == draw("a", (300, 200), paint, "x")


def test_every_role_has_a_colour_in_both_themes():
    assert set(LIGHT) == set(DARK)
    assert len(set(LIGHT.values())) == len(LIGHT)


@pytest.mark.parametrize("name", [HOSTILE, ODD, "x" * 10_000, "two\nlines", "\x00", "日本語"])
def test_any_name_can_be_drawn(name):
    frame = pd.DataFrame(
        {"accuracy": [0.5, 0.7], "cost": [0.2, 0.1], "distance": [0.54, 0.32]},
        index=pd.Index([name, "other"], name="system"),
    )
    found = plane(frame)
    assert isinstance(found, Figure)
    ElementTree.fromstring(found.svg)
    counts = np.array([[3, 1], [0, 2]])
    matrix = path_on_matrix("p", name, counts, [name, "b"], [(0, 0), (1, 1)], 0.2)
    ElementTree.fromstring(matrix.svg)
    assert len(matrix.svg) < 60_000


def test_equal_lines_share_a_label_and_empty_ones_are_left_out():
    wide = pd.DataFrame({"a": [1.0, 2], "b": [1.0, 2], "c": [np.nan] * 2, "d": [0.0, 1]})
    made = lines(
        "n", wide, dict.fromkeys("abcd", SERIES[0]),
        x="x", y="y", alt="Four lines and more words here.", caption="", data=wide,
    )  # fmt: skip
    texts = [e.text for e in ElementTree.fromstring(made.svg).iter("text")]
    assert "a, b" in texts
    assert "d" in texts
    assert "c" not in texts


def test_labels_are_moved_apart_and_keep_their_order():
    places = [0.5, 0.5, 0.51, 3.0, 0.0]
    moved = spread(places, 1.0)
    order = np.argsort(places, kind="stable")
    assert (np.diff(np.array(moved)[order]) >= 1.0 - 1e-9).all()
    assert spread([0.0, 5.0], 1.0) == [0.0, 5.0]


def test_long_names_are_shortened():
    assert short("x" * 50, 10) == "x" * 9 + "…"
