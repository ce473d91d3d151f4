"""The other pages in a real browser: atlas, reproduction, evaluation, index."""

from dataclasses import replace

import pytest

from metaeval.evaluation.evaluating import evaluate
from metaeval.evaluation.page import page as evaluation_page
from metaeval.properties.checking import check_all
from metaeval.reporting.atlas import atlas_page
from metaeval.reporting.index import write_index
from metaeval.reporting.reproduction import reproduction_page
from metaeval.reporting.writing import write_page
from metaeval.studies.published import tables
from metaeval.studies.reproduce import compare
from tests.evaluation.tables import outputs_frame
from tests.reporting.systems import FORMULA, HOSTILE, ODD

pytest.importorskip("selenium")
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.reporting.browsing import WIDTHS, asked_for, one, open_page, overflow, some

LONG = "x" * 300
NAMES = ("atlas", "reproduction", "evaluation", "index")


@pytest.fixture(scope="module")
def pages(browser, tmp_path_factory):
    """Small pages of every kind, and the list of them."""
    folder = tmp_path_factory.mktemp("pages")
    paths = {name: folder / f"{name}.html" for name in NAMES}
    report = check_all(["mae", "oc", "accuracy", "cem_ord"], ["imbalance", "symmetry"], jobs=1)
    write_page(atlas_page(report, ["metaeval", "check"]), paths["atlas"])
    chosen = [
        replace(table, cases=table.cases[:4]) if table.kind == "claims" else table
        for table in tables()
        if table.id in ("000-table4", "000-table6", "002-table2", "004-table1")
    ]
    write_page(reproduction_page(compare(chosen), chosen), paths["reproduction"])
    frame = outputs_frame()
    frame.columns = ["gold", "case", HOSTILE, FORMULA, ODD, LONG]
    found = evaluate(frame, metrics=["mae", "accuracy", "cem_ord"], replicates=20)
    write_page(evaluation_page(found), paths["evaluation"])
    (folder / "atlas.csv").write_text("metric\n")
    write_index(paths["index"], [paths[name] for name in NAMES[:3]])
    return paths


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_asked_for_nothing_complains_nothing_overflows(name, browser, pages):
    tab = open_page(browser, pages[name])
    for width in WIDTHS:
        for theme in ("light", "dark"):
            assert overflow(tab, width, theme) == 0
    assert asked_for(tab) <= {pages[name].as_uri()}
    assert tab.get_log("browser") == []


def test_a_cell_of_the_atlas_opens_its_counterexample(browser, pages):
    tab = open_page(browser, pages["atlas"])
    one(tab, "[data-example='oc--imbalance']").click()
    assert "oc violates imbalance" in one(tab, "dialog[open]").text
    one(tab, "dialog[open]").send_keys(Keys.ESCAPE)
    Select(one(tab, "#metrics .filter-group")).select_by_visible_text("distance")
    shown = [row.text.split()[0] for row in some(tab, "#metrics tbody tr") if row.is_displayed()]
    assert shown == ["mae"]


def test_cells_of_the_reproduction_are_filtered_by_paper_and_verdict(browser, pages):
    tab = open_page(browser, pages["reproduction"])
    paper, table, verdict = (Select(field) for field in some(tab, "#cells .filter-group"))
    verdict.select_by_visible_text("erratum")
    assert one(tab, "#cells .shown").text.split() == ["8", "of", "104"]
    paper.select_by_visible_text("Cardoso and Sousa (2011)")
    assert one(tab, "#cells .shown").text.split() == ["7", "of", "104"]
    rows = [row.text for row in some(tab, "#cells tbody tr") if row.is_displayed()]
    assert all("misprinted" in row for row in rows)
    paper.select_by_visible_text("Amigó et al. (2020)")
    one(tab, "#cells tbody tr:not([hidden]) .opens").click()
    assert "violates ordinal-invariance" in one(tab, "dialog[open]").text
    assert {option.text for option in table.options} == {"all", "Table 2", "Table 4", "Table I"}


def test_cells_of_the_reproduction_sort_by_value(browser, pages):
    tab = open_page(browser, pages["reproduction"])
    head = some(tab, "#cells thead .sorter")[4]
    head.click()
    head.send_keys(Keys.SPACE)
    found = [float(cell.get_attribute("data-sort")) for cell in some(tab, "#cells td:nth-child(5)")]
    assert found == sorted(found)


def test_what_cannot_be_computed_is_said(browser, pages):
    tab = open_page(browser, pages["reproduction"])
    assert "neither the confusion matrices nor the splits" in one(tab, "#left-out").text
    assert "10.1142/S0218001411009093" in one(tab, "#paper-000").text


def test_an_evaluation_begins_with_its_leaderboard(browser, pages):
    tab = open_page(browser, pages["evaluation"])
    assert one(tab, "main > section").get_attribute("id") == "leaderboard"
    assert HOSTILE in [cell.text for cell in some(tab, "#leaderboard tbody th code")]
    with pytest.raises(NoAlertPresentException):
        tab.switch_to.alert.accept()
    ranks = some(tab, "#leaderboard td:nth-child(2)")
    assert [cell.text for cell in ranks] == sorted(cell.text for cell in ranks)
    assert len(some(tab, "#matrices svg[role=img]")) == 4


def test_the_index_repeats_what_the_pages_say_and_leads_to_them(browser, pages):
    tab = open_page(browser, pages["index"])
    text = one(tab, ".library").text
    assert "4 metrics × 2 properties: " in text
    assert "104 cells: " in text
    assert one(tab, ".library a[href='./atlas.csv']")
    one(tab, ".library h3 a").click()
    assert tab.title.startswith("Which metric holds which property?")


def test_a_sheet_of_paper_has_the_head_of_its_table_and_no_controls(browser, pages):
    tab = open_page(browser, pages["reproduction"])
    tab.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": []})
    hidden = [".filters", ".downloads", "#theme", ".contents"]
    assert not any(part.is_displayed() for name in hidden for part in some(tab, name))
    # A control within a head keeps browsers from repeating it on the next sheet.
    assert not some(tab, "thead button, thead input")
    assert (
        tab.execute_script("return getComputedStyle(document.querySelector('.tall')).maxHeight")
        == "none"
    )
    tab.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
