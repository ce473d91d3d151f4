"""Runs the command line as users do: a process, its output, its exit code."""

import subprocess
import sys


def metaeval(*arguments, **options):
    """The finished process of `metaeval ARGUMENTS`."""
    return subprocess.run(
        [sys.executable, "-m", "metaeval", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        **options,
    )


def refused(*arguments, **options):
    """The one sentence of a command that must be refused with exit code 2."""
    done = metaeval(*arguments, **options)
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, lines
    return lines[0]
