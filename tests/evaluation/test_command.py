"""metaeval evaluate, end to end."""

import io
import json

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
    for section in ("summary", "leaderboard", "swaps", "metrics", "matrices", "method"):
        assert f'<section id="{section}"' in html
    assert "<script>alert(1)" not in html
    assert "http://" not in html
    assert "https://" not in html
    assert html.count("<svg") == 1 + 6  # the qualities, and a heatmap a system
    again = metaeval("evaluate", table, *FAST, "--out", out)
    assert again.returncode == 0  # an earlier page is replaced
    assert out.read_text(encoding="utf-8") == html
    (tmp_path / "mine.html").write_text("mine")
    assert "exists already" in refused("evaluate", table, *FAST, "--out", tmp_path / "mine.html")
