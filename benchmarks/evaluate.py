"""How long does an evaluation of users' own outputs take, and how much memory does it need?

python benchmarks/evaluate.py [--jobs 2] [--json FILE]

Each row is a process of its own, so that its peak memory is its own; the time is that of reading
the file and evaluating it under every metric, without starting Python.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# This folder has a generators.py of its own, which must not hide the package.
sys.path[:] = [
    p for p in sys.path if os.path.abspath(p) != os.path.dirname(os.path.abspath(__file__))
]

import numpy as np
import pandas as pd

# Name, systems, items, cases, resamples, kind of file, most seconds allowed.
RUNS = [
    ("a shared task", 40, 5_000, 25, 1000, "csv", 30),
    ("the same, 11 classes", 40, 5_000, 25, 1000, "csv", None),
    ("many items", 100, 100_000, 25, 0, "csv", 10),
    ("many items", 100, 100_000, 25, 0, "parquet", 10),
    ("many items", 100, 100_000, 25, 0, "jsonl", None),
    ("many items, quoted", 100, 100_000, 25, 0, "quoted.csv", None),
    ("many items", 100, 100_000, 25, 100, "csv", None),
]

TIMED = r"""
import json, re, sys, time
from metaeval.evaluation.evaluating import evaluate
path, replicates, jobs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
start = time.perf_counter()
evaluate(path, replicates=replicates, jobs=jobs)
used = time.perf_counter() - start
# The high-water mark of this program alone: getrusage would count the parent before exec.
peak = re.search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())
print(json.dumps([used, int(peak[1]) / 1024]))
"""


def table(systems, items, cases, classes):
    """Judges from good to bad: right, or a few classes off."""
    rng = np.random.default_rng(1)
    gold = np.clip(np.rint(rng.normal(classes / 2, classes / 5, items)), 1, classes).astype(int)
    columns = {"gold": gold, "case": np.arange(items) % cases}
    for number in range(systems):
        hit = rng.random(items) < 0.1 + 0.7 * number / systems
        columns[f"s{number}"] = np.where(
            hit, np.clip(gold + rng.integers(-2, 3, items), 1, classes), gold
        )
    return pd.DataFrame(columns)


def write(frame, path):
    """By the kind of file."""
    if path.name.endswith("quoted.csv"):
        frame.astype(str).to_csv(path, index=False, quoting=1)
    elif path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_parquet(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = []
    for name, systems, items, cases, replicates, kind, allowed in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"table.{kind}"
            write(table(systems, items, cases, 11 if "11" in name else 5), path)
            command = [sys.executable, "-c", TIMED, str(path), str(replicates), str(options.jobs)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        seconds, memory = json.loads(done.stdout)
        rows.append(
            {
                "table": name,
                "systems": systems,
                "items": items,
                "resamples": replicates,
                "file": kind,
                "seconds": round(seconds, 1),
                "allowed": allowed,
                "MiB": round(memory),
            }
        )
    frame = pd.DataFrame(rows).astype({"allowed": "Int64"})
    print(frame.to_string(index=False, na_rep="-"))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
