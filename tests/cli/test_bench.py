"""metaeval bench, end to end."""

import csv
import io
import json

import pytest

from metaeval.benchmarking import bench as room
from metaeval.benchmarking.peer import Call, Peer
from tests.cli.command import metaeval, refused

QUICK = ["--items", "30", "--matrices", "50"]


@pytest.fixture
def with_fakes(monkeypatch):
    """The known peers are one that works and one that is not there."""

    def missing(classes):
        import surely_not_installed_here  # noqa: F401

    fakes = [
        Peer("works", lambda classes: [Call("mae", lambda y, p: abs(y - p).mean())]),
        Peer("absent", missing),
    ]
    monkeypatch.setattr(room, "known", lambda: {peer.package: peer for peer in fakes})


def test_beside_scikit_learn_for_real():
    words = ["-m", "mae", "-m", "cohen_kappa", "--peer", "scikit-learn", "--format", "json"]
    done = metaeval("bench", *words, *QUICK)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [(row["metric"], row["peer"], row["alike"]) for row in found["rows"]] == [
        ("mae", "scikit-learn", 1.0),
        ("cohen_kappa", "scikit-learn", 1.0),
    ]
    assert found["peers"][0]["version"]
    assert found["setting"]["items"] == 30
    assert found["skipped"] == {}


@pytest.mark.usefixtures("with_fakes")
def test_the_table_says_what_was_timed_and_what_was_left_out():
    done = metaeval("bench", "-m", "mae", "-m", "cem_ord", *QUICK)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "50 matrices of 30 items and 5 classes" in done.stdout
    assert "counting included" in done.stdout
    assert "Not compared: absent: not installed (no module surely_not" in done.stdout
    assert "cem_ord" in done.stdout


@pytest.mark.usefixtures("with_fakes")
def test_csv_and_latex_are_the_rows_alone():
    done = metaeval("bench", "-m", "mae", *QUICK, "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(done.stdout))
    assert row["peer"] == "works"
    assert float(row["ratio"]) > 0
    assert done.stderr.startswith("Not compared: absent")
    done = metaeval("bench", "-m", "mae", *QUICK, "--format", "latex", "--quiet")
    assert r"\begin{tabular}" in done.stdout
    assert done.stderr == ""


@pytest.mark.usefixtures("with_fakes")
def test_nobody_to_compare_with():
    done = metaeval("bench", "-m", "mae", "--peer", "absent", *QUICK, "--format", "json")
    found = json.loads(done.stdout)
    assert found["peers"] == []
    assert found["rows"][0]["peer_us"] is None
    done = metaeval("bench", "-m", "mae", "--peer", "absent", *QUICK)
    assert done.returncode == 0, done.stderr


@pytest.mark.usefixtures("with_fakes")
def test_the_plot_is_refused_before_the_work(tmp_path):
    path = tmp_path / "bench.svg"
    done = metaeval("bench", "-m", "mae", *QUICK, "--plot", path)
    assert done.returncode == 0, done.stderr
    before = path.read_bytes()
    assert "exists already" in refused("bench", "--plot", path)
    assert path.read_bytes() == before
    assert "unknown kind of file '.pdf'" in refused("bench", "--plot", tmp_path / "bench.pdf")
    assert "no such folder" in refused("bench", "--plot", tmp_path / "no" / "bench.svg")
    assert metaeval("bench", "-m", "mae", *QUICK, "--plot", path, "--force").returncode == 0


def test_bad_names_are_one_sentence():
    assert "unknown metric 'maee'" in refused("bench", "-m", "maee")
    assert "unknown peer 'sklern'" in refused("bench", "--peer", "sklern")
