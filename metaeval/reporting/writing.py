"""Pages as files: whole or not at all, and an earlier page may be replaced."""

from __future__ import annotations

from pathlib import Path

from metaeval.errors import InputError
from metaeval.files import whole_file
from metaeval.reporting.export import make_folder
from metaeval.reporting.html import render_page
from metaeval.reporting.page import Page

_GENERATOR = '<meta name="generator" content="metaeval'


def write_page(page: Page, path: Path, force: bool = False) -> None:
    """Write a page; an earlier one may be replaced without being asked."""
    make_folder(path.parent)
    with whole_file(path, force or is_report(path)) as temporary:
        temporary.write_text(render_page(page), encoding="utf-8")


def check_page(path: Path, force: bool = False) -> None:
    """Complain, before the work and not after it, if a page cannot go there."""
    if path.exists() and not force and not is_report(path):
        raise InputError(f"{path}: exists already and is no report; --force overwrites it")


def is_report(path: Path) -> bool:
    """Whether a file is a page that was written here."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return _GENERATOR in file.read(4096)
    except OSError:
        return False
