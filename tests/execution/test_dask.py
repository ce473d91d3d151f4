"""A dask cluster on this machine: the same bytes as here, also when a worker is killed."""

import os
import re
import signal
import time

import numpy as np
import pytest

import metaeval as me
from metaeval.errors import InputError
from metaeval.execution import Execution, backends, run
from metaeval.execution.checkpoint import Checkpoint
from metaeval.measures import registry
from tests.cli.command import metaeval
from tests.execution.processes import SLOW, Command, until

pytest.importorskip("distributed", reason="the extra metaeval[distributed] is not installed")


class Cluster:
    """A scheduler and two worker processes on free ports of the loopback interface."""

    def __init__(self, folder):
        self.folder = folder
        self.address = ""
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
        self.scheduler = Command(*options, cwd=folder, module="distributed.cli.dask_scheduler")
        for line in self.scheduler.process.stderr:
            if found := re.search(r"Scheduler at:\s+(tcp://127\.0\.0\.1:\d+)", line):
                self.address = found[1]
                break
        self.workers = [self.hire(), self.hire()]

    def hire(self):
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        worker = Command(
            self.address, *options, cwd=self.folder, module="distributed.cli.dask_worker"
        )
        for line in worker.process.stderr:
            if "Registered to" in line:
                break
        return worker

    def close(self):
        for command in (*self.workers, self.scheduler):
            if command.process.poll() is None:
                os.kill(command.process.pid, signal.SIGKILL)
            command.process.communicate()
            assert command.left() == []


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    yield found
    backends._client(found.address).close()
    backends._client.cache_clear()
    found.close()


@pytest.fixture(autouse=True)
def two_workers(cluster):
    """Every test begins with two."""
    alive = [worker for worker in cluster.workers if worker.process.poll() is None]
    cluster.workers += [cluster.hire() for _ in range(2 - len(alive))]


def test_a_study_gives_the_same_files(cluster, tmp_path):
    study = ["study", "quick", "--replicates", "30", "--out"]
    assert metaeval(*study, tmp_path / "here", "--jobs", "1").returncode == 0
    there = ["--backend", "dask", "--scheduler", cluster.address]
    done = metaeval(*study, tmp_path / "there", *there)
    assert done.returncode == 0, done.stderr
    files = sorted(path.name for path in (tmp_path / "here").glob("*.csv"))
    assert len(files) > 3
    for name in files:
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


def test_a_users_metric_travels_and_a_killed_worker_changes_nothing(cluster, tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    command = ["agree", "-m", f"{tmp_path}/slow.py:slow", "-m", "oc", "--pairs", "4096"]
    command += ["--set", "accuracy=0.6", "--set", "largest=0.5", "-f", "csv"]
    there = ["--backend", "dask", "--scheduler", cluster.address, "--checkpoint", "kept"]
    running = Command(*command, *there, cwd=tmp_path)
    until(lambda: list(tmp_path.glob("kept/*/*.npz")) or running.process.poll() is not None)
    victim = next(worker for worker in cluster.workers if worker.process.poll() is None)
    os.kill(victim.process.pid, signal.SIGKILL)
    code, out, err = running.end()
    assert code == 0, err
    assert out == metaeval(*command, "--jobs", "2").stdout
    assert victim.process.wait() == -signal.SIGKILL
    assert running.left() == []


def test_a_registered_lambda_travels(cluster, monkeypatch):
    monkeypatch.setattr(registry, "_definitions", dict(registry.definitions()))
    me.register("travelling", takes="matrix", replace=True)(lambda matrix: float(matrix[0, 0]))
    stack = np.random.default_rng(0).integers(1, 9, (700, 3, 3))
    how = Execution(backend="dask", scheduler=cluster.address)
    there = me.score(stack, ["travelling", "mae"], how)
    np.testing.assert_array_equal(there, me.score(stack, ["travelling", "mae"], 1))
    np.testing.assert_array_equal(there["travelling"], stack[:, 0, 0])


def test_a_deadly_unit_is_named(cluster, tmp_path):
    def work(unit):
        if unit == 2:
            time.sleep(0.3)
            os.kill(os.getpid(), 9)
        return np.array(unit)

    for _ in range(3):  # one worker more than a unit may kill
        cluster.workers.append(cluster.hire())
    kept = Checkpoint(tmp_path / "kept", {})
    how = Execution(backend="dask", scheduler=cluster.address, checkpoint=kept)
    # dask also gives up a unit that stood in line at every worker which the deadly one ended.
    with pytest.raises(InputError, match=r"unit 3 of 6, 2: ended .*dask.* the [45] other units"):
        list(run(work, range(6), how))


def test_nobody_answers():
    how = Execution(backend="dask", scheduler="tcp://127.0.0.1:9")
    with pytest.raises(InputError, match="no dask cluster answers"):
        list(run(lambda unit: np.array(unit), range(3), how))
