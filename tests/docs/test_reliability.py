"""The table of promises: every row names tests, and they all exist."""

import ast
import re
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reliability.md"


def rows():
    """Promise and tests of every row of the page's tables."""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("|") and not re.match(r"\|(-+\||\s*Promise)", line):
            promise, tests = (cell.strip() for cell in line.strip("|").split("|"))
            yield promise, re.findall(r"`([^`]+)`", tests)


@lru_cache
def named_in(path):
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    found = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {name for name in found if name.startswith("test_")}


def test_every_promise_has_a_test_that_exists():
    found = list(rows())
    assert len(found) > 25
    for promise, tests in found:
        assert tests, promise
        for name in tests:
            path, _, function = name.partition("::")
            assert (ROOT / path).is_file(), name
            assert function in named_in(path), name


def test_no_promise_is_made_twice():
    promises = [promise for promise, _ in rows()]
    assert len(set(promises)) == len(promises)
