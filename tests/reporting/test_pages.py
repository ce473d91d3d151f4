"""The pages beside the report, and results in notebooks, as text."""

import re
from collections import Counter

import pytest

from metaeval.analysis.rank_correlation import metric_clusters
from metaeval.errors import InputError
from metaeval.properties.checking import check_all
from metaeval.reporting.atlas import atlas_page, outcomes
from metaeval.reporting.html import render_page
from metaeval.reporting.index import entry, write_index
from metaeval.reporting.reproduction import MEANINGS, headline, reproduction_page
from metaeval.reporting.writing import write_page
from metaeval.studies.published import papers, tables
from metaeval.studies.reproduce import VERDICTS, compare, reproduce, select
from metaeval.studies.run import run_study
from metaeval.studies.study import find_study
from tests.cli.command import metaeval, refused
from tests.reporting.test_page import Reader


@pytest.fixture(scope="module")
def checked():
    return check_all(
        ["mae", "oc", "accuracy", "cem_ord"], ["imbalance", "symmetry", "identity"], jobs=1
    )


@pytest.fixture(scope="module")
def pages(checked):
    chosen = select(["000-table4", "004-table1"])
    return {
        "atlas": render_page(atlas_page(checked, ["metaeval", "check"])),
        "reproduction": render_page(reproduction_page(compare(chosen), chosen)),
    }


@pytest.mark.parametrize("name", ["atlas", "reproduction"])
def test_pages_are_self_contained_and_their_links_lead_somewhere(name, pages):
    read = Reader(pages[name])
    ids = Counter(a["id"] for _, a in read.tags if a.get("id"))
    assert [found for found, count in ids.items() if count > 1] == []
    for tag, attributes in read.tags:
        assert "style" not in attributes
        assert "src" not in attributes
        target = attributes.get("href", "#method")
        assert tag == "link" or target[1:] in ids
        assert attributes.get("data-example", "method") in ids


def test_the_headline_of_the_atlas_counts_the_outcomes(checked):
    found = outcomes(checked)
    assert found.to_numpy().sum() == 12
    assert list(found["violated"]) == sorted(found["violated"])
    text = atlas_page(checked).headline
    held, violated = int(found["holds"].sum()), int(found["violated"].sum())
    assert text.startswith(f"4 metrics × 3 properties: {held} hold, {violated} are violated.")


def test_one_metric_is_a_page_too():
    page = atlas_page(check_all(["mae"], ["identity"], jobs=1))
    assert page.headline == "1 metric × 1 property: 1 hold, 0 are violated."
    assert "The properties of mae" in render_page(page)


def test_every_verdict_has_a_meaning():
    assert tuple(MEANINGS) == VERDICTS


def test_every_table_stands_at_a_place_of_its_paper():
    for table in tables():
        assert f"{papers()[table.paper].year}, " in table.source


def test_errata_are_explained_at_their_cells(pages):
    cells = pages["reproduction"].partition('<section id="cells"')[2]
    rows = re.findall(r"<tr[^>]*>.*?</tr>", cells, re.DOTALL)
    wrong = [row for row in rows if ">erratum</td>" in row]
    assert len(wrong) == 7
    assert all("the second row of CM5 is misprinted" in row for row in wrong)
    assert headline(reproduce(["000-table4"]).frame) == "14 cells: 7 match, 7 errata."


@pytest.mark.parametrize(
    "words", [("reproduce", "000-table4"), ("check", "mae", "oc", "-p", "identity", "-j", "1")]
)
def test_commands_write_pages_but_not_over_other_files(words, tmp_path):
    out = tmp_path / "new" / "page.html"
    done = metaeval(*words, "--out", out)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1] == str(out)
    before = out.read_bytes()
    assert metaeval(*words, "--out", out).returncode == 0
    assert out.read_bytes() == before
    printed = metaeval(*words, "--format", "html").stdout
    assert printed.startswith("<!doctype html>")
    out.write_text("mine")
    assert "no report" in refused(*words, "--out", out)
    assert out.read_text() == "mine"
    assert metaeval(*words, "--out", out, "--force").returncode == 0


def test_the_index_is_written_from_the_pages(checked, tmp_path):
    page = tmp_path / "an atlas.html"
    write_page(atlas_page(checked), page)
    (tmp_path / "an atlas.csv").write_text("x")
    found = entry(page, tmp_path)
    assert found.headline == atlas_page(checked).headline
    assert found.file == "./an%20atlas.html"
    assert found.beside == [("CSV", "./an%20atlas.csv")]
    index = tmp_path / "index.html"
    write_index(index, [page])
    before = index.read_bytes()
    write_index(index, [page])
    assert index.read_bytes() == before
    assert b'href="./an%20atlas.html"' in before
    other = tmp_path / "other.html"
    other.write_text("<p>hello</p>")
    with pytest.raises(InputError, match="not a page"):
        write_index(index, [other])
    assert index.read_bytes() == before


def test_every_result_shows_itself_in_a_notebook(checked, evidence, report):
    tiny = find_study("quick")
    results = [
        checked,
        check_all(["oc"], ["imbalance"], jobs=1),
        checked.counterexamples[0],
        reproduce(["000-table4"]),
        run_study(tiny),
        metric_clusters(evidence.scores),
        report,
    ]
    for result in results:
        text = result._repr_html_()
        read = Reader(text)
        tags = {tag for tag, _ in read.tags}
        # Nothing that would need a script, and no style beyond the fragment.
        assert not tags & {"script", "button", "dialog", "select", "input", "link"}, type(result)
        assert not [a for _, a in read.tags if "style" in a or "id" in a]
        style = re.sub(r"/\*.*?\*/", "", read.code[0][2], flags=re.DOTALL)
        for rule in re.findall(r"(?:^|\})\s*([^{}@]+)\{", style):
            assert all(part.strip().startswith(".metaeval") for part in rule.split(",")), rule
