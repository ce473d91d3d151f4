"""Every page of docs/ runs, its links lead somewhere, and the generated ones are up to date."""

import re
import runpy
import sys

import pandas as pd
import pytest

import metaeval as me
from metaeval.measures import registry
from tests.docs.pages import ROOT, Page, blocks

PAGES = sorted((ROOT / "docs").glob("*.md"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder; what a page registers or puts on the path is forgotten afterwards."""
    monkeypatch.setattr(registry, "_definitions", dict(registry.definitions()))
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    registry._from_name.cache_clear()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_page_runs(path):
    Page(path).run()


@pytest.mark.parametrize(
    ("page", "make"), runpy.run_path(ROOT / "docs/make_pages.py")["PAGES"].items()
)
def test_the_generated_page_is_up_to_date(page, make):
    assert make() == (ROOT / "docs" / page).read_text(encoding="utf-8"), "run `make docs`"


@pytest.mark.parametrize("key", ["mae", "cohen_kappa", "cem_ord"])
def test_the_atlas_behind_the_pages_is_what_the_check_finds(key):
    atlas = pd.read_csv(ROOT / "reports/property-atlas.csv", index_col="metric", dtype=str)
    assert me.check(key).atlas.loc[key].to_dict() == atlas.loc[key].to_dict()


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", prose, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", [ROOT / "README.md", *PAGES], ids=lambda path: path.stem)
def test_links_lead_somewhere(path):
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if re.match(r"https?:", target):
            continue
        file, _, anchor = target.partition("#")
        found = (path.parent / file) if file else path
        assert found.exists(), target
        if anchor:
            assert anchor in anchors(found.read_text(encoding="utf-8")), target


def test_the_index_names_every_page():
    text = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    assert [p.name for p in PAGES if p.name != "README.md" and f"]({p.name})" not in text] == []


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "text",
    [
        "```python\nraise ValueError\n```",
        "```python\n>>> 1 + 1\n3\n```",
        "```console\n$ metaeval metrics mae -f csv\nsomething else\n```",
        "```sh\nmetaeval check mae --require symmetry,imbalance -p imbalance\n```",
        "```sh\nrm nothing\n```",
        "```csv\na,b\n```",
    ],
)
def test_a_page_with_a_mistake_is_rejected(folder, text):
    page = folder / "page.md"
    page.write_text(text + "\n")
    with pytest.raises((AssertionError, ValueError)):
        Page(page).run()


def test_a_fence_that_is_left_open_is_rejected():
    with pytest.raises(AssertionError):
        blocks("```python\n1\n")
