"""Finished work is kept, another study is refused, damage is repaired."""

import resource

import numpy as np
import pytest

from metaeval.errors import InputError
from metaeval.execution import Execution, run
from metaeval.execution.checkpoint import Checkpoint
from tests.cli.command import metaeval, refused
from tests.execution.processes import Command

AGREE = ["agree", "-m", "mae", "-m", "amae", "--set", "accuracy=0.6", "--pairs", "40000"]


def units_of(folder):
    return sorted(folder.glob("*/*.npz"))


def counted(folder, identity=None):
    """A job of ten units, and which of them had to be computed."""
    done = []

    def work(unit):
        done.append(unit)
        return {"a": np.arange(unit), "b": np.array(unit / 3)}

    how = Execution(1, checkpoint=Checkpoint(folder, identity or {"seed": 1}))
    found = [(r["a"].tobytes(), r["b"].tobytes()) for r in run(work, range(10), how)]
    return found, done


def test_finished_units_are_not_computed_again(tmp_path):
    first, done = counted(tmp_path / "new" / "folder")
    assert done == list(range(10))
    again, done = counted(tmp_path / "new" / "folder")
    assert again == first
    assert done == []


def test_damaged_units_are_computed_again(tmp_path):
    first, _ = counted(tmp_path)
    files = units_of(tmp_path)
    files[1].write_bytes(b"")
    files[3].write_bytes(files[3].read_bytes()[:200])
    damaged = bytearray(files[5].read_bytes())
    damaged[len(damaged) // 3] ^= 255
    files[5].write_bytes(damaged)
    files[7].unlink()
    (files[0].parent / "0000009.npz.1.unfinished").write_bytes(b"half")
    again, done = counted(tmp_path)
    assert again == first
    assert set(done) >= {1, 3, 7}
    assert set(done) <= {1, 3, 5, 7}
    assert not list(tmp_path.rglob("*.unfinished"))


def test_an_array_with_a_pickle_is_not_read(tmp_path):
    first, _ = counted(tmp_path)
    np.savez(units_of(tmp_path)[4], a=np.array([{}], dtype=object))
    again, done = counted(tmp_path)
    assert again == first
    assert done == [4]


def test_another_study_is_refused(tmp_path):
    counted(tmp_path)
    with pytest.raises(InputError, match="another study: seed is 1 there and 2 here"):
        counted(tmp_path, {"seed": 2})
    with pytest.raises(InputError, match="other is null there and 2 here"):
        counted(tmp_path, {"other": 2})
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(InputError, match="not the manifest"):
        counted(tmp_path)
    (tmp_path / "manifest.json").unlink()
    with pytest.raises(InputError, match="is no checkpoint"):
        counted(tmp_path)


def test_the_same_command_continues_and_another_is_refused(tmp_path):
    folder = tmp_path / "kept"
    expected = metaeval(*AGREE).stdout
    assert metaeval(*AGREE, "--checkpoint", folder).stdout == expected
    before = {path: path.stat().st_mtime_ns for path in units_of(folder)}
    assert len(before) > 3
    lost = next(iter(before))
    lost.unlink()
    assert metaeval(*AGREE, "--checkpoint", folder, "--jobs", "2").stdout == expected
    after = {path: path.stat().st_mtime_ns for path in units_of(folder)}
    assert {path for path in before if before[path] != after[path]} == {lost}
    said = refused(*AGREE, "--checkpoint", folder, "--seed", "4")
    assert "another study" in said
    assert "seed is 0 there and 4 here" in said
    assert "command" in refused("study", "quick", "-o", tmp_path / "s", "--checkpoint", folder)


def test_a_changed_file_is_another_study(tmp_path):
    matrices = tmp_path / "m.json"
    matrices.write_text("[[[4,1],[0,5]],[[3,2],[1,4]]]")
    assert metaeval("agree", matrices, "--checkpoint", tmp_path / "c").returncode == 0
    matrices.write_text("[[[4,1],[0,5]],[[3,2],[1,9]]]")
    assert "m.json" in refused("agree", matrices, "--checkpoint", tmp_path / "c")


@pytest.mark.parametrize(
    "command",
    [
        ["study", "quick", "--replicates", "20", "-f", "csv"],
        ["study", "paper-000-tridiagonal"],
        ["check", "mae", "accuracy", "-p", "identity", "-f", "json"],
    ],
)
def test_every_command_gives_the_same_from_its_checkpoint(command, tmp_path):
    def once(place, *more):
        out = ["-o", tmp_path / place] if command[0] == "study" else []
        done = metaeval(*command, *out, *more)
        assert done.returncode == 0, done.stderr
        files = sorted((tmp_path / place).glob("*.csv")) if out else []
        return [path.read_bytes() for path in files] or [done.stdout]

    expected = once("a")
    assert once("b", "--checkpoint", tmp_path / "c") == expected
    stored = units_of(tmp_path / "c")
    for path in stored[::2]:
        path.unlink()
    assert once("d", "--checkpoint", tmp_path / "c", "--jobs", "2") == expected
    assert units_of(tmp_path / "c") == stored


def test_a_full_disk_keeps_what_is_stored(tmp_path):
    # One metric more can score four classes, so that the second unit is larger than the first.
    command = ["agree", "--family", "dispersed", "--set", "classes=5,4", "--set", "items=20"]
    command += ["--pairs", "500", "-f", "csv"]
    expected = metaeval(*command, "--checkpoint", tmp_path / "measured").stdout
    small, large = (path.stat().st_size for path in units_of(tmp_path / "measured"))
    assert small < large

    def full():
        resource.setrlimit(resource.RLIMIT_FSIZE, (small, small))

    command += ["--checkpoint", "kept"]
    code, out, err = Command(*command, cwd=tmp_path, limit=full).end()
    assert (code, out) == (2, "")
    assert "cannot be written: File too large" in err
    assert "the same command continues" in err
    assert len(err.strip().splitlines()) == 1
    (kept,) = units_of(tmp_path / "kept")
    at = kept.stat().st_mtime_ns
    assert not list((tmp_path / "kept").rglob("*.unfinished"))
    code, out, _ = Command(*command, cwd=tmp_path).end()
    assert (code, out) == (0, expected)
    assert kept.stat().st_mtime_ns == at
