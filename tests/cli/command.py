"""Runs the command line and gives its output and exit code."""

import contextlib
import io
import subprocess
import sys
from unittest import mock

from metaeval.cli import main


def metaeval(*arguments):
    """`metaeval ARGUMENTS` within this process, which saves starting an interpreter each time."""
    out, err = io.StringIO(), io.StringIO()
    words = ["metaeval", *map(str, arguments)]
    code = 0
    with (
        mock.patch.object(sys, "argv", words),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


def in_a_process(*arguments):
    """The same as users run it."""
    command = [sys.executable, "-m", "metaeval", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def refused(*arguments, run=metaeval):
    """The one sentence of a command that must be refused with exit code 2."""
    done = run(*arguments)
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, lines
    return lines[0]
