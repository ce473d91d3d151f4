"""The README's Python runs, and its commands are commands."""

import pytest

from tests.cli.command import metaeval
from tests.docs.pages import ROOT, blocks

BLOCKS = blocks((ROOT / "README.md").read_text(encoding="utf-8"))


def code_in(language):
    return [block.code for block in BLOCKS if block.language == language]


@pytest.mark.parametrize("code", code_in("python"))
def test_python_blocks_run(code):
    exec(compile(code, "README.md", "exec"), {})


def test_the_values_in_the_comments_are_true():
    import metaeval as me

    assert me.metric("mae")([[4, 1], [0, 5]]) == 0.1


@pytest.mark.parametrize(
    "name",
    sorted(
        {
            line.split()[1]
            for block in code_in("sh")
            for line in block.splitlines()
            if line.startswith("metaeval ")
        }
    ),
)
def test_commands_exist(name):
    assert metaeval(name, "--help").returncode == 0
