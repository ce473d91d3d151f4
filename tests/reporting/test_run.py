"""`metaeval report` as a function and as a command."""

import json
import subprocess
import sys

import pytest

from metaeval.errors import InputError
from metaeval.reporting.run import run
from tests.cli.command import metaeval, refused

STUDY = """
title = "A tiny study"
families = ["majority", "random", "proximity"]
ratios = [0.2, 0.6]
replicates = 20
metrics = ["accuracy", "mae"]
reference = ["accuracy", "kendall_tau_a"]
analyses = ["coverage"]

[gold]
cases = 4
items = 30
classes = 3
mean = 1
sd = 0.8

[parameters.majority]
label = "empirical"
"""


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text(STUDY)
    return path


def test_a_command_writes_the_page_and_the_tables_beside_it(study, tmp_path):
    out = tmp_path / "new" / "page.html"
    done = metaeval("report", "--study", study, "--out", out, "--format", "json", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "Consider mae, accuracy."
    assert lines[1:] == [str(out), str(out.with_name("page-tables.json"))]
    assert "A tiny study" in out.read_text()
    assert "coverage" in json.loads(out.with_name("page-tables.json").read_text())
    # An earlier report is replaced, and the same seed gives the same bytes.
    before = out.read_bytes()
    again = metaeval("report", "--study", study, "--out", out, "--format", "json", "--jobs", "1")
    assert again.returncode == 0
    assert out.read_bytes() == before


def test_files_that_are_no_report_are_not_overwritten(study, tmp_path):
    out = tmp_path / "page.html"
    out.write_text("mine")
    assert "no report" in refused("report", "--study", study, "--out", out)
    assert out.read_text() == "mine"
    beside = tmp_path / "other-tables.json"
    beside.write_text("mine")
    with pytest.raises(InputError, match="other-tables"):
        run(str(study), out=tmp_path / "other.html", formats=["json"])
    assert beside.read_text() == "mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "other-tables.json",
        "page.html",
        "tiny.toml",
    ]


def test_bad_input_is_one_sentence(tmp_path):
    assert "paper-002-synthetic" in refused("report", "--study", "paper-002-synthetc")
    assert "no such file" in refused("report", "--data", tmp_path / "none.csv")
    assert "unknown metric" in refused("report", "--study", "quick", "-m", "maee")


def test_own_systems_are_judged_on_their_own_data(tmp_path):
    table = tmp_path / "judges.csv"
    rows = [f"{i % 3},{i % 3},{(i + i % 2) % 3},{(i * 7) % 3}" for i in range(60)]
    table.write_text("gold,a,b,c\n" + "\n".join(rows) + "\n")
    report, files = run(data=table, out=tmp_path / "page.html", metrics=["mae", "oc"], jobs=1)
    text = files[0].read_text()
    assert "3 systems of judges.csv" in text
    assert "a random partition" in text
    assert report.shortlist == ("mae", "oc")
    assert "accuracy-cost" in report.frames


def test_few_systems_are_judged_on_a_study(study, tmp_path):
    table = tmp_path / "one.csv"
    table.write_text("gold,a\n" + "0,1\n1,1\n2,0\n" * 10)
    report, files = run(str(study), data=table, out=tmp_path / "page.html", jobs=1)
    assert "1 system of one.csv" in files[0].read_text()
    assert "systems" in report.frames


def test_drawing_libraries_are_not_loaded_before_they_are_needed():
    code = (
        "import sys, metaeval, metaeval.cli, metaeval.cli.report;"
        "print([m for m in ('matplotlib', 'seaborn', 'jinja2', 'pandas', 'scipy') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
