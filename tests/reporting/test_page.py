"""The page as a file: self-contained, escaped, complete."""

import base64
import hashlib
import html
import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from metaeval.reporting.html import fragment, prose, render_page
from metaeval.reporting.page import Listing, Page, Prose, Section
from metaeval.reporting.report import build
from tests.reporting.systems import HOSTILE, ODD

IN_ORDER = [
    "summary",
    "metrics",
    "coverage",
    "decline",
    "robustness",
    "properties",
    "agreement",
    "curves",
    "systems",
    "undefined",
    "method",
]


class Reader(HTMLParser):
    """Collects every tag with its attributes, and the text of scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.code, self._inside = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self._inside = (tag, dict(attributes)) if tag in ("script", "style") else None
        self._again = False

    def handle_endtag(self, tag):
        self._inside = None

    def handle_data(self, data):
        if self._inside and self._again:
            data = self.code.pop()[2] + data
        if self._inside:
            self.code.append((*self._inside, data))
            self._again = True


@pytest.fixture(scope="module")
def text(page):
    return page.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def read(text):
    return Reader(text)


def test_sections_stand_in_the_order_of_the_issue(read):
    assert [a["id"] for tag, a in read.tags if tag == "section"] == IN_ORDER


def test_nothing_is_fetched(read):
    for tag, attributes in read.tags:
        for name in ("src", "href", "action", "data", "srcset", "poster", "ping"):
            value = attributes.get(name, "")
            assert value == "" or value.startswith(("#", "data:")), (tag, value)
    for _, _, code in read.code:
        assert "@import" not in code
        assert "url(http" not in code


def test_styles_and_scripts_are_those_of_the_policy_and_no_others(read):
    (policy,) = (
        a["content"]
        for tag, a in read.tags
        if a.get("http-equiv") == "Content-Security-Policy" and tag == "meta"
    )
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag, attributes, code in read.code:
        if attributes.get("type") == "application/json":
            json.loads(code)
            continue
        digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
        assert f"sha256-{digest}" in policy, tag
    for tag, attributes in read.tags:
        assert "style" not in attributes, tag
        assert not [name for name in attributes if name.startswith("on")], tag


def test_ids_are_unique_and_links_lead_somewhere(read):
    ids = Counter(a["id"] for _, a in read.tags if a.get("id"))
    assert [name for name, count in ids.items() if count > 1] == []
    for _, attributes in read.tags:
        target = attributes.get("href", "")
        if target.startswith("#"):
            assert target[1:] in ids
        if "data-example" in attributes:
            assert attributes["data-example"] in ids


def test_every_figure_says_what_it_shows(read):
    figures = [a for tag, a in read.tags if tag == "svg" and a.get("aria-hidden") != "true"]
    assert len(figures) > 15
    for attributes in figures:
        assert attributes["role"] == "img"
        assert len(attributes["aria-label"].split()) > 6


def test_data_behind_every_figure_is_there(report, text):
    names = set(report.frames)
    assert {"metrics", "coverage", "decline", "robustness", "properties", "agreement"} <= names
    assert {"tridiagonal", "single-item", "accuracy-cost", "uoc", "oc-paths"} <= names
    for name in names:
        assert f'id="data-{name}"' in text


def test_hostile_names_are_escaped_and_stripped(text):
    assert HOSTILE not in text
    assert html.escape(HOSTILE, quote=False) in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert html.escape(ODD.replace("\x1b", "\ufffd").replace("\u202e", "\ufffd")) in text


def test_the_same_evidence_gives_the_same_bytes(evidence, text):
    assert build(evidence, ["metaeval", "report", "--study", "quick"]).html == text


def test_the_page_carries_its_provenance(text):
    assert "metaeval report --study quick" in text
    assert "200 resamples" in text
    for paper in ("10.1142/S0218001411009093", "10.18653/v1/2020.acl-main.363"):
        assert paper in text
    assert "appear to be exchanged" in text


def test_prose_marks_names_and_escapes_the_rest():
    assert str(prose("`a<b` **x** <i>")) == "<code>a&lt;b</code> <strong>x</strong> &lt;i&gt;"


def test_a_page_needs_nothing_but_blocks():
    blocks = [Prose(paragraphs=["One."]), Listing(title="Two", entries=["`three`"])]
    page = Page(title="T", subtitle="", sections=[Section("s", "S", blocks)])
    assert "<code>three</code>" in render_page(page)


def test_a_fragment_styles_only_itself(evidence, report):
    from metaeval.reporting.notebook import frame_html, properties_html

    made = [
        fragment(Prose(paragraphs=["x"])),
        frame_html(evidence.coverage, title=HOSTILE),
        properties_html(evidence.properties),
        report._repr_html_(),
    ]
    for text in made:
        assert HOSTILE not in text
        assert "<script" not in text
        style = re.sub(r"/\*.*?\*/", "", Reader(text).code[0][2], flags=re.DOTALL)
        for rule in re.findall(r"(?:^|\})\s*([^{}@]+)\{", style):
            assert all(part.strip().startswith(".metaeval") for part in rule.split(",")), rule


def test_sections_without_ground_are_left_out(evidence):
    bare = replace(
        evidence,
        scores=None,
        coverage=None,
        left_out=None,
        robustness=None,
        power=None,
        consistency=None,
        clusters=None,
        pairs=None,
        decline=None,
        given=None,
    )
    found = Reader(build(bare).html)
    ids = [a["id"] for tag, a in found.tags if tag == "section"]
    assert ids == ["summary", "metrics", "properties", "curves", "method"]
