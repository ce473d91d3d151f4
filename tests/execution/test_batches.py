"""Label tables in batches: the same matrices, and the same complaints, as of a whole table."""

import numpy as np
import pandas as pd
import pytest

from metaeval.errors import InputError
from metaeval.evaluation import batches
from metaeval.inputs import read_scorable
from tests.cli.command import metaeval

ROWS = 1000


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(batches, "ROWS", 64)


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    gold = rng.integers(1, 6, ROWS)
    table = {"case": [f"q{i}" for i in rng.integers(0, 7, ROWS)], "gold": gold}
    table |= {name: np.clip(gold + rng.integers(-1, 2, ROWS), 1, 5) for name in ("a", "b")}
    return pd.DataFrame(table)


def write(frame, path):
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    return path


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("classes", [None, "0,1,2,3,4,5"])
@pytest.mark.parametrize("cases", [True, False])
def test_the_same_matrices(frame, kind, classes, cases, tmp_path):
    given = frame if cases else frame.drop(columns="case")
    path = write(given, tmp_path / f"t.{kind}")
    whole = read_scorable(path, classes)
    parts = read_scorable(path, classes, memory=1000)
    np.testing.assert_array_equal(parts.matrices, whole.matrices)
    pd.testing.assert_index_equal(parts.index, whole.index)
    assert parts.matrices.sum() == 2 * ROWS


def test_names_as_labels_and_quotes(frame, tmp_path):
    words = dict(enumerate(["bad, really", "poor", "fair", "good", "best"], 1))
    named = frame.assign(**{c: frame[c].map(words) for c in ("gold", "a", "b")})
    path = write(named.replace("bad, really", "bad"), tmp_path / "t.csv")
    order = "bad,poor,fair,good,best"
    whole, parts = (read_scorable(path, order, memory=m) for m in (1 << 30, 1000))
    np.testing.assert_array_equal(parts.matrices, whole.matrices)
    quoted = write(named, tmp_path / "quoted.csv")
    with pytest.raises(InputError, match=r"line \d+, column 'gold': label 'bad, really'"):
        read_scorable(quoted, order, memory=1000)


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("classes", [None, "1,2,3,4,5"])
@pytest.mark.parametrize(("column", "row", "wrong"), [("a", 700, "six"), ("gold", 3, "")])
def test_the_same_complaints(frame, kind, classes, column, row, wrong, tmp_path):
    broken = frame.astype(dict.fromkeys(("gold", "a", "b"), object)).astype(str)
    broken.loc[row, column] = wrong
    path = write(broken, tmp_path / f"t.{kind}")
    said = []
    for memory in (1 << 30, 1000):
        with pytest.raises(InputError) as problem:
            read_scorable(path, classes, memory=memory)
        said.append(str(problem.value))
    assert said[0] == said[1]


def test_what_is_no_table(frame, tmp_path):
    (tmp_path / "empty.csv").write_text("gold,a\n")
    (tmp_path / "short.csv").write_text("gold,a\n1,2\n3\n")
    for name in ("empty.csv", "short.csv"):
        said = []
        for memory in (1 << 30, 1):
            with pytest.raises(InputError) as problem:
                read_scorable(tmp_path / name, memory=memory)
            said.append(str(problem.value))
        assert said[0] == said[1]
    path = write(frame.rename(columns={"gold": "truth"}), tmp_path / "t.csv")
    with pytest.raises(InputError, match="no column with the gold labels"):
        read_scorable(path, memory=1000)


def test_the_command_reads_in_batches_within_its_memory(frame, tmp_path):
    path = write(frame, tmp_path / "t.csv")
    expected = metaeval("score", path, "-m", "mae", "-f", "csv").stdout
    assert metaeval("score", path, "-m", "mae", "-f", "csv", "--memory", "1k").stdout == expected
    done = metaeval("score", path, "-m", "mae", "-o", tmp_path / "s.csv", "--memory", "1k")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "s.csv").read_text() == expected
