"""Run the commands of benchmarks/README.md again and put what they print below them.

python benchmarks/refresh.py [WORD ...]

A command is a `sh` block that is followed by a `text` block. With words, only the commands that
contain one of them run. The file is written after every command; a command that fails leaves
its old figures and is named at the end.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE / "README.md"
BLOCK = re.compile(r"```sh\n(?P<command>[^\n]+)\n```\n\n```text\n(?P<output>.*?)```\n", re.DOTALL)


def run(command):
    """What a command prints, with this Python and this tree first, whatever is installed."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(HERE.parent)}
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        capture_output=True,
        text=True,
        env=environment,
        cwd=HERE.parent,
        check=False,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("words", nargs="*", metavar="WORD")
    words = parser.parse_args().words
    failed = []
    for command in [match["command"] for match in BLOCK.finditer(PAGE.read_text())]:
        if words and not any(word in command for word in words):
            continue
        print(command, end=" ", flush=True)
        begin = time.perf_counter()
        done = run(command)
        print(f"({time.perf_counter() - begin:.0f} s, exit code {done.returncode})", flush=True)
        if done.returncode:
            failed.append(f"{command}: {(done.stderr.strip() or 'no message').splitlines()[-1]}")
            continue
        # Read again: somebody may have edited the words while the command ran.
        text = PAGE.read_text()
        old = next(m for m in BLOCK.finditer(text) if m["command"] == command)
        printed = "\n".join(line.rstrip() for line in done.stdout.splitlines())
        PAGE.write_text(text[: old.start("output")] + printed + "\n" + text[old.end("output") :])
    raise SystemExit("\n".join(failed) or None)


if __name__ == "__main__":
    main()
