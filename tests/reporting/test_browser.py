"""The page in a real browser."""

import json
import time

import pytest

from tests.reporting.systems import FORMULA, HOSTILE

pytest.importorskip("selenium")
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.reporting.browsing import WIDTHS, asked_for, one, open_page, overflow, some


@pytest.fixture
def tab(browser, page):
    return open_page(browser, page)


def test_nothing_is_asked_for_and_nothing_complains(tab, page):
    assert tab.title.startswith("Which metric should I trust?")
    some(tab, "#properties .atlas .opens")[0].click()
    assert asked_for(tab) <= {page.as_uri()}
    assert tab.get_log("browser") == []


def test_the_policy_stops_what_is_not_the_page_s_own(tab):
    tab.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.ran = true';"
        "document.body.append(s); new Image().src = 'http://x.invalid/a.png';"
        "fetch('http://x.invalid/').catch(() => { window.refused = true; });"
    )
    time.sleep(0.2)
    assert tab.execute_script("return window.ran === undefined && window.refused === true")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_overflows_the_page(tab, width, theme):
    assert overflow(tab, width, theme) == 0
    small = tab.execute_script(
        "return [...document.querySelectorAll('main p, main td, main li')]"
        ".filter(e => e.offsetParent && parseFloat(getComputedStyle(e).fontSize) < 10).length"
    )
    assert small == 0


def column(tab, number):
    rows = some(tab, "#metrics tbody tr")
    return [
        float(row.find_elements(By.CSS_SELECTOR, "th, td")[number].get_attribute("data-sort"))
        for row in rows
    ]


def test_the_table_sorts_by_mouse_and_by_keyboard(tab):
    head = some(tab, "#metrics thead th")[1]
    button = head.find_element(By.CLASS_NAME, "sorter")
    before = column(tab, 1)
    button.click()
    assert column(tab, 1) == sorted(before, reverse=True)
    assert head.get_attribute("aria-sort") == "descending"
    button.send_keys(Keys.ENTER)
    assert column(tab, 1) == sorted(before)
    assert head.get_attribute("aria-sort") == "ascending"
    name = some(tab, "#metrics thead th")[0]
    name.find_element(By.CLASS_NAME, "sorter").click()
    names = [cell.text for cell in some(tab, "#metrics tbody th code")]
    assert names == sorted(names)
    assert head.get_attribute("aria-sort") is None


def visible(tab):
    return [
        r.find_element(By.TAG_NAME, "code").text
        for r in some(tab, "#metrics tbody tr")
        if r.is_displayed()
    ]


def test_the_table_filters(tab):
    every = visible(tab)
    field = one(tab, "#metrics .filter-text")
    field.send_keys("KAPPA")
    assert visible(tab) == ["quadratic_weighted_kappa"]
    assert one(tab, "#metrics .shown").text == f"1 of {len(every)}"
    field.send_keys(Keys.CONTROL, "a", Keys.DELETE)
    group = Select(one(tab, "#metrics .filter-group"))
    group.select_by_visible_text("distance")
    assert set(visible(tab)) == {"mae", "amae"}
    group.select_by_visible_text("all")
    one(tab, "#metrics .filter-flag").click()
    assert set(visible(tab)) == {"mae", "amae", "cem_ord"}


def test_a_counterexample_opens_and_closes(tab):
    button = one(tab, "#properties [data-example='accuracy--monotonicity']")
    button.send_keys(Keys.ENTER)
    dialog = one(tab, "dialog[open]")
    assert "accuracy violates monotonicity" in dialog.text
    matrices = dialog.find_elements(By.CSS_SELECTOR, "table.matrix")
    assert len(matrices) == 2
    # The item leaves one cell of the first matrix and arrives in one of the second.
    moved = [
        [len(m.find_elements(By.CSS_SELECTOR, f"td.{kind}")) for kind in ("lost", "gained")]
        for m in matrices
    ]
    assert moved == [[1, 0], [0, 1]]
    dialog.send_keys(Keys.ESCAPE)
    assert not some(tab, "dialog[open]")
    tab.execute_script("location.hash = '#accuracy--monotonicity'")
    time.sleep(0.2)
    one(tab, "dialog[open] .close").click()
    assert not some(tab, "dialog[open]")


def test_the_theme_switches_and_is_kept(tab, page):
    def colours():
        return tab.execute_script(
            "const c = (s, p) => getComputedStyle(document.querySelector(s))[p];"
            "return [c('body', 'backgroundColor'), c('#coverage svg text', 'fill')]"
        )

    light = colours()
    one(tab, "#theme").click()
    dark = colours()
    assert all(one != other for one, other in zip(light, dark, strict=True))
    tab.get(page.as_uri())
    assert colours() == dark
    one(tab, "#theme").click()
    assert colours() == light


def test_hostile_names_are_text(tab):
    with pytest.raises(NoAlertPresentException):
        tab.switch_to.alert.accept()
    names = [cell.text for cell in some(tab, "#systems table.data tbody th code")]
    assert HOSTILE in names
    assert FORMULA in names
    scripts = [s.get_attribute("textContent") for s in some(tab, "script")]
    assert not any(text.strip().startswith("alert") for text in scripts)


def test_data_can_be_downloaded_and_no_spreadsheet_runs_it(tab, tmp_path):
    tab.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    for kind in ("csv", "json"):
        one(tab, f"#systems [data-frame='systems'] [data-kind='{kind}']").click()
    csv, records = tmp_path / "systems.csv", tmp_path / "systems.json"
    for _ in range(50):
        if csv.exists() and records.exists():
            break
        time.sleep(0.1)
    lines = csv.read_text(encoding="utf-8").splitlines()
    assert any(line.startswith(f"'{FORMULA}") for line in lines)
    assert FORMULA in [row["system"] for row in json.loads(records.read_text(encoding="utf-8"))]


def test_everything_can_be_reached_by_keyboard_and_by_link(tab):
    for link in some(tab, ".contents a"):
        target = link.get_attribute("hash").lstrip("#")
        assert some(tab, f"section[id='{target}'] > h2 a[href='#{target}']")
    tab.execute_script("document.activeElement.blur()")
    one(tab, "body").send_keys(Keys.TAB)
    assert tab.switch_to.active_element.get_attribute("class") == "skip"
    outline = tab.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"


def test_it_prints(tab):
    printed = tab.execute_cdp_cmd("Page.printToPDF", {})
    assert len(printed["data"]) > 50_000
