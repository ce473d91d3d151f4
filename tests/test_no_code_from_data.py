"""Data is never run: the source has no call that would, and the few that start code are listed."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted([*ROOT.glob("metaeval/**/*.py"), *ROOT.glob("generators/**/*.py")])

# Runs whatever it is given.
CALLS = {"eval", "exec", "compile", "__import__", "execfile"}
MODULES = {"pickle", "cPickle", "dill", "marshal", "shelve", "yaml", "runpy"}
METHODS = {"read_pickle", "to_pickle", "unsafe_load", "full_load"}
OWNED = {(owner, "load") for owner in ("np", "numpy", "joblib")} | {
    ("os", "system"),
    ("os", "popen"),
}

# Each with the reason why it is no data that is run.
ALLOWED = {
    # A function of the user's, sent from this process to its own workers.
    ("metaeval/properties/calls.py", "import pickle"),
    # The same: work and its results, between this process and workers that it started, or the
    # cluster that the user named.
    ("metaeval/execution/worker.py", "import pickle"),
    ("metaeval/execution/backends.py", "import pickle"),
    # Arrays of a checkpoint, without pickles: tests/execution/test_checkpoint.py tries one.
    ("metaeval/execution/checkpoint.py", "np.load()"),
}


def found_in(path):
    """What a source file does that could run data, as (file, what)."""
    name = path.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((name, f"import {a.name}") for a in node.names if a.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            yield name, f"from {node.module}"
        elif isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name) and called.id in CALLS:
                yield name, f"{called.id}()"
            if isinstance(called, ast.Attribute):
                owner = called.value.id if isinstance(called.value, ast.Name) else ""
                if called.attr in METHODS:
                    yield name, f".{called.attr}()"
                if (owner, called.attr) in OWNED:
                    yield name, f"{owner}.{called.attr}()"
        elif isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            refused = isinstance(node.value, ast.Constant) and node.value.value is False
            yield from [] if refused else [(name, "allow_pickle")]


def test_nothing_runs_data():
    assert len(SOURCES) > 150
    assert {found for path in SOURCES for found in found_in(path)} == ALLOWED


@pytest.mark.parametrize(
    "code",
    [
        "eval(x)",
        "import yaml",
        "from pickle import loads",
        "np.load(x)",
        "f(x, allow_pickle=True)",
        "pd.read_pickle(x)",
        "os.system(x)",
    ],
)
def test_the_search_finds_what_it_must(code, tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "bad.py").write_text(code)
    assert list(found_in(tmp_path / "bad.py"))


def test_templates_escape_everything():
    """Autoescape is on, and markup is trusted only where it was made here."""
    from metaeval.reporting.html import _environment

    assert _environment().autoescape is True
    trusted = {
        path.name
        for path in ROOT.glob("metaeval/reporting/templates/*.html")
        if "| safe" in (text := path.read_text(encoding="utf-8")) or "|safe" in text
    }
    assert trusted == set()
