"""What starting metaeval loads, and what it leaves alone; benchmarks/startup.py has the times."""

import json
import subprocess
import sys

import pytest

HEAVY = {
    "IPython",
    "distributed",
    "jinja2",
    "joblib",
    "matplotlib",
    "numpy",
    "pandas",
    "pyarrow",
    "scipy",
    "seaborn",
    "sklearn",
}
LISTED = "\nimport json, sys\nsys.stderr.write(json.dumps(sorted(sys.modules)))"
COMMAND = """
import sys
from metaeval.cli import main
sys.argv = ["metaeval", *{words!r}]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""


def loaded(code):
    """Top-level names of what a fresh interpreter has loaded after running the code."""
    done = subprocess.run(
        [sys.executable, "-c", code + LISTED], capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in json.loads(done.stderr)}


def test_importing_metaeval_loads_nothing_heavy():
    found = loaded("import metaeval")
    assert "metaeval" in found
    assert not found & (HEAVY | {"generators", "rich", "typer"})


@pytest.mark.parametrize("words", [["--help"], ["report", "--help"], ["bench", "--help"]])
def test_help_loads_nothing_heavy(words):
    found = loaded(COMMAND.format(words=words))
    assert "typer" in found
    assert not found & (HEAVY | {"generators"})


def test_a_metric_needs_numpy_alone():
    found = loaded("import metaeval as me\nme.metric('mae')([[4, 1], [0, 5]])")
    assert found & HEAVY == {"numpy"}


def test_the_catalogue_needs_no_scipy():
    found = loaded(COMMAND.format(words=["metrics"]))
    assert not found & {"scipy", "seaborn", "matplotlib", "sklearn", "joblib", "jinja2"}
