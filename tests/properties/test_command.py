"""metaeval check and metaeval properties, as commands."""

import json

import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

from metaeval.cli.check import check
from metaeval.cli.properties import properties
from metaeval.errors import InputError

app = typer.Typer()
app.command()(check)
app.command()(properties)

FILE = """
import dataclasses
import numpy as np

print("printed while imported")

@dataclasses.dataclass
class Weights:
    power: "float" = 1.0

def distance(y_true, y_pred, power=1.0):
    print("printed while called")
    return float((np.abs(y_true - y_pred) ** Weights(power).power).mean())

def rows(matrix):
    return float(np.trace(matrix) / matrix.sum())

number = 7
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "my_metrics.py"
    path.write_text(FILE)
    return path


def run(*arguments):
    return CliRunner().invoke(app, ["check", *map(str, arguments)], catch_exceptions=True)


def refused(*arguments):
    problem = run(*arguments).exception
    assert isinstance(problem, InputError), problem
    return str(problem)


def test_a_function_in_a_file_gets_every_verdict(file):
    done = run(f"{file}:distance", "--lower-is-better", "--max-items", 3, "-f", "json")
    assert done.exit_code == 0
    rows = {row["property"]: row for row in json.loads(done.stdout)}
    assert len(rows) == 16
    assert rows["monotonicity"]["outcome"] == "holds"
    assert rows["ordinal-invariance"]["outcome"] == "violated"
    assert f"runpy.run_path('{file}')['distance']" in rows["ordinal-invariance"]["python"]


def test_arguments_are_literals_or_text(file):
    done = run(
        f"{file}:distance", "--arg", "power=2", "--lower-is-better",
        "-p", "triangle-inequality", "--format", "json",
    )  # fmt: skip
    (row,) = json.loads(done.stdout)
    assert row["metric"].endswith("distance(power=2)")
    assert row["outcome"] == "violated"


def test_require_makes_it_a_test(file):
    wanted = ("-p", "identity", "--require", "weak-monotonicity,symmetry")
    assert run(f"{file}:rows", *wanted).exit_code == 0
    done = run("accuracy", "--require", "monotonicity", "--require", "identity")
    assert done.exit_code == 1
    assert "monotonicity is required, but the outcome is violated" in done.stderr
    assert "identity is" not in done.stderr


def test_a_violation_is_drawn():
    done = run("kendall_tau_b", "-p", "imbalance")
    for part in ("violated", "[1]  [1]    0", "0.894427", "Why: ", "Python: import", "1e-09"):
        assert part in done.stdout


@pytest.mark.parametrize("format", ["csv", "latex", "html", "table", "json"])
def test_formats(format):
    done = run("mae", "-p", "imbalance,symmetry", "--format", format)
    assert done.exit_code == 0
    assert "imbalance" in done.stdout
    assert ("<!doctype html>" in done.stdout) == (format == "html")


def test_several_metrics_and_the_atlas():
    done = run("mae", "oc", "-p", "monotonicity", "-f", "json")
    assert [row["metric"] for row in json.loads(done.stdout)] == ["mae", "oc"]
    done = run("--all", "-p", "imbalance", "-p", "identity", "--jobs", 1, "-f", "csv")
    lines = done.stdout.splitlines()
    assert lines[0] == "metric,imbalance,identity"
    import metaeval as me

    assert len(lines) == 1 + len(me.metrics())
    table = run("--all", "-p", "symmetry", "--jobs", 1).stdout
    assert "✗ violated" in table
    assert "sym" in table


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name a metric"),
        (["maee"], "did you mean 'mae'"),
        (["mae", "-p", "monotony"], "unknown property"),
        (["mae", "--require", "monotony"], "unknown property"),
        (["no.such.module:f"], "cannot import no.such.module"),
        (["sklearn.metrics:cohen_kapa_score"], "did you mean 'cohen_kappa_score'"),
        (["nowhere.py:f"], "no file nowhere.py"),
        (["mae", "--arg", "weights"], "name=value"),
        (["mae", "--arg", "weights=linear"], "no parameter 'weights'"),
    ],
)
def test_bad_usage(arguments, words):
    assert words in refused(*arguments)


def test_bad_files(tmp_path, file):
    broken = tmp_path / "broken.py"
    broken.write_text("def f(:\n")
    assert "SyntaxError" in refused(f"{broken}:f")
    assert "is not a function" in refused(f"{file}:number")
    assert "unknown function" in refused(f"{file}:distanse")


def test_the_list_of_properties():
    done = CliRunner().invoke(app, ["properties", "--format", "json"])
    assert len(json.loads(done.stdout)) == 16
    assert pd.DataFrame(json.loads(done.stdout))["statement"].notna().all()
