"""Malformed files through the command line, in this process: what must never happen."""

import contextlib
import hashlib
import io
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from unittest import mock

import numpy as np
import typer

from metaeval.cli import app, main
from metaeval.reporting.given import read_given
from tests.fuzz.mutators import ANY
from tests.fuzz.seeds import SEEDS
from tests.fuzz.shapes import SHAPES

SECONDS, WAIT = 10.0, 60.0  # an input: of work, and until it is cut off
GROWTH = 1 << 30  # bytes of memory an input
ADDRESSES = 6 << 30  # bytes of address space; no input may bring the machine down
LONGEST = 2_000  # characters of a complaint

LABELS = (".csv", ".tsv", ".jsonl", ".parquet")
# How often each kind of file is tried; a Python file costs processes.
SHARES = {
    ".csv": 26,
    ".tsv": 7,
    ".jsonl": 14,
    ".json": 14,
    ".npy": 10,
    ".npz": 10,
    ".parquet": 8,
    ".toml": 10,
    ".py": 1,
}
FOLDERS = ("cwd", "tmp", "in", "out")
# Of files that a report can be made of, so many are: a page takes seconds.
PAGES = 0.002


class OvertimeError(BaseException):
    """No `except Exception` may swallow it."""


@dataclass
class Result:
    """What came of a campaign."""

    tried: Counter = field(default_factory=Counter)
    codes: Counter = field(default_factory=Counter)
    failures: list = field(default_factory=list)
    slowest: tuple = (0.0, "")

    def lines(self):
        yield f"{sum(self.tried.values())} inputs, {len(self.failures)} failures"
        yield "by exit code: " + ", ".join(f"{c}: {n}" for c, n in sorted(self.codes.items()))
        yield "by command: " + ", ".join(f"{c}: {n}" for c, n in sorted(self.tried.items()))
        yield f"slowest: {self.slowest[0]:.2f} s ({self.slowest[1]})"


def malformed(rng):
    """The suffix of a file and its content."""
    suffixes = list(SHARES)
    weights = np.array([SHARES[suffix] for suffix in suffixes], dtype=float)
    suffix = suffixes[rng.choice(len(suffixes), p=weights / weights.sum())]
    shaped = rng.random() < 0.5
    if shaped:
        make = SHAPES[suffix][rng.integers(len(SHAPES[suffix]))]
        data = make(rng, "\t" if suffix == ".tsv" else ",")
    else:
        data = SEEDS[suffix](rng)
    # Little damage goes deeper: the more there is, the sooner a reader gives up.
    for _ in range(rng.random() < 0.15 if shaped else rng.choice([1, 1, 1, 2, 3])):
        data = ANY[rng.integers(len(ANY))](data, rng)
    return suffix, data


def command(suffix, path, out, rng):
    """The words of a command that reads the file."""
    if suffix == ".toml":
        word = rng.choice(["study", "study", "study", "generate", "report"])
        if word == "generate":
            return ["generate", "study", path, "--out", out]
        if word == "report":
            return ["report", "--study", path, "--out", out / "page.html", "-j", "1"]
        return ["study", path, "--out", out]
    if suffix == ".py":
        return ["check", f"{path}:mae", "-p", "identity", "--max-items", "1", "--jobs", "1"]
    form = ["-f", str(rng.choice(["table", "json", "csv", "latex"]))]
    chosen = ["-m", "mae", "-m", "cem_ord"] if rng.random() < 0.8 else []
    words = ["score", "score", "agree", "report"]
    if suffix in LABELS:
        words = ["score", "score", "evaluate", "evaluate", "report"]
    if rng.random() < 0.02:
        words = ["agree", "evaluate"]  # files of the wrong kind
    word = str(rng.choice(words))
    scale = ["--classes", "1,2,3,4"] if suffix in LABELS and rng.random() < 0.5 else []
    if word == "agree":
        return ["agree", path, *chosen, *form]
    if word == "report":
        return ["report", "--data", path, "--out", out / "page.html", *chosen, "-j", "1", *scale]
    if word == "evaluate":
        missing = ["--missing", str(rng.choice(["drop", "wrong"]))] if rng.random() < 0.5 else []
        clip = ["--clip"] if scale and rng.random() < 0.5 else []
        few = ["--replicates", "3", "--partitions", "2"]
        return ["evaluate", path, *chosen, *few, *form, *scale, *missing, *clip]
    return ["score", path, *chosen, *form, *scale]


def is_costly(words, rng):
    """Whether a report would be made, which takes long; most of these are left out."""
    if words[0] != "report":
        return False
    if "--study" in words:
        return True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read_given(
                words[2], words[words.index("--classes") + 1] if "--classes" in words else None
            )
    except Exception:
        return False
    return rng.random() >= PAGES


def run(words):
    """Exit code, bytes on stdout, text on stderr, warnings: as a terminal would get them."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    code = 0
    with (
        mock.patch("metaeval.cli.app", _command()),
        mock.patch.object(sys, "argv", ["metaeval", *map(str, words)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        warnings.catch_warnings(record=True) as warned,
    ):
        warnings.simplefilter("default")
        for quiet in (
            DeprecationWarning,
            PendingDeprecationWarning,
            ImportWarning,
            ResourceWarning,
        ):
            warnings.simplefilter("ignore", quiet)
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    return code, out.buffer.getvalue(), err.buffer.getvalue().decode("utf-8"), warned


@lru_cache(maxsize=1)
def _command():
    """The command line, put together once: that takes longer than most inputs."""
    return typer.main.get_command(app)


def complaints(words, out):
    """Run one command; what is wrong with how it went."""
    start, before = time.process_time(), _memory()
    signal.setitimer(signal.ITIMER_REAL, WAIT)
    try:
        code, stdout, stderr, warned = run(words)
    except OvertimeError:
        return None, f"did not end within {WAIT} s"
    except BaseException as problem:
        return None, f"{type(problem).__name__}: {problem}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    seconds, growth = time.process_time() - start, _memory() - before
    text = stdout.decode("utf-8")
    control = [c for c in set(text + stderr) - {"\n"} if not c.isprintable() and ord(c) < 0xA0]
    return code, "; ".join(
        said
        for wrong, said in (
            (code not in (0, 2), f"exit code {code!r}"),
            (code == 2 and stdout, f"{len(stdout)} bytes on stdout beside an error"),
            (
                code == 2 and not _one_sentence(stderr, words[0] == "check"),
                f"stderr: {stderr[:80]}",
            ),
            (len(stderr) > LONGEST, f"{len(stderr)} characters on stderr"),
            (code == 0 and stderr, f"stderr on success: {stderr[:80]!r}"),
            (code == 2 and out.exists() and any(out.iterdir()), "output of a refused input"),
            (control and "csv" not in words and words[0] != "check", f"control {control}"),
            (warned and words[0] != "check", f"warning: {warned[0].message if warned else ''}"),
            # A page is made of a sound file only, and takes its time.
            (seconds > SECONDS and not (words[0] == "report" and code == 0), f"{seconds:.1f} s"),
            (growth > GROWTH, f"{growth >> 20} MiB more memory"),
        )
        if wrong
    )


def _one_sentence(stderr, own):
    """One line of metaeval's; before it a user's function may have printed its `own`."""
    lines = stderr.splitlines()
    return bool(lines) and (
        "metaeval: " in lines[-1] if own else lines[-1].startswith("metaeval: ") and len(lines) == 1
    )


def campaign(inputs, seed, keep=None, tell=lambda line: None):
    """Try so many inputs; `keep` is a folder for those that fail."""
    result = Result()
    signal.signal(signal.SIGALRM, _ring)
    number = 0
    with tempfile.TemporaryDirectory() as folder, _limited(), _elsewhere(Path(folder)):
        root = Path(folder)
        while sum(result.tried.values()) < inputs:
            rng = np.random.default_rng([seed, number])
            number += 1
            suffix, data = malformed(rng)
            path, out = root / "in" / f"input{suffix}", root / "out" / "result"
            path.write_bytes(data)
            words = command(suffix, path, out, rng)
            if is_costly(words, rng):
                path.unlink()
                continue
            start = time.perf_counter()
            code, wrong = complaints(words, out)
            seconds = time.perf_counter() - start
            litter = _litter(root, path, data)
            said = "; ".join([wrong, *litter] if wrong else litter)
            result.tried[words[0]] += 1
            result.codes[str(code)] += 1
            name = f"{seed}-{number - 1} {words[0]} {suffix}"
            result.slowest = max(result.slowest, (seconds, name))
            if said:
                result.failures.append((name, said))
                tell(f"{name}: {said}")
                if keep is not None:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"{seed}-{number - 1}-{words[0]}{suffix}").write_bytes(data)
            if sum(result.tried.values()) % 1000 == 0:
                tell(f"... {next(result.lines())}")
    return result


def _litter(root, path, data):
    """Remove what a command left; complain about all but its named output."""
    found = [] if path.read_bytes() == data else ["the input was changed"]
    path.unlink()
    shutil.rmtree(root / "in" / "__pycache__", ignore_errors=True)  # Python's own, for file.py
    named = root / "out" / "result"
    found += [f"wrote {p.relative_to(root)}" for f in FOLDERS for p in (root / f).iterdir()]
    found = [said for said in found if said != f"wrote {named.relative_to(root)}"]
    for name in FOLDERS:
        shutil.rmtree(root / name)
        (root / name).mkdir()
    os.chdir(root / "cwd")
    return found


@contextlib.contextmanager
def _elsewhere(root):
    """Work in an empty folder, with another for temporary files, to see what is written."""
    before = os.getcwd()
    for name in FOLDERS:
        (root / name).mkdir()
    os.chdir(root / "cwd")
    try:
        with mock.patch.object(tempfile, "tempdir", str(root / "tmp")):
            yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _limited():
    """Address space with an end."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _memory():
    """The most that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def _ring(signum, frame):
    raise OvertimeError


def digest(seed, inputs):
    """The inputs of a campaign as one number: same seed, same inputs."""
    found = hashlib.sha256()
    for number in range(inputs):
        suffix, data = malformed(np.random.default_rng([seed, number]))
        found.update(suffix.encode() + data)
    return found.hexdigest()
