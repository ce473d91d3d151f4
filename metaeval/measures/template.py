"""A file to start from for a metric of one's own."""

from __future__ import annotations

import ast
import keyword
import re
import sys
from importlib.resources import files
from pathlib import Path

from metaeval.errors import InputError
from metaeval.files import whole_file
from metaeval.measures.registry import definitions

NAME = "my_metric"  # as the template calls it


def write_template(path: Path, force: bool = False) -> str:
    """Write the template with the file's name as the metric's key, which is returned."""
    name = path.stem
    if path.suffix != ".py":
        raise InputError(f"{path}: a metric is a Python file; expected a name such as {NAME}.py")
    if not re.fullmatch(r"[a-z_][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise InputError(
            f"{path}: the file names the metric, so {name!r} must be a lower-case Python name, "
            f"such as {NAME}.py"
        )
    text = files(__package__).joinpath("templates", f"{NAME}.py.txt").read_text(encoding="utf-8")
    if name in definitions():
        raise InputError(f"{path}: there is a metric {name!r} already; choose another name")
    if name in _names(text) - {NAME} or name in sys.stdlib_module_names:
        raise InputError(f"{path}: {name!r} means something else already; choose another name")
    with whole_file(path, force) as temporary:
        temporary.write_text(re.sub(rf"\b{NAME}\b", name, text), encoding="utf-8")
    return name


def _names(text: str) -> set[str]:
    """Names that a function of the same name would hide, or be hidden by."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found |= {node.name, node.asname or node.name}
    return found
