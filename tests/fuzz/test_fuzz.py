"""A sample of the fuzzer: `python -m tests.fuzz --inputs 20000 --seed 1` runs as many as wanted."""

import time
import zipfile

import numpy as np
import pytest

from tests.cli.command import metaeval, refused
from tests.fuzz.campaign import campaign, digest
from tests.fuzz.seeds import OUTPUTS, npy_bytes
from tests.fuzz.shapes import archive

INPUTS = 250


@pytest.mark.parametrize("seed", range(100, 104))
def test_malformed_files_are_refused_in_one_sentence(seed):
    result = campaign(INPUTS, seed)
    assert result.failures == []
    assert sum(result.tried.values()) == INPUTS
    assert set(result.codes) <= {"0", "2"}
    assert result.codes["2"] > INPUTS // 2


def test_the_same_seed_gives_the_same_inputs():
    assert digest(7, 20) == digest(7, 20) != digest(8, 20)


def test_the_judge_notices(monkeypatch):
    """A fuzzer that finds nothing must be able to find something."""

    def broken(*_, **__):
        raise KeyError("a fault of ours")

    monkeypatch.setattr("metaeval.inputs.read_scorable", broken)
    assert any("a fault of ours" in said for _, said in campaign(40, 1).failures)


def test_an_archive_that_would_fill_the_memory(tmp_path):
    zeros = npy_bytes(np.zeros((1 << 20, 6, 6), dtype="i8"))
    (tmp_path / "bomb.npz").write_bytes(archive([("a.npy", zeros)], zipfile.ZIP_DEFLATED))
    assert "would take 288 MiB" in refused("score", tmp_path / "bomb.npz")


def test_a_header_that_announces_more_than_there_is(tmp_path):
    data = npy_bytes(np.ones((1, 3, 3)))
    (tmp_path / "m.npy").write_bytes(data.replace(b"(1, 3, 3), }  ", b"(10**9,3,3), }"))
    assert "not what its name says" in refused("score", tmp_path / "m.npy")
    wide = data.replace(b"(1, 3, 3), }        ", b"(999999999, 3, 3), }")
    (tmp_path / "m.npy").write_bytes(wide)
    assert "announces an array of shape (999999999, 3, 3)" in refused("score", tmp_path / "m.npy")


def test_records_without_a_common_name(tmp_path, monkeypatch):
    monkeypatch.setattr("metaeval.inputs.MOST_UNPACKED", 1 << 20)
    lines = "\n".join(f'{{"s{n}": 1}}' for n in range(3_000))
    (tmp_path / "t.jsonl").write_text(lines)
    assert "times the size of the file" in refused("score", tmp_path / "t.jsonl")


def test_half_a_character_is_no_label(tmp_path):
    (tmp_path / "t.jsonl").write_text('{"gold": "\\ud800", "a": 1}')
    assert "half of a character" in refused("score", tmp_path / "t.jsonl")
    (tmp_path / "m.json").write_text('{"\\udcff": [[1, 0], [0, 1]]}')
    assert "half of a character" in refused("score", tmp_path / "m.json")


@pytest.mark.parametrize("rows", [("1", "1,2,3"), ("1,2,3", "1"), ("1,2,", "1")])
def test_a_long_row_does_not_make_up_for_a_short_one(tmp_path, rows):
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["gold,a", *rows, "2,2", ""]))
    assert "cells; the header has 2" in refused("score", path, "--classes", "1,2,3")


def test_more_systems_than_can_be_compared(tmp_path):
    names = [f"s{n}" for n in range(501)]
    lines = [["gold", *names], *([str(label)] * 502 for label in (1, 2))]
    (tmp_path / "t.csv").write_text("\n".join(",".join(line) for line in lines))
    assert "501 systems; at most 500" in refused("evaluate", tmp_path / "t.csv")
    assert "501 systems; at most 500" in refused("report", "--data", tmp_path / "t.csv")


def test_a_gigantic_label_is_not_repeated_in_full(tmp_path):
    (tmp_path / "t.csv").write_text("gold,a\n1,1\n2," + "x" * 100_000)
    said = refused("score", tmp_path / "t.csv", "--classes", "1,2")
    assert len(said) < 1_500
    assert said.endswith("expected one of 1, 2")


@pytest.mark.parametrize("label", ["Infinity", "-Infinity", "1e999", "9" * 400])
def test_numbers_beyond_all_bounds_are_no_labels(tmp_path, label):
    (tmp_path / "t.jsonl").write_text(f'{{"gold": 1, "a": {label}}}\n{{"gold": 2, "a": 2}}\n')
    assert "line 1, column 'a': label" in refused("score", tmp_path / "t.jsonl")
    (tmp_path / "t.jsonl").write_text(f'{{"gold": "x", "a": {label}}}\n{{"gold": "y", "a": "y"}}\n')
    said = refused("score", tmp_path / "t.jsonl", "--classes", "x,y")
    assert "expected one of x, y" in said


def test_numbers_too_far_apart_are_no_scale(tmp_path):
    (tmp_path / "t.csv").write_text("gold,a\n-1e308,1\n1e308,2\n")
    assert metaeval("score", tmp_path / "t.csv", "-m", "mae").returncode == 0  # four labels
    many = "".join(f"{n}e300,-1e308\n" for n in range(1, 102))
    (tmp_path / "t.csv").write_text("gold,a\n" + many)
    assert "102 different labels are no scale" in refused("score", tmp_path / "t.csv")


def test_a_wide_table_of_few_rows_is_read_at_once(tmp_path):
    names = [f"s{n}" for n in range(9_999)]
    lines = [["gold", *names], *([str(label)] * 10_000 for label in (1, 2))]
    (tmp_path / "t.csv").write_text("\n".join(",".join(line) for line in lines))
    start = time.process_time()
    done = metaeval("score", tmp_path / "t.csv", "-m", "mae")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 10_000
    assert time.process_time() - start < 10


def test_a_study_with_numbers_beyond_all_bounds(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(OUTPUTS.replace('undefined = "zero"', f"undefined = {'9' * 25}"))
    assert metaeval("study", path, "--out", tmp_path / "out").returncode == 0
    path.write_text(OUTPUTS.replace("cases = 3", f"cases = {'9' * 25}"))
    assert "gold.cases: expected a whole number of at most" in refused("study", path, "-o", "x")
    path.write_text(OUTPUTS.replace("cases = 3", "cases = " + "[" * 20_000))
    assert "nested too deeply" in refused("study", path, "--out", "x")
