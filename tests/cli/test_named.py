"""Metrics named as file.py:function, in every command that takes metrics."""

import io
import json

import pandas as pd
import pytest

import metaeval as me
from metaeval.cli.named import named
from metaeval.measures import registry
from tests.cli.command import metaeval, refused

OWN = '''
import numpy as np
import metaeval as me

@me.register(greater_is_better=False, takes="stack", range=(0, 1))
def wrong(matrices, least=1):
    """Share of items that are off."""
    index = np.arange(matrices.shape[-1])
    far = np.abs(index[:, None] - index) >= least
    return (matrices * far).sum(axis=(-2, -1)) / matrices.sum(axis=(-2, -1))

def hits(y_true, y_pred):
    return float(np.mean(y_true == y_pred))

def misses(y_true, y_pred):
    return float(np.mean(y_true != y_pred))

def mae(matrix):
    return 0.0

text = "no function"
'''
MATRICES = [[[4, 1, 0], [0, 5, 0], [1, 0, 3]], [[4, 0, 1], [0, 5, 0], [2, 0, 2]]]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "_definitions", dict(registry.definitions()))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "matrices.json").write_text(json.dumps(MATRICES))
    yield tmp_path
    registry._from_name.cache_clear()


def scores(*names):
    done = metaeval("score", "matrices.json", "-f", "csv", *names)
    assert done.returncode == 0, done.stderr
    return pd.read_csv(io.StringIO(done.stdout), index_col="matrix")


@pytest.mark.usefixtures("folder")
def test_score_takes_functions_parameters_and_commas():
    frame = scores(
        "-m", "own.py:wrong,mer", "--metrics", "own.py:wrong(least=2)", "-m", "own.py:hits"
    )
    assert list(frame) == ["wrong", "mer", "wrong(least=2)", "hits"]
    assert frame["wrong"].tolist() == frame["mer"].tolist()
    assert frame["wrong(least=2)"].tolist() == pytest.approx([1 / 14, 3 / 14])
    assert frame["hits"].tolist() == pytest.approx([12 / 14, 11 / 14])


@pytest.mark.usefixtures("folder")
def test_functions_of_modules():
    frame = scores(
        "-m", "sklearn.metrics:cohen_kappa_score(weights='linear')", "-m", "linear_weighted_kappa"
    )
    assert frame.iloc[:, 0].tolist() == pytest.approx(frame.iloc[:, 1].tolist())


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "command",
    [
        ["agree", "matrices.json", "-m", "own.py:wrong,mse"],
        ["agree", "--between", "own.py:wrong,mse", "--pairs", "50"],
        ["agree", "matrices.json", "-m", "mse,mae", "--reference", "own.py:wrong"],
        ["evaluate", "runs.csv", "-m", "own.py:wrong", "--replicates", "10"],
        ["evaluate", "runs.csv", "-m", "own.py:wrong,own.py:hits", "--show", "leaderboard"],
        ["study", "quick", "-m", "own.py:wrong", "--out", "found", "--replicates", "0"],
        ["check", "own.py:wrong", "-p", "symmetry"],
    ],
)
def test_every_command_takes_them(folder, command):
    (folder / "runs.csv").write_text(
        "gold,a,b,c\n" + "".join(f"{i % 3},{i % 3},{i % 2},{(i + 1) % 3}\n" for i in range(40))
    )
    done = metaeval(*command)
    assert done.returncode == 0, done.stderr
    shown = done.stdout + "".join(p.read_text() for p in folder.rglob("*.csv"))
    assert "wrong" in shown or "--reference" in command


@pytest.mark.usefixtures("folder")
def test_check_believes_what_the_file_says():
    done = metaeval("check", "own.py:wrong", "-f", "json")
    found = {row["property"]: row for row in json.loads(done.stdout)}
    assert found["boundedness"]["outcome"] == "holds"  # a range is declared
    assert found["identity"]["outcome"] == "holds"  # lower is better
    # Vectorised functions are searched as far as built-in metrics.
    assert found["symmetry"]["reach"] == me.check("mae", "symmetry").frame["reach"][0]
    example = found["monotonicity"]["python"]
    assert "runpy.run_path('own.py')" in example
    exec(example)  # can be pasted where the file is


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("own.py:misses", "a perfect output scores 0, one with every item wrong 1; if lower is"),
        ("own.py:mae", "own.py:mae: there is a metric 'mae' already; rename the function"),
        ("own.py:text", "own.py:text is not a function but str"),
        ("own.py:nothing", "unknown function in own.py 'nothing'"),
        ("other.py:f", "other.py:f: there is no file other.py"),
        ("no_such_module:f", "cannot import no_such_module"),
        ("own.py:wrong(most=2)", "wrong has no parameter 'most'; it takes least"),
        ("own.py:", "cannot read the metric name 'own.py:'"),
    ],
)
def test_bad_names_are_one_sentence(name, sentence):
    assert sentence in refused("score", "matrices.json", "-m", name)


@pytest.mark.usefixtures("folder")
def test_names_in_data_never_run_a_file(folder):
    (folder / "evil.py").write_text("open('ran', 'w')\ndef f(m): return 0.0\n")
    (folder / "study.toml").write_text(
        'title = "t"\nfamilies = ["random"]\nratios = [0.1, 0.5]\nanalyses = ["coverage"]\n'
        'metrics = ["evil.py:f"]\n'
    )
    assert "evil.py:f" in refused("study", "study.toml", "--out", "found")
    with pytest.raises(me.InputError):
        me.metric("evil.py:f")
    assert not (folder / "ran").exists()


@pytest.mark.usefixtures("folder")
def test_a_file_can_be_loaded_again():
    assert named(["own.py:wrong"]) == named("own.py:wrong") == ["wrong"]
    assert named(None) is None


def test_brackets_protect_commas():
    assert registry.split_names("a, b(x=1, y=[1,2]),c((1,2),(3))") == [
        "a",
        "b(x=1, y=[1,2])",
        "c((1,2),(3))",
    ]
