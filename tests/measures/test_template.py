"""metaeval new-metric: the template works as written, and nothing is lost."""

import os
import subprocess
import sys

import pytest

from tests.cli.command import metaeval, refused

TREE = os.pathsep.join(filter(None, sys.path))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def python(*arguments):
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": TREE},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", ["my_metric", "far_off"])
def test_the_template_passes_its_own_tests_and_the_linter(folder, name):
    done = metaeval("new-metric", f"{name}.py")
    assert done.stdout == f"{name}.py\nNext: metaeval check {name}.py:{name}\n"
    tested = python("-m", "pytest", "-q", "-p", "no:cacheprovider", f"{name}.py")
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "3 passed" in tested.stdout
    assert (
        python("-m", "ruff", "check", "--isolated", "--select", "F,E7,E9", f"{name}.py").returncode
        == 0
    )
    text = (folder / f"{name}.py").read_text()
    assert f'[project.entry-points."metaeval.metrics"]\n    {name} = "{name}:{name}"\n' in text
    assert name == "my_metric" or "my_metric" not in text


def test_an_existing_file_is_kept_unless_forced(folder):
    (folder / "own.py").write_text("mine")
    assert (
        refused("new-metric", "own.py") == "metaeval: own.py: exists already; --force overwrites it"
    )
    assert (folder / "own.py").read_text() == "mine"
    assert metaeval("new-metric", "own.py", "--force").returncode == 0
    assert "def own(matrices" in (folder / "own.py").read_text()
    assert [path.name for path in folder.iterdir()] == ["own.py"]


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("Own.py", "'Own' must be a lower-case Python name"),
        ("my-metric.py", "'my-metric' must be a lower-case Python name"),
        ("1st.py", "'1st' must be a lower-case Python name"),
        ("for.py", "'for' must be a lower-case Python name"),
        ("own.txt", "a metric is a Python file"),
        ("own", "a metric is a Python file"),
        ("mae.py", "there is a metric 'mae' already"),
        ("np.py", "'np' means something else already"),
        ("numpy.py", "'numpy' means something else already"),
        ("least.py", "'least' means something else already"),
        ("float.py", "'float' means something else already"),
        ("random.py", "'random' means something else already"),
        ("nowhere/own.py", "cannot be written"),
    ],
)
def test_names_that_cannot_work_are_refused(folder, file, sentence):
    assert sentence in refused("new-metric", file)
    assert list(folder.iterdir()) == []
