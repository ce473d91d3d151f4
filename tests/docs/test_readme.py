"""The README's Python runs, and its commands are commands."""

import re
from pathlib import Path

import pytest

from tests.cli.command import metaeval

TEXT = (Path(__file__).parents[2] / "README.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", TEXT, flags=re.DOTALL)


@pytest.mark.parametrize("code", blocks("python"))
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
            for block in blocks("sh")
            for line in block.splitlines()
            if line.startswith("metaeval ")
        }
    ),
)
def test_commands_exist(name):
    assert metaeval(name, "--help").returncode == 0
