"""metaeval evaluate, end to end."""

import io
import json
import re

import pandas as pd
import pytest

from metaeval.cli.evaluate import View
from metaeval.evaluation.evaluating import evaluate as run
from metaeval.evaluation.writing import views
from tests.cli.command import metaeval, refused
from tests.evaluation.tables import outputs_frame

FAST = ("--replicates", "50", "-m", "mae", "-m", "accuracy", "-m", "cem_ord")


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "runs.csv"
    outputs_frame().assign(e=3).to_csv(path, index=False)
    return path


def test_the_table_has_leaderboard_recommendation_and_flags(table):
    done = metaeval("evaluate", table, *FAST)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "5 systems, 60 items, 3 cases" in done.stdout
    assert "Report " in done.stdout
    assert "- 'e' says 3 for every item" in done.stdout


def test_json_holds_everything(table):
    found = json.loads(metaeval("evaluate", table, *FAST, "-f", "json").stdout)
    assert {r["system"] for r in found["leaderboard"]} == set("abcde")
    assert found["recommendation"]
    assert found["flags"][0]["kind"] == "constant"
    assert found["settings"]["missing"] == "error"


def test_every_view_can_be_printed(table):
    expected = run(table, metrics=["mae", "accuracy", "cem_ord"], replicates=50)
    assert set(View) == set(views(expected))
    for view in View:
        done = metaeval("evaluate", table, *FAST, "--show", view.value, "-f", "csv")
        assert done.returncode == 0, done.stderr
        assert len(pd.read_csv(io.StringIO(done.stdout))) == len(views(expected)[view.value])
    assert r"\toprule" in metaeval("evaluate", table, *FAST, "-f", "latex").stdout


def test_frames_go_to_a_folder(table, tmp_path):
    out = tmp_path / "result"
    assert metaeval("evaluate", table, *FAST, "--out", out).returncode == 0
    about = json.loads((out / "provenance.json").read_text())
    assert {p.name for p in out.iterdir()} == {"provenance.json", *about["files"]}
    assert list(pd.read_csv(out / "pairs.csv").columns) == [
        *("metric", "system", "other", "difference", "p")
    ]
    before = {p.name: p.read_bytes() for p in out.iterdir()}
    assert "exists already" in refused("evaluate", table, *FAST, "--out", out)
    assert metaeval("evaluate", table, *FAST, "-j", "2", "--out", out, "--force").returncode == 0
    assert {p.name: p.read_bytes() for p in out.iterdir()} == before


def test_bad_input_is_one_sentence(table, tmp_path):
    assert "unknown column 'glod'; did you mean 'gold'" in refused(
        "evaluate", table, "--gold", "glod"
    )
    assert "unknown system 'z'" in refused("evaluate", table, "--systems", "a,z")
    assert "label '4'; expected one of 1, 2, 3" in refused("evaluate", table, "--classes", "1,2,3")
    assert "no such file" in refused("evaluate", tmp_path / "none.csv")
    assert "unknown kind of file" in refused("evaluate", tmp_path / "matrices.npz")
    assert "unknown metric" in refused("evaluate", table, "-m", "maee")


def test_help_shows_an_example():
    assert "metaeval evaluate examples/judges.csv" in metaeval("evaluate", "--help").stdout


def test_the_page_is_one_self_contained_file(table, tmp_path):
    frame = outputs_frame().assign(**{"<script>alert(1)</script>": 3})
    # Right more often than any other but a, and as far off as can be otherwise: a sure swap.
    frame["e"] = frame["gold"].where(frame.index % 4 > 0, 5 - frame["gold"])
    frame.to_csv(table, index=False)
    out = tmp_path / "report.html"
    done = metaeval("evaluate", table, *FAST, "--out", out)
    assert done.returncode == 0, done.stderr
    html = out.read_text(encoding="utf-8")
    sections = re.findall(r'<section id="([^"]+)"', html)
    assert sections == [
        *("leaderboard", "summary", "ranks", "metrics", "pairs", "matrices", "method")
    ]
    assert "says `" not in html
    assert 'id="data-swaps"' in html
    assert "<script>alert(1)" not in html
    assert not re.search(r'(href|src)="http', html)
    # The leaderboard, the ranks, the qualities, and a heatmap a system.
    assert html.count("<svg") == 3 + 6
    again = metaeval("evaluate", table, *FAST, "--out", out)
    assert again.returncode == 0  # an earlier page is replaced
    assert out.read_text(encoding="utf-8") == html
    (tmp_path / "mine.html").write_text("mine")
    assert "exists already" in refused("evaluate", table, *FAST, "--out", tmp_path / "mine.html")


def test_level_and_undefined_are_options(table):
    wide, narrow = (
        json.loads(metaeval("evaluate", table, *FAST, "--level", level, "-f", "json").stdout)
        for level in ("0.99", "0.5")
    )
    gaps = [
        sum(row["high"] - row["low"] for row in found["leaderboard"]) for found in (wide, narrow)
    ]
    assert gaps[0] > 1.5 * gaps[1]
    assert wide["settings"]["level"] == 0.99
    assert "level" in refused("evaluate", table, *FAST, "--level", "1.5")
    options = ("--replicates", "0", "-m", "kendall_tau_b", "--show", "leaderboard", "-f", "json")
    for given, value in (("zero", 0.0), ("0.25", 0.25)):
        done = metaeval("evaluate", table, *options, "--undefined", given)
        rows = {row["system"]: row for row in json.loads(done.stdout)}
        assert rows["e"]["undefined"] == 3
        assert rows["e"]["value"] == value
    assert "zero" in refused("evaluate", table, *FAST, "--undefined", "nought")
