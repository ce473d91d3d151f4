"""metaeval generate, end to end."""

import json

import numpy as np
import pandas as pd
import pytest

import generators
from tests.cli.command import metaeval, refused


def test_the_list_names_every_family():
    frame = json.loads(metaeval("generate", "--list", "--format", "json").stdout)
    assert [row["family"] for row in frame] == [f.name for f in generators.families()]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet", "npz", "json"])
def test_outputs_in_every_kind_of_file(tmp_path, suffix):
    path = tmp_path / f"t.{suffix}"
    command = ["generate", "proximity", "--ratio", "0.1", "--ratio", "0.5", "--cases", "3"]
    done = metaeval(*command, "--items", "20", "--classes", "5", "--out", path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    read = {
        "csv": pd.read_csv,
        "tsv": lambda p: pd.read_csv(p, sep="\t"),
        "jsonl": lambda p: pd.read_json(p, lines=True),
        "json": pd.read_json,
        "parquet": pd.read_parquet,
        "npz": lambda p: pd.DataFrame(dict(np.load(p))),
    }[suffix]
    frame = read(path)
    assert list(frame.columns) == ["case", "gold", "proximity@0.1", "proximity@0.5"]
    root = np.random.SeedSequence(0)
    gold = generators.gold(cases=3, items=20, classes=5, rng=root)
    assert (frame["gold"] == gold.ravel()).all()
    output = generators.outputs("proximity", gold, classes=5, ratio=0.5, rng=root)
    assert (frame["proximity@0.5"] == output.ravel()).all()


def test_a_generated_table_goes_straight_into_score(tmp_path):
    path = tmp_path / "t.csv"
    metaeval("generate", "random", "--cases", "2", "--items", "50", "--out", path)
    done = metaeval("score", path, "-m", "accuracy", "--format", "json")
    rows = json.loads(done.stdout)
    assert [row["case"] for row in rows] == ["1", "2"]
    assert all(0.5 < row["accuracy"] < 1 for row in rows)


def test_a_generated_table_goes_straight_into_evaluate(tmp_path):
    path = tmp_path / "t.csv"
    command = ["generate", "random", "--ratio", "0.2", "--ratio", "0.6", "--cases", "4"]
    metaeval(*command, "--items", "50", "--out", path)
    done = metaeval("evaluate", path, "-m", "mae", "--replicates", "20", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert "random@0.2" in done.stdout


@pytest.mark.parametrize("suffix", ["json", "npz", "npy"])
def test_generated_matrices_go_straight_into_score(tmp_path, suffix):
    path = tmp_path / f"m.{suffix}"
    command = ["generate", "fixed_accuracy", "--set", "accuracy=0.8", "--count", "7"]
    assert metaeval(*command, "--set", "mode=class-wise", "--out", path).returncode == 0
    rows = json.loads(metaeval("score", path, "-m", "accuracy", "--format", "json").stdout)
    assert len(rows) == 7
    assert rows[0]["accuracy"] == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_matrices_as_a_table(tmp_path, suffix):
    path = tmp_path / f"m.{suffix}"
    metaeval("generate", "tridiagonal", "--classes", "3", "--count", "2", "--out", path)
    frame = pd.read_csv(path) if suffix == "csv" else pd.read_parquet(path)
    assert frame.loc[1].tolist() == [1, 1, 1, 0, 1, 1, 1, 0, 1, 1]


def test_stdout_and_seeds():
    command = ["generate", "dispersed", "--count", "3", "--out", "-"]
    first = metaeval(*command).stdout
    assert np.array(json.loads(first)).shape == (3, 3, 3)
    assert metaeval(*command).stdout == first
    assert metaeval(*command, "--seed", "1").stdout != first
    table = metaeval("generate", "random", "--cases", "1", "--items", "3", "--out", "-").stdout
    assert table.startswith("case,gold,random@0.3\n1,")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["proximityy"], "did you mean 'proximity'"),
        (["proximity", "--ratio", "1.2"], "ratio must be a number from 0 to 1, got 1.2"),
        (["fixed_accuracy", "--set", "accuracy=0.777"], "cannot be reached with 400 items"),
        (["fixed_accuracy", "--set", "largest=0.1"], "largest must be a share from 1/4 to 1"),
        (["fixed_accuracy", "--classes", "1"], "classes must be a whole number of at least 2"),
        (["random", "--items", "0"], "items must be a whole number of at least 1"),
        (["fixed_accuracy", "--set", "foo=1"], "has no parameter 'foo'"),
        (["fixed_accuracy", "--set", "foo"], "--set takes name=value"),
        (["random", "--placement", "here"], "placement must be one of bernoulli, exact"),
        ([], "needs a family and --out"),
    ],
)
def test_bad_requests_are_refused_in_one_sentence(tmp_path, arguments, sentence):
    path = tmp_path / "x.csv"
    assert sentence in refused("generate", *arguments, "--out", path)
    assert list(tmp_path.iterdir()) == []


def test_files_are_not_overwritten_unless_asked(tmp_path):
    path = tmp_path / "m.json"
    path.write_text("mine")
    assert "--force overwrites it" in refused("generate", "dispersed", "--out", path)
    assert path.read_text() == "mine"
    assert metaeval("generate", "dispersed", "--out", path, "--force").returncode == 0
    assert path.read_text() != "mine"
    assert [p.name for p in tmp_path.iterdir()] == ["m.json"]


def test_places_that_cannot_be_written(tmp_path):
    assert "cannot be written" in refused("generate", "dispersed", "-o", tmp_path / "no" / "m.json")
    assert "folder" in refused("generate", "dispersed", "-o", tmp_path)
    assert "'.xyz'" in refused("generate", "dispersed", "-o", tmp_path / "m.xyz")


def test_the_data_of_a_study(tmp_path):
    out = tmp_path / "data"
    done = metaeval("generate", "study", "quick", "--out", out)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(out / "outputs.csv")]
    frame = pd.read_csv(out / "outputs.csv")
    made = json.loads((out / "provenance.json").read_text())
    families = made["study"]["data"]["families"]
    assert list(frame.columns[:3]) == [
        "case",
        "gold",
        f"{families[0]}@{made['study']['data']['ratios'][0]:g}",
    ]
    assert (
        len(frame)
        == made["study"]["data"]["gold"]["cases"] * made["study"]["data"]["gold"]["items"]
    )
    assert "--force" in refused("generate", "study", "quick", "--out", out)
    first = (out / "outputs.csv").read_bytes()
    assert metaeval("generate", "study", "quick", "--out", out, "--force").returncode == 0
    assert (out / "outputs.csv").read_bytes() == first
    (out / "mine.txt").write_text("mine")
    assert "mine.txt" in refused("generate", "study", "quick", "--out", out, "--force")
    assert (out / "mine.txt").read_text() == "mine"
    assert [p.name for p in tmp_path.iterdir()] == ["data"]


def test_the_matrices_of_a_study(tmp_path):
    out = tmp_path / "data"
    assert metaeval("generate", "study", "paper-000", "--out", out).returncode == 0
    files = sorted(out.glob("*.npz"))
    assert files
    rows = json.loads(metaeval("score", files[0], "-m", "mer", "--format", "json").stdout)
    assert 0 < rows[0]["mer"] < 1


def test_unknown_studies_are_refused(tmp_path):
    out = tmp_path / "data"
    assert "did you mean 'quick'" in refused("generate", "study", "quik", "--out", out)
    assert "which study?" in refused("generate", "study", "--out", out)
    assert not out.exists()
