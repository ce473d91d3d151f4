"""benchmarks/README.md has figures of every script, and refreshing it replaces figures alone."""

import importlib.util
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
PAGE = "# Page\n\n```sh\n{command}\n```\n\n```text\nold\n```\n\nMore words.\n"


@pytest.fixture
def refresh():
    spec = importlib.util.spec_from_file_location("refresh", FOLDER / "refresh.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_script_has_its_figures(refresh):
    commands = [match["command"] for match in refresh.BLOCK.finditer(refresh.PAGE.read_text())]
    for script in FOLDER.glob("*.py"):
        if script.name != "refresh.py":
            assert any(f"benchmarks/{script.name}" in command for command in commands), script.name
    assert "python -m metaeval bench" in commands


@pytest.mark.parametrize(
    ("command", "figures", "code"),
    [("echo new | tail -n 1", "new", None), ("echo new; exit 3", "old", "echo new; exit 3: no")],
)
def test_figures_are_replaced_unless_the_command_fails(
    refresh, tmp_path, monkeypatch, command, figures, code
):
    page = tmp_path / "README.md"
    page.write_text(PAGE.format(command=command))
    monkeypatch.setattr(refresh, "PAGE", page)
    monkeypatch.setattr(sys, "argv", ["refresh.py"])
    with pytest.raises(SystemExit) as end:
        refresh.main()
    assert (end.value.code or "")[:20] == (code or "")
    assert page.read_text() == PAGE.format(command=command).replace("old", figures)
