"""Jobs: the same results whoever does the units, in whatever order; nothing is lost."""

import os
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from metaeval.errors import InputError
from metaeval.execution import Execution, run, settle
from metaeval.execution.checkpoint import Checkpoint
from metaeval.execution.how import read_memory

BACKENDS = ("serial", "threads", "processes")
UNITS = list(range(30))


def noise(unit):
    """A result of some size; later units are often done earlier."""
    time.sleep(0.005 * (unit % 3))
    rng = np.random.default_rng(np.random.SeedSequence(1, spawn_key=(unit,)))
    values = rng.standard_normal((50, 40))
    return {"product": values @ values.T, "unit": np.array(unit)}


def as_bytes(results):
    return [[(name, array.tobytes()) for name, array in found.items()] for found in results]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_the_same_bytes_from_everybody(backend, jobs):
    expected = as_bytes(noise(unit) for unit in UNITS)
    assert as_bytes(run(noise, UNITS, Execution(jobs, backend))) == expected


def test_the_default_and_numbers_of_workers_are_executions():
    expected = as_bytes(noise(unit) for unit in UNITS)
    for jobs in (None, 0, 1, 2):
        assert as_bytes(run(noise, UNITS, jobs)) == expected
    assert settle(3) == Execution(jobs=3)
    assert list(run(noise, [], 2)) == []


@pytest.mark.parametrize("backend", BACKENDS)
def test_nobody_runs_far_ahead(backend):
    class Watched:
        asked = 0

        def __len__(self):
            return 100

        def __getitem__(self, number):
            self.asked = max(self.asked, number)
            return number

    units = Watched()
    for turn, _ in enumerate(run(noise, units, Execution(2, backend))):
        assert units.asked - turn <= 8
        if turn > 20:
            break


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_error_is_raised_at_the_turn_of_its_unit(backend):
    def work(unit):
        if unit == 5:
            raise InputError("unit five is wrong")
        time.sleep(0.01 * (unit < 5))
        return np.array(unit)

    results = run(work, UNITS, Execution(2, backend))
    assert [int(next(results)) for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(InputError, match="five is wrong"):
        next(results)


def test_an_error_that_cannot_travel_is_told_in_words():
    class OddError(Exception):
        def __init__(self, one, two):
            super().__init__("odd")
            self.lock = threading.Lock()

    def work(unit):
        raise OddError(1, 2)

    with pytest.raises(RuntimeError, match="OddError"):
        list(run(work, UNITS, Execution(2, "processes")))


def test_exit_in_a_worker_is_not_the_end_of_the_program():
    def work(unit):
        raise SystemExit(3)

    with pytest.raises(RuntimeError, match="SystemExit"):
        list(run(work, UNITS, Execution(2, "processes")))


def test_a_lost_worker_is_replaced_and_the_unit_tried_again(tmp_path):
    expected = as_bytes(noise(unit) for unit in UNITS)

    def work(unit, folder=str(tmp_path)):
        tried = Path(folder, str(unit))
        if unit in (3, 11) and not tried.exists():
            tried.touch()
            os.kill(os.getpid(), 9)
        return noise(unit)

    assert as_bytes(run(work, UNITS, Execution(2, "processes"))) == expected
    assert len(list(tmp_path.iterdir())) == 2


def test_a_deadly_unit_is_named_and_the_others_are_kept(tmp_path):
    def work(unit):
        if unit == 7:
            os.kill(os.getpid(), 9)
        return np.array(unit)

    def kept():
        return Execution(2, "processes", checkpoint=Checkpoint(tmp_path, {"study": 1}))

    said = r"deadly, unit 8 of 30, 7: ended its worker process .*SIGKILL.* 29 other units are kept"
    with pytest.raises(InputError, match=said):
        list(run(work, UNITS, kept(), name="deadly"))
    done = []

    def remember(unit):
        done.append(unit)
        return np.array(unit)

    again = Execution(1, checkpoint=Checkpoint(tmp_path, {"study": 1}))
    assert [int(r) for r in run(remember, UNITS, again, name="deadly")] == UNITS
    assert done == [7]
    with pytest.raises(InputError, match="--checkpoint DIR would keep"):
        list(run(work, UNITS, Execution(2, "processes")))


def test_the_measured_cost_decides_who_works():
    def where(unit, seconds):
        time.sleep(seconds)
        return np.array(os.getpid())

    fast = run(lambda unit: where(unit, 0), range(50), kind="python")
    assert {int(pid) for pid in fast} == {os.getpid()}
    slow = [int(pid) for pid in run(lambda unit: where(unit, 0.25), range(20), kind="python")]
    assert slow[0] == os.getpid()
    assert os.getpid() not in slow[1:]
    one = run(lambda unit: where(unit, 0.1), range(4), 1, kind="python")
    assert {int(pid) for pid in one} == {os.getpid()}


def test_slow_numpy_work_goes_to_threads():
    def work(unit):
        time.sleep(0.05)
        return np.array([os.getpid(), threading.get_ident()])

    found = np.array(list(run(work, range(20))))
    assert set(found[:, 0]) == {os.getpid()}
    assert len(set(found[:, 1])) > 1


def test_memory_limits_how_many_work_at_a_time():
    assert Execution(jobs=8, memory=100).workers(units=50, size=30) == 3
    assert Execution(jobs=8, memory=100).workers(units=50, size=1000) == 1
    assert Execution(jobs=8).workers(units=2, size=0) == 2


def test_what_cannot_be_is_refused():
    for wrong in (
        {"jobs": -1},
        {"backend": "cloud"},
        {"backend": "dask"},
        {"scheduler": "tcp://x:1"},
        {"memory": 0},
    ):
        with pytest.raises(InputError):
            Execution(**wrong)
    assert read_memory("1GiB") == read_memory("1024 MB") == read_memory("1g") == 2**30
    assert read_memory("1.5k") == 1536
    for wrong in ("", "much", "0", "-1GB", "1XB"):
        with pytest.raises(InputError, match="512MB"):
            read_memory(wrong)


def test_processes_without_work_end_with_the_program(tmp_path):
    from tests.execution.processes import Command

    (tmp_path / "program.py").write_text(
        "import numpy as np\n"
        "from metaeval.execution import Execution, run\n"
        "results = run(lambda unit: np.array(unit), range(9), Execution(2, 'processes'))\n"
        "print(sum(int(result) for result in results))\n"
    )
    program = Command(cwd=tmp_path, module="program")
    assert program.end()[:2] == (0, "36\n")
    assert program.left() == []
