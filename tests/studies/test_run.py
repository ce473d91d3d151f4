"""Running studies and storing them: the right numbers, whole or not at all."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import generators
import metaeval as me
from metaeval.analysis.coverage import coverage
from metaeval.errors import InputError
from metaeval.studies.analyses import OUTPUT_ANALYSES
from metaeval.studies.run import run_study
from metaeval.studies.store import PROVENANCE, write_result
from metaeval.studies.study import find_study, parse_study

SMALL = """\
title = "small"
families = ["random", "tag_displacement"]
ratios = [0.1, 0.4, 0.7]
metrics = ["mae", "spearman"]
analyses = {analyses}
replicates = 10
[gold]
cases = 5
items = 30
classes = 4
mean = 1
sd = 1
[undefined]
spearman = 1.0
"""
MATRICES = """\
title = "m"
metrics = ["mae", "amae", "pearson"]
reference = ["misclassification_cost"]
analyses = ["values", "agreement", "agreement-with-reference"]
[matrices]
family = "fixed_accuracy"
pairs = 50
[[setting]]
name = "a"
vary = { accuracy = [0.5, 0.7] }
[[setting]]
name = "b"
items = 60
"""


@pytest.fixture(scope="module")
def small():
    return parse_study(SMALL.format(analyses=json.dumps(list(OUTPUT_ANALYSES))), "small")


@pytest.fixture(scope="module")
def result(small):
    return run_study(small)


def test_every_analysis_gives_a_frame(result):
    assert list(result.frames) == list(OUTPUT_ANALYSES)
    assert not any(frame.empty for frame in result.frames.values())


def test_the_scores_are_those_of_the_generated_outputs(result):
    root = np.random.SeedSequence(0)
    gold = generators.gold(cases=5, items=30, classes=4, mean=1, sd=1, rng=root)
    labels = generators.outputs("random", gold, classes=4, ratio=0.4, rng=root)
    expected = me.metric("mae").from_labels(gold, labels, classes=4)
    found = result.frames["scores"].xs("random@0.4", level="system")["mae"]
    np.testing.assert_array_equal(found, expected)
    assert {"accuracy", "kendall_tau_a", "mutual_information"} < set(result.frames["scores"])


def test_the_analyses_get_the_studys_options(small, result):
    expected = coverage(result.frames["scores"], undefined={"spearman": 1.0}, replicates=10, seed=0)
    pd.testing.assert_frame_equal(result.frames["coverage"], expected)
    assert (result.frames["coverage"].loc["spearman", "undefined_as"]) == "1"


def test_jobs_change_nothing(small, result):
    again = run_study(small, jobs=2)
    for name, frame in result.frames.items():
        pd.testing.assert_frame_equal(again.frames[name], frame, check_exact=True)
    other = run_study(replace(small, seed=1, analyses=("scores",)))
    assert not other.frames["scores"].equals(result.frames["scores"])


def test_matrices_by_setting():
    study = parse_study(MATRICES, "m")
    one, two = run_study(study), run_study(study, jobs=2)
    for name, frame in one.frames.items():
        pd.testing.assert_frame_equal(two.frames[name], frame, check_exact=True)
    values = one.frames["values"]
    assert list(values.index.names) == ["setting", "accuracy", "items", "metric"]
    assert len(values) == 3 * 4
    assert (values["matrices"] + values["undefined"] == 100).all()
    found = one.frames["agreement-with-reference"]
    assert len(found) == 3 * 3
    assert (found["pairs"] == 50).all()


def test_settings_do_not_share_matrices():
    study = parse_study(MATRICES.replace("[0.5, 0.7]", "[0.5, 0.5025]"), "m")
    values = run_study(study).frames["values"]["value"].unstack("metric")
    assert values["amae"].nunique() == len(values)


def test_the_value_of_one_matrix_is_exact():
    frame = run_study(find_study("single-sample")).frames["values"]
    assert frame["low"].isna().all()
    assert frame.attrs["no_interval"] == {"any": "the value of one matrix is exact"}
    half = frame.xs((1, "oc(beta_raw=0.1)"), level=("distance", "metric"))["value"]
    assert half.item() == pytest.approx(0.6)


def test_the_tridiagonal_preset_nears_its_limits():
    frame = run_study(find_study("paper-000-tridiagonal")).frames["values"]["value"]
    last = frame.xs(50, level="classes").droplevel("setting")
    assert last["mae"] == pytest.approx(2 / 3, abs=0.02)
    assert last["r_int"] > 0.95
    assert last["oc(beta=0.25)"] == pytest.approx(0.6, abs=0.02)


@pytest.mark.parametrize("format", ["csv", "json", "parquet"])
def test_files_hold_the_frames(result, tmp_path, format):
    out = tmp_path / "deep" / "result"
    write_result(result, out, format)
    read = {
        "csv": pd.read_csv,
        "json": lambda path: pd.DataFrame(json.loads(path.read_text())),
        "parquet": pd.read_parquet,
    }[format]
    for name, frame in result.frames.items():
        found = read(out / f"{name}.{format}")
        assert len(found) == len(frame)
        assert list(found.columns) == [*frame.index.names, *map(str, frame.columns)]
    found = read(out / f"coverage.{format}")["coverage"].to_numpy()
    np.testing.assert_array_equal(found, result.frames["coverage"]["coverage"])
    assert [p.name for p in tmp_path.iterdir()] == ["deep"]
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["result"]


def test_provenance(result, tmp_path):
    write_result(result, tmp_path / "r")
    found = json.loads((tmp_path / "r" / PROVENANCE).read_text())
    assert found["seed"] == 0
    assert found["study"]["data"]["ratios"] == [0.1, 0.4, 0.7]
    assert found["study"]["undefined"] == {"spearman": 1.0}
    assert "title = " in found["study"]["source"]
    assert set(found["versions"]) == {"metaeval", "python", "numpy", "scipy", "pandas"}
    assert set(found["files"]) == {f"{name}.csv" for name in result.frames}
    assert "test cases" in found["files"]["discrimination.csv"]["no_interval"]


def test_the_same_study_gives_the_same_bytes(small, result, tmp_path):
    write_result(result, tmp_path / "a")
    write_result(run_study(small, jobs=2), tmp_path / "b")
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_nothing_is_overwritten_without_force(result, tmp_path):
    out = tmp_path / "r"
    write_result(result, out)
    with pytest.raises(InputError, match="--force"):
        write_result(result, out)
    write_result(result, out, "json", force=True)
    assert not list(out.glob("*.csv"))
    (out / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"holds 'notes\.txt'"):
        write_result(result, out, force=True)
    assert (out / "notes.txt").read_text() == "mine"
    assert (out / "coverage.json").exists()
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(InputError, match="is a file"):
        write_result(result, file, force=True)


def test_a_folder_that_is_no_result_is_never_replaced(result, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "precious.csv").write_text("1")
    with pytest.raises(InputError, match="no file of an earlier result"):
        write_result(result, tmp_path / "data", force=True)
    assert (tmp_path / "data" / "precious.csv").exists()


def test_a_failure_leaves_nothing_behind(result, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    write_result(result, tmp_path / "r")
    before = {p.name: p.read_bytes() for p in (tmp_path / "r").iterdir()}
    monkeypatch.setattr("metaeval.studies.store._write", fail)
    with pytest.raises(InputError, match="No space left"):
        write_result(result, tmp_path / "r", force=True)
    with pytest.raises(InputError, match="No space left"):
        write_result(result, tmp_path / "new")
    assert [p.name for p in tmp_path.iterdir()] == ["r"]
    assert {p.name: p.read_bytes() for p in (tmp_path / "r").iterdir()} == before
