"""How long does it take to start?

python benchmarks/startup.py [--repeats 15] [--json FILE]

Every line is a fresh interpreter, best of several, the lines taking turns so that a busy moment
hits them alike. "beyond" is the time above that of Python alone or, where a target speaks of
what metaeval adds, above the import that the target names.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUN = "from metaeval.cli import main; import sys; sys.argv = ['metaeval', {words}]; main()"
# Name, program, and the most it may take: so many seconds beyond which other line.
LINES = {
    "python -c pass": ("pass", None, None),
    "import numpy": ("import numpy", None, None),
    "import pandas": ("import pandas", None, None),
    "import metaeval": ("import metaeval", 0.25, "import pandas"),
    "every public name": (
        "import metaeval as me; [getattr(me, name) for name in dir(me)]",
        None,
        None,
    ),
    "me.metric('mae')": ("import metaeval as me; me.metric('mae')", None, None),
    "metaeval --help": (RUN.format(words="'--help'"), 0.4, None),
    "metaeval score --help": (RUN.format(words="'score', '--help'"), None, None),
    "metaeval metrics": (RUN.format(words="'metrics'"), None, None),
}


def seconds(code, folder):
    """Of one fresh interpreter; from an empty folder, so that nothing there is imported."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    begin = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code],
        stdout=subprocess.DEVNULL,
        env=environment,
        cwd=folder,
        check=True,
    )
    return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    best = dict.fromkeys(LINES, float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        for code, _, _ in LINES.values():
            seconds(code, folder)  # writes the byte code, which is there from the second start on
        for _ in range(options.repeats):
            for name, (code, _, _) in LINES.items():
                best[name] = min(best[name], seconds(code, folder))
    empty, pandas = best["python -c pass"], best["import pandas"]
    rows = []
    print(f"{'start':24} {'seconds':>8} {'beyond Python':>14} {'of import pandas':>17}  target")
    for name, (_, allowed, base) in LINES.items():
        beyond = best[name] - empty
        share = beyond / (pandas - empty)
        target = ""
        if allowed is not None:
            above = best[name] - (best[base] if base else 0.0)
            words = f"{allowed} s" + (f" beyond {base}" if base else "")
            target = f"{words}: {'met' if above < allowed else 'MISSED'} ({above:+.3f})"
        print(f"{name:24} {best[name]:8.3f} {beyond:14.3f} {share:16.0%}   {target}".rstrip())
        rows.append({"start": name, "seconds": best[name], "share_of_pandas": share})
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
