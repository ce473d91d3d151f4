"""Full disks, folders that cannot be written to, kill -9: the old result or the whole new one."""

import json
import os
import random
import resource
import signal
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from metaeval.errors import InputError
from metaeval.files import whole_folder, write_frame, write_json
from metaeval.reporting.page import Page, Prose, Section
from metaeval.reporting.report import Report
from tests.cli.command import metaeval, refused
from tests.fuzz.seeds import OUTPUTS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits and signals of Linux")
KILLS = 40


@contextmanager
def full_disk(room=512):
    """No file can grow beyond so many bytes; Python turns the signal into an error."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(1, 4, (60, 5)), columns=["gold", *"abcd"])
    frame.to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "study.toml").write_text(OUTPUTS)
    return tmp_path / "table.csv"


FEW = ["-m", "mae", "-m", "cem_ord"]
WRITERS = {
    "generate.csv": ["generate", "proximity", "--cases", "9", "--force", "--out"],
    "generate.jsonl": ["generate", "proximity", "--cases", "9", "--force", "--out"],
    "generate.parquet": ["generate", "proximity", "--cases", "9", "--force", "--out"],
    "generate.npz": ["generate", "dispersed", "--force", "--out"],
    "generate.npy": ["generate", "dispersed", "--force", "--out"],
    "generate.json": ["generate", "dispersed", "--force", "--out"],
    "page.html": ["evaluate", "TABLE", *FEW, "--replicates", "0", "--force", "--out"],
    "evaluation": ["evaluate", "TABLE", *FEW, "--replicates", "0", "--force", "--out"],
    "study": ["study", "STUDY", "--force", "--out"],
    "generated-study": ["generate", "study", "STUDY", "--force", "--out"],
}


def words_of(name, table, out):
    given = {"TABLE": table, "STUDY": table.with_name("study.toml")}
    return [*(given.get(word, word) for word in WRITERS[name]), out]


def content(path):
    """All bytes of a file or folder, by name."""
    if path.is_dir():
        return {inner.name: inner.read_bytes() for inner in sorted(path.iterdir())}
    return path.read_bytes() if path.exists() else None


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_what_was_there(name, table, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    words = words_of(name, table, folder / name)
    with full_disk():
        said = refused(*words)
    assert "cannot be written: " in said
    assert "None" not in said
    assert list(folder.iterdir()) == []
    assert metaeval(*words).returncode == 0
    before = content(folder / name)
    assert before
    with full_disk():
        assert "cannot be written" in refused(*words)
    assert content(folder / name) == before
    assert [path.name for path in folder.iterdir()] == [name]


def test_a_report_on_a_full_disk(tmp_path):
    page = Page("T", "", [Section("s", "S", [Prose(paragraphs=["One."])])])
    report = Report(page, ("mae",))
    with full_disk(), pytest.raises(InputError, match="cannot be written"):
        report.write(tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_that_cannot_be_written_to(name, table, tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o555)
    if os.geteuid() == 0:
        folder = Path("/proc")  # root may write to the other
    said = refused(*words_of(name, table, folder / name))
    assert "cannot be written" in said
    assert "Traceback" not in said


def killed(work, moment):
    """Fork, let the child work until it is killed at a random moment."""
    child = os.fork()
    if child == 0:
        try:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            while True:
                work()
        finally:
            os._exit(1)
    time.sleep(moment)
    os.kill(child, signal.SIGKILL)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


def both(write, target):
    """The two results that a child writes in turn."""
    found = []
    for version in (0, 1):
        write(version)
        found.append(content(target))
    assert found[0] != found[1]
    return found


def alternate(write):
    versions = iter(lambda: random.randint(0, 1), None)
    return lambda: write(next(versions))


def write_rows(target):
    frames = [pd.DataFrame({"x": np.arange(20_000) * sign, "y": "text"}) for sign in (1, -1)]
    return lambda version: write_frame(frames[version], target, force=True)


def write_notes(target):
    return lambda version: write_json([version] * 50_000, target, force=True)


def write_files(target):
    def write(version):
        with whole_folder(target, force=True) as folder:
            names = [f"{n}.txt" for n in range(12)]
            for name in names:
                (folder / name).write_text(str(version) * 20_000)
            (folder / "provenance.json").write_text(json.dumps({"files": names}))

    return write


@pytest.mark.parametrize(
    ("make", "name"), [(write_rows, "t.csv"), (write_notes, "t.json"), (write_files, "t")]
)
def test_killed_while_writing(make, name, tmp_path):
    target = tmp_path / name
    write = make(target)
    versions = both(write, target)
    rng = random.Random(1)
    litter = 0
    for _ in range(KILLS):
        killed(alternate(write), rng.uniform(0.001, 0.04))
        assert content(target) in versions
        litter += len(list(tmp_path.iterdir())) - 1
    assert litter, "no kill came in the middle of writing"
    write(0)  # the next write removes what the killed ones left
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["generate.csv", "generate.npz", "evaluation", "generated-study"])
def test_killed_commands(name, table, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    target = folder / name
    words = words_of(name, table, target)

    def write(version):
        assert metaeval(*words, "--seed", str(version)).returncode == 0

    if name == "evaluation":
        words.remove("0")
        words[words.index("--replicates")] = "--replicates=2"
    versions = both(write, target)
    rng = random.Random(2)
    for _ in range(12):
        killed(alternate(write), rng.uniform(0.02, 0.3))
        assert content(target) in versions
    write(1)
    assert content(target) == versions[1]
    assert [path.name for path in folder.iterdir()] == [name]


def test_a_folder_whose_exchange_was_interrupted_comes_back(tmp_path, monkeypatch):
    """Where a system cannot swap two folders at once."""
    monkeypatch.setattr("metaeval.files._exchange", lambda *_: False)
    write = write_files(tmp_path / "t")
    versions = both(write, tmp_path / "t")
    child = os.fork()
    if child == 0:
        moved = Path.rename

        def stop_halfway(self, target):
            done = moved(self, target)
            if Path(target).name == "old":
                os.kill(os.getpid(), signal.SIGKILL)
            return done

        Path.rename = stop_halfway
        try:
            write(0)
        finally:
            os._exit(1)
    os.waitpid(child, 0)
    assert not (tmp_path / "t").exists()
    with pytest.raises(InputError, match="exists already"), whole_folder(tmp_path / "t"):
        pass
    assert content(tmp_path / "t") == versions[1]


def test_temporary_files_of_living_processes_are_left_alone(tmp_path):
    from metaeval.files import _prefix

    own = tmp_path / f"{_prefix(tmp_path / 't.json', os.getpid())}x.json"
    other = tmp_path / ".t.json.00000000-999999-x.json"  # of another machine
    for path in (own, other):
        path.write_text("")
    write_json([1], tmp_path / "t.json")
    assert own.exists()
    assert other.exists()
