"""Speed and memory of the analyzers, beside their targets.

python benchmarks/analysis.py [--jobs 2] [--repeats 3] [--skip-large]

Every line runs in a process of its own, so that "peak MB", the largest resident memory, is that
of the line alone, Python and numpy (about 100 MB) included. Times are the best of several runs
where a run is short, and of one run otherwise.
"""

import argparse
import multiprocessing
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from metaeval.analysis.coverage import coverage, coverage_by_family
from metaeval.analysis.discrimination import discriminative_power
from metaeval.analysis.rank_correlation import rank_correlation
from metaeval.analysis.robustness import robustness
from metaeval.analysis.split_half import split_half
from metaeval.studies.analyses import ScoredOutputs
from metaeval.studies.run import run_study, score_outputs
from metaeval.studies.study import Outputs, find_study

Timed = Callable[[], object]


def synthetic() -> ScoredOutputs:
    """Paper 002's outputs, 50 systems x 100 cases x 200 items, under all metrics."""
    data = find_study("paper-002-synthetic").data
    assert isinstance(data, Outputs)
    return score_outputs(data, None, seed=0)


def large() -> pd.DataFrame:
    """Scores of 1,000 systems x 100 cases under 15 metrics, by a plain random effect each."""
    rng = np.random.default_rng(0)
    names = find_study("paper-002-synthetic").metrics
    assert names is not None
    skill = rng.normal(size=(1, 1000, 1))
    values = skill + rng.normal(size=(100, 1000, len(names)))
    index = pd.MultiIndex.from_product([range(100), range(1000)], names=["case", "system"])
    return pd.DataFrame(values.reshape(len(index), -1), index=index, columns=list(names))


def whole_study() -> object:
    data = synthetic()
    return coverage_by_family(data.scores, data.families, replicates=0)


def resampled(analyse: Callable[..., object], jobs: int, **options: int) -> Timed:
    scores = synthetic().scores
    return lambda: analyse(scores, jobs=jobs, **options)


def six_columns(jobs: int) -> Timed:
    data = synthetic()
    return lambda: coverage_by_family(data.scores, data.families, replicates=1000, jobs=jobs)


def simulations(jobs: int) -> Timed:
    study = find_study("paper-001-simulations")
    return lambda: run_study(study, jobs=jobs)


def many_systems(analyse: Callable[..., object], jobs: int, **options: int) -> Timed:
    scores = large()
    return lambda: analyse(scores, jobs=jobs, **options)


@dataclass(frozen=True)
class Task:
    """What is timed: `make` prepares the data, which does not count, and returns what runs."""

    make: Callable[[int], Timed]
    target: str = ""
    is_large: bool = False


def small(analyse: Callable[..., object], target: str = "", **options: int) -> Task:
    return Task(lambda jobs: resampled(analyse, jobs, **options), target)


def many(analyse: Callable[..., object], **options: int) -> Task:
    return Task(lambda jobs: many_systems(analyse, jobs, **options), "", True)


TASKS = {
    "Table 3: generate, score all metrics, 6 columns": Task(lambda jobs: whole_study, "few"),
    "coverage, 1,000 resamples of cases and systems": small(coverage, "60"),
    "the same for all 6 columns": Task(six_columns, "60"),
    "robustness, 1,000 resamples of both": small(robustness),
    "discriminative power (Tukey), 1,000 trials": small(discriminative_power),
    "split-half, 200 splits, 1,000 resamples": small(split_half),
    "rank correlation, 1,000 resamples of both": small(rank_correlation),
    "paper 001: 24 settings x 10,000 pairs": Task(simulations, "15"),
    "1,000 systems x 100 cases: coverage": many(coverage, replicates=0),
    "1,000 systems: coverage, 10 resamples of both": many(coverage, replicates=10),
    "1,000 systems: robustness, 10 resamples": many(robustness, replicates=10),
    "1,000 systems: rank correlation, 10 resamples": many(rank_correlation, replicates=10),
    "1,000 systems: discriminative power, 100 trials": many(
        discriminative_power, trials=100, replicates=10
    ),
}


def measure(name: str, jobs: int, repeats: int, found: multiprocessing.Queue) -> None:
    """Best time of a task, and the memory of this process."""
    task = TASKS[name]
    run = task.make(jobs)
    times = []
    for _ in range(1 if task.is_large else repeats):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
        if times[-1] > 5:
            break
    found.put((min(times), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--skip-large", action="store_true")
    options = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    print(f"{'task':50} {'seconds':>8} {'target':>7} {'peak MB':>8}")
    for name, task in TASKS.items():
        if task.is_large and options.skip_large:
            continue
        found = context.Queue()
        process = context.Process(target=measure, args=(name, options.jobs, options.repeats, found))
        process.start()
        seconds, memory = found.get()
        process.join()
        print(f"{name:50} {seconds:8.2f} {task.target:>7} {memory:8.0f}", flush=True)


if __name__ == "__main__":
    main()
