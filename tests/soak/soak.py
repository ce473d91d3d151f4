"""python -m tests.soak.soak --minutes 30: random commands and API calls in a loop.

Half of the actions are commands in processes of their own, as users run them, the other half calls
within this process, where a leak would show. A failure is an exit code other than 0, 1 or 2, a
traceback, an exception that is no complaint about input, a result that a kill left half-written,
or memory of this process that keeps growing. Ends with a table (and JSON), exit code 1 on failure.
"""

import argparse
import contextlib
import gc
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

import generators
import metaeval as me
from metaeval.reporting.tables import render
from tests.cli.command import metaeval as in_process
from tests.fuzz import campaign
from tests.fuzz.seeds import MATRICES, METRIC, OUTPUTS, SEEDS, labels
from tests.matrices import random_stack

GROWTH = 40 << 20  # bytes between the second and the last quarter of the time


@dataclass
class Tally:
    """What came of one kind of action."""

    runs: int = 0
    failures: int = 0
    seconds: list = field(default_factory=list)
    peak: int = 0


class Soak:
    """A folder of files, the actions on them, and what came of it."""

    def __init__(self, folder, seed):
        self.folder = Path(folder)
        self.random = random.Random(seed)
        self.rng = np.random.default_rng(seed)
        self.tallies = {}
        self.failures = []
        self.memory = []
        for suffix, make in SEEDS.items():
            (self.folder / f"seed{suffix}").write_bytes(make(np.random.default_rng(1)))
        labels(np.random.default_rng(2), 400).to_csv(self.folder / "table.csv", index=False)
        (self.folder / "outputs.toml").write_text(OUTPUTS)
        (self.folder / "pairs.toml").write_text(MATRICES)
        (self.folder / "metric.py").write_text(METRIC)

    # --- commands

    def words(self):
        """A random command; where it writes, if it does."""
        pick = self.random.choice
        form = ["-f", pick(["table", "json", "csv", "latex"])]
        out = self.folder / f"out{self.random.randint(0, 3)}"
        seed = str(self.random.randint(0, 9))
        table = pick(["table.csv", "seed.csv", "seed.tsv", "seed.jsonl", "seed.parquet"])
        matrices = pick(["seed.json", "seed.npy", "seed.npz"])
        few = ["-m", "mae", "-m", "cem_ord", "-m", "oc(beta=0.75)"]
        return pick(
            [
                (["score", table, *pick([[], few]), *form], None),
                (["score", matrices, *pick([[], few]), *form], None),
                (["evaluate", table, *few, "--replicates", "20", "--seed", seed, *form], None),
                (["evaluate", table, *few, "--replicates", "9", "--force", "-o", out], out),
                (["agree", "seed.json", *few, *form], None),
                (["agree", "--pairs", "200", *few, "--seed", seed, *form], None),
                (["generate", "proximity", "--cases", "9", "--seed", seed, "-o", "-"], None),
                (["generate", "dispersed", "--seed", seed, "--force", "-o", f"{out}.npz"], None),
                (["study", pick(["outputs.toml", "pairs.toml"]), "--force", "-o", out], out),
                (["check", "metric.py:mae", "-p", "identity", "--max-items", "2", *form], None),
                (["check", pick(["mae", "mcc", "oc"]), "--max-items", "3", *form], None),
                (["check", "mae", "--require", "boundedness,symmetry", "--max-items", "2"], None),
                ([pick(["metrics", "properties", "studies"]), *form], None),
                (["reproduce", "000-table1", *form], None),
                (["score", "no-such-file.csv"], None),
                (["score", table, "-m", "no_such_metric"], None),
            ]
        )

    def start(self, words, errors):
        """A command in a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "metaeval", *map(str, words)],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )

    def command(self):
        words, _ = self.words()
        with tempfile.TemporaryFile() as errors:
            process = self.start(words, errors)
            peak = _watch(process)
            errors.seek(0)
            said = errors.read().decode(errors="replace")
        if process.returncode not in (0, 1, 2) or "Traceback" in said:
            raise AssertionError(f"{words}: exit code {process.returncode}: {said[-500:]}")
        return words[0], peak

    def kill(self):
        """A command that writes a folder is killed; what is there must be whole."""
        words, out = self.words()
        while out is None:
            words, out = self.words()
        process = self.start(words, subprocess.DEVNULL)
        time.sleep(self.random.uniform(0.0, 4.0))
        process.kill()
        process.wait()
        if out.exists():
            listed = json.loads((out / "provenance.json").read_text())["files"]
            found = {path.name for path in out.iterdir()} - {"provenance.json"}
            if found != set(listed):
                raise AssertionError(f"{words}: {out} is not whole after a kill")
        return "kill -9", 0

    # --- calls within this process

    def api(self):
        classes = self.random.randint(2, 9)
        stack = random_stack(self.rng, self.random.randint(1, 3000), classes)
        frame = me.score(stack)
        gold, output = self.rng.integers(0, classes, (2, 50, 80))
        me.metric("mae").from_labels(gold, output, classes)
        index = pd.MultiIndex.from_product([range(4), range(5)], names=["case", "system"])
        scores = me.score(random_stack(self.rng, 20, 4), ["mae", "accuracy", "kendall_tau_a"])
        scores.index = index
        me.coverage(scores, reference=["accuracy", "kendall_tau_a"], replicates=10)
        me.robustness(scores, replicates=10)
        generators.matrices("dispersed", count=200, rng=self.rng)
        render(frame, self.random.choice(["table", "json", "csv", "latex"]))
        return "me.score, me.coverage, ...", 0

    def evaluation(self):
        found = me.evaluate(
            labels(self.rng, 120), metrics=["mae", "cem_ord", "accuracy"], replicates=20
        )
        assert len(found.leaderboard) == 9
        return "me.evaluate", 0

    def check(self):
        me.check(self.random.choice(["mae", "accuracy", "oc"]), max_items=3, samples=50)
        return "me.check", 0

    def fuzz(self):
        """A malformed file through the command line, in this process."""
        rng = np.random.default_rng(self.random.getrandbits(32))
        suffix, data = campaign.malformed(rng)
        path = self.folder / f"fuzz{suffix}"
        path.write_bytes(data)
        words = campaign.command(suffix, path, self.folder / "fuzzed", rng)
        if suffix != ".py" and not campaign.is_costly(words, rng):
            done = in_process(*words, *(["--force"] if words[0] in ("study", "generate") else ()))
            if done.returncode not in (0, 2) or "Traceback" in done.stderr:
                raise AssertionError(f"{words}: exit code {done.returncode}: {done.stderr[-500:]}")
        return "malformed file", 0

    # --- the loop

    def step(self):
        actions = {
            self.command: 10,
            self.kill: 1,
            self.api: 6,
            self.evaluation: 3,
            self.check: 2,
            self.fuzz: 12,
        }
        action = self.random.choices(list(actions), list(actions.values()))[0]
        start = time.perf_counter()
        name, peak = action.__name__, 0
        try:
            name, peak = action()
        except BaseException as problem:
            if isinstance(problem, KeyboardInterrupt):
                raise
            self.failures.append(f"{name}: {type(problem).__name__}: {problem}"[:800])
            self.tallies.setdefault(name, Tally()).failures += 1
        tally = self.tallies.setdefault(name, Tally())
        tally.runs += 1
        tally.seconds.append(time.perf_counter() - start)
        tally.peak = max(tally.peak, peak)
        gc.collect()
        self.memory.append(_resident(os.getpid()))

    def growth(self):
        """Bytes by which the last quarter of the time is above the second one."""
        quarter = len(self.memory) // 4
        if quarter < 10:
            return 0
        second = statistics.median(self.memory[quarter : 2 * quarter])
        return int(statistics.median(self.memory[-quarter:]) - second)

    def summary(self):
        rows = {
            name: {
                "runs": tally.runs,
                "failures": tally.failures,
                "mean s": statistics.mean(tally.seconds),
                "max s": max(tally.seconds),
                "peak MiB": tally.peak >> 20,
            }
            for name, tally in sorted(self.tallies.items())
        }
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("action")


def _watch(process):
    """The most memory that a process and its children hold together, asked for while it runs."""
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(map(_resident, [process.pid, *_children(process.pid)])))
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
    return peak


def _children(pid):
    try:
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [child for name in found for child in (int(name), *_children(int(name)))]


def _resident(pid):
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.soak.soak")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="where the figures go")
    given = parser.parse_args()
    os.environ["METAEVAL_NO_PLUGINS"] = "1"
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(folder, given.seed)
        told = 0
        while time.monotonic() - start < 60 * given.minutes:
            soak.step()
            minute = int((time.monotonic() - start) / 60)
            if minute > told:
                told = minute
                held = soak.memory[-1] >> 20
                words = f"minute {minute}: {len(soak.memory)} actions, {held} MiB"
                print(f"{words}, {len(soak.failures)} failures", file=sys.stderr, flush=True)
        growth = soak.growth()
        figures = {
            "minutes": given.minutes,
            "seed": given.seed,
            "actions": len(soak.memory),
            "failures": soak.failures,
            "memory_mib": [held >> 20 for held in soak.memory[:: max(1, len(soak.memory) // 20)]],
            "growth_mib": growth / 2**20,
            "flat": growth < GROWTH,
            "by_action": json.loads(render(soak.summary(), "json")),
        }
    print(render(soak.summary(), "table", title=f"{figures['actions']} actions", digits=2))
    print(f"memory of this process, MiB: {figures['memory_mib']}")
    print(f"growth from the second to the last quarter: {figures['growth_mib']:.1f} MiB")
    for failure in soak.failures:
        print(failure)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 1 if soak.failures or not figures["flat"] else 0


if __name__ == "__main__":
    sys.exit(main())
