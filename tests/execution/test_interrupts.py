"""Ctrl-C and kill -9 at any moment: nothing is left running, nothing half-written, all resumed."""

import random
import time

import numpy as np
import pytest

from tests.execution.processes import SLOW, Command, until

STUDY = ["agree", "-m", "slow.py:slow", "-m", "mae", "--pairs", "8192", "-f", "csv"]
STUDY += ["--set", "accuracy=0.6", "--set", "largest=0.5"]


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("expected")
    (folder / "slow.py").write_text(SLOW)
    code, out, err = Command(*STUDY, "--jobs", "2", cwd=folder).end()
    assert code == 0, err
    return out


@pytest.mark.parametrize("how", ["interrupt", "kill"])
def test_an_ended_run_is_resumed(how, expected, tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    kept = [*STUDY, "--jobs", "2", "--checkpoint", "kept"]

    def stored():
        return list((tmp_path / "kept").glob("*/*.npz"))

    running = Command(*kept, cwd=tmp_path)
    until(lambda: stored() or running.process.poll() is not None)
    time.sleep(random.uniform(0, 0.3))
    assert len(running.children()) >= 2  # the workers, and what tracks them
    getattr(running, how)()
    code, out, err = running.end()
    assert out == ""
    assert running.left() == []
    assert 1 <= len(stored()) < 8
    if how == "interrupt":
        assert code == 130
        assert "the same command continues from kept" in err
        assert "Traceback" not in err
        assert len(err.strip().splitlines()) == 1
        assert not list(tmp_path.rglob("*.unfinished"))
    before = {path: path.stat().st_mtime_ns for path in stored()}
    code, out, err = Command(*kept, cwd=tmp_path).end()
    assert (code, out) == (0, expected), err
    assert all(path.stat().st_mtime_ns == at for path, at in before.items())
    assert not list(tmp_path.rglob("*.unfinished"))


def test_an_interrupt_during_start_up_is_as_quiet(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    running = Command(*STUDY, "--jobs", "2", cwd=tmp_path)
    until(lambda: running.children() or running.process.poll() is not None)
    running.interrupt()
    code, out, err = running.end()
    assert (code, out) == (130, "")
    assert "with --checkpoint DIR finished work is kept" in err
    assert "Traceback" not in err
    assert running.left() == []


def test_a_streamed_file_appears_whole_or_not_at_all(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    rng = np.random.default_rng(0)
    np.save(tmp_path / "m.npy", rng.integers(1, 9, (5000, 3, 3)))
    command = ["score", "m.npy", "-m", "slow.py:slow", "-o", "s.csv", "--jobs", "2"]
    running = Command(*command, "--checkpoint", "kept", cwd=tmp_path)
    until(lambda: list(tmp_path.glob("kept/*/*.npz")) or running.process.poll() is not None)
    running.interrupt()
    assert running.end()[0] == 130
    assert running.left() == []
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {
        "m.npy",
        "slow.py",
        "kept",
    }
    assert Command(*command, "--checkpoint", "kept", cwd=tmp_path).end()[0] == 0
    assert Command(*command[:5], "t.csv", "--jobs", "1", cwd=tmp_path).end()[0] == 0
    assert (tmp_path / "s.csv").read_bytes() == (tmp_path / "t.csv").read_bytes()
