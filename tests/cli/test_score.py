"""metaeval score and metaeval metrics, end to end."""

import csv
import io
import json
import pickle

import numpy as np
import pandas as pd
import pytest

import metaeval as me
from tests.cli.command import metaeval, refused

TABLE = "gold,case,a,b\n1,q1,1,2\n2,q1,2,2\n3,q2,3,1\n5,q2,4,5\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "outputs.csv"
    path.write_text(TABLE)
    return path


def test_a_wide_label_table(table):
    done = metaeval("score", table, "-m", "mae", "-m", "oc(beta=0.75)", "--format", "json")
    assert done.returncode == 0
    assert done.stderr == ""
    rows = json.loads(done.stdout)
    assert [(r["case"], r["system"]) for r in rows] == [
        ("q1", "a"),
        ("q1", "b"),
        ("q2", "a"),
        ("q2", "b"),
    ]
    expected = me.metric("oc(beta=0.75)").from_labels([3, 5], [1, 5], [1, 2, 3, 4, 5])
    assert rows[3]["oc(beta=0.75)"] == pytest.approx(expected)
    assert rows[3]["mae"] == 1.0


def test_undefined_is_null_or_an_empty_cell_never_a_word(table):
    done = metaeval("score", table, "-m", "kendall_tau_b", "--format", "json")
    assert json.loads(done.stdout)[1]["kendall_tau_b"] is None
    done = metaeval("score", table, "-m", "kendall_tau_b", "--format", "csv")
    assert list(csv.reader(io.StringIO(done.stdout)))[2] == ["q1", "b", ""]


def test_the_same_labels_from_every_kind_of_file(table, tmp_path):
    frame = pd.read_csv(table)
    frame.to_csv(tmp_path / "t.tsv", sep="\t", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    (tmp_path / "bom.csv").write_bytes(b"\xef\xbb\xbf" + TABLE.replace("\n", "\r\n").encode())
    expected = metaeval("score", table, "--format", "csv").stdout
    for name in ("t.tsv", "t.parquet", "t.jsonl", "bom.csv"):
        assert metaeval("score", tmp_path / name, "--format", "csv").stdout == expected, name


def test_the_stated_scale_decides(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('gold,a\nneg,"pos"\npos,pos\n neu ,neg\n')
    done = metaeval("score", path, "--classes", "neg, neu,pos", "-m", "mae", "--format", "json")
    assert json.loads(done.stdout)[0]["mae"] == 1.0
    path.write_text("gold,a\n1,5\n5,5\n")
    done = metaeval("score", path, "--classes", "1,5", "-m", "mae", "--format", "json")
    assert json.loads(done.stdout)[0]["mae"] == 0.5
    done = metaeval("score", path, "-m", "mae", "--format", "json")
    assert json.loads(done.stdout)[0]["mae"] == 2.0  # 1 to 5 in whole steps
    path.write_text("gold,a\n1,1.5\n2,2\n")
    done = metaeval("score", path, "-m", "mae", "--format", "json")
    assert json.loads(done.stdout)[0]["mae"] == 0.5  # one half step, of two items


@pytest.mark.parametrize("kind", ["json", "named json", "npy", "npz"])
def test_matrices(tmp_path, kind):
    stack = np.array([[[4, 1], [0, 5]], [[5, 0], [0, 5]]])
    path = tmp_path / f"m.{kind.split()[-1]}"
    if kind == "json":
        path.write_text(json.dumps(stack.tolist()))
        names = [0, 1]
    elif kind == "named json":
        path.write_text(json.dumps({"a": stack[0].tolist(), "b": stack[1].tolist()}))
        names = ["a", "b"]
    elif kind == "npy":
        np.save(path, stack)
        names = [0, 1]
    else:
        np.savez(path, one=stack[0], more=stack)
        names = ["one", "more[0]", "more[1]"]
    rows = json.loads(metaeval("score", path, "-m", "mae", "--format", "json").stdout)
    assert [r["matrix"] for r in rows] == names
    assert rows[0]["mae"] == 0.1


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("m.json", "[[1,2],[3,4", "line 1, column 12: not JSON"),
        ("m.json", "", "not JSON"),
        ("m.json", "{}", "expected a matrix"),
        ("m.json", "[[1,2,3],[4,5,6]]", "square"),
        ("m.json", "[[1,-2],[3,4]]", "holds -2"),
        ("m.json", "[[1,NaN],[3,4]]", "holds nan"),
        ("m.json", "[[0,0],[0,0]]", "empty"),
        ("m.json", "[[3]]", "at least 2 classes"),
        ("m.json", '[["a","b"],["c","d"]]', "numbers"),
        ("m.json", '{"a": [[1,2],[3,4]], "b": [[1]]}', "matrix 'b'"),
        ("m.json", "[" * 100_000, "nested too deeply"),
        ("m.npy", "not numpy", "not what its name says"),
        ("m.npy", "", "empty"),
        ("m.npz", "not a zip", "not what its name says"),
        ("t.parquet", "not parquet", "not what its name says"),
        ("t.csv", "", "empty"),
        ("t.csv", "gold\n1\n2\n", "no system"),
        ("t.csv", "gold,a\n", "no rows"),
        ("t.csv", "golld,a\n1,1\n", "did you mean 'golld'"),
        ("t.csv", "gold,a,a\n1,1,1\n", "column 'a' stands there twice"),
        ("t.csv", "gold,a\n1,1\n2,x\n", "line 3, column 'a': label 'x' is not a number"),
        ("t.csv", "gold,a\n1,1\n2\n", "line 3: 1 cells; the header has 2"),
        ("t.csv", "gold,a\n1,1\n2,\n", "line 3, column 'a': no label; expected one of 1, 2"),
        ("t.csv", 'gold,a\n1,"1\n2,2\n', "line 3: unexpected end of data"),
        ("t.csv", "gold,a\n1,1\n", "all labels are the same"),
        ("t.jsonl", '{"gold": 1, "a": 1}\n[1]\n', "line 2: expected an object"),
        ("t.jsonl", '{"gold": 1, "a": 1}\n{"gold"\n', "line 2: not JSON"),
        ("t.xyz", "1", "unknown kind of file '.xyz'"),
    ],
)
def test_bad_files_are_refused_in_one_sentence(tmp_path, name, content, sentence):
    path = tmp_path / name
    path.write_text(content)
    said = refused("score", path)
    assert sentence in said
    assert name in said


def test_labels_outside_the_stated_scale_are_named(table):
    said = refused("score", table, "--classes", "1,2,3")
    assert "line 5, column 'gold': label '5'; expected one of 1, 2, 3" in said


def test_files_that_cannot_be_opened(tmp_path):
    assert "no such file" in refused("score", tmp_path / "none.csv")
    (tmp_path / "dir.csv").mkdir()
    assert "folder" in refused("score", tmp_path / "dir.csv")
    (tmp_path / "latin.csv").write_bytes("gold,a\n1,é\n".encode("latin-1"))
    assert "not UTF-8" in refused("score", tmp_path / "latin.csv")


def test_truncated_and_pickled_arrays_are_refused(tmp_path):
    np.save(tmp_path / "m.npy", np.ones((50, 3, 3)))
    data = (tmp_path / "m.npy").read_bytes()
    (tmp_path / "m.npy").write_bytes(data[: len(data) // 2])
    assert "truncated" in refused("score", tmp_path / "m.npy")
    np.save(tmp_path / "o.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    assert "pickled objects" in refused("score", tmp_path / "o.npy")
    np.savez(tmp_path / "o.npz", a=np.array([{"a": 1}], dtype=object), allow_pickle=True)
    assert "pickled objects" in refused("score", tmp_path / "o.npz")
    (tmp_path / "p.npy").write_bytes(pickle.dumps([[1, 2], [3, 4]]))
    assert "not what its name says" in refused("score", tmp_path / "p.npy")


def test_unknown_metrics_are_refused(table):
    assert refused("score", table, "-m", "maee") == (
        "metaeval: unknown metric 'maee'; did you mean 'mae'?"
    )


def test_control_characters_never_reach_the_terminal(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("gold,\x1b[31mred\n1,1\n2,2\n")
    done = metaeval("score", path, "-m", "mae")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "red" in done.stdout


def test_latex_is_escaped(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("gold,a_b & \\c\n1,1\n2,2\n")
    done = metaeval("score", path, "-m", "kendall_tau_b", "--format", "latex")
    assert r"a\_b \& \textbackslash{}c & 1.0000 \\" in done.stdout
    assert r"\toprule" in done.stdout


def test_the_catalogue(tmp_path):
    done = metaeval("metrics", "--format", "csv")
    frame = pd.read_csv(io.StringIO(done.stdout)).set_index("key")
    assert list(frame.index) == list(me.metrics().index)
    assert "mean number of classes off" in metaeval("metrics").stdout


def test_a_column_of_item_ids_is_no_system(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("item,gold,a\n7,1,1\n8,2,2\n9,3,2\n")
    done = metaeval("score", path, "-m", "mae", "--format", "csv")
    assert done.stdout == "system,mae\na,0.3333333333333333\n"
    path.write_text("item,gold,a\n7,1,1\n7,2,2\n")
    assert "line 3, column 'item': item '7' stands there a second time" in refused("score", path)
