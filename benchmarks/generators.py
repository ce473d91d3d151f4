"""Speed and scratch memory of every generator family on one core.

python benchmarks/generators.py [--labels 1000000] [--matrices 1000000] [--repeats 3]

Each line makes a million labels (11 classes, 200 items a case) or a million matrices (the family's
default parameters) and shows the best of several runs. "scratch" is the peak memory beyond the
result itself, traced in a run of its own because tracing costs time.
"""

import argparse
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

# a script's own folder comes first on the path, and there this file hides the package of its name
here = Path(__file__).resolve().parent
sys.path[:] = [str(here.parent), *(p for p in sys.path if Path(p).resolve() != here)]

import generators

SEED = np.random.SeedSequence(0)
# million a second; the matrices' target is for fixed accuracy with its default schemes
TARGETS = {"labels": "10", "fixed_accuracy, overall": "1", "fixed_accuracy, class-wise": "1"}
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "fixed_accuracy": [
        {"mode": "overall"},
        {"mode": "class-wise"},
        {"diagonal": "multinomial", "errors": "multinomial"},
        {"diagonal": "uniform", "errors": "uniform"},
    ]
}


def tasks(labels: int, matrices: int) -> Iterator[tuple[str, str, int, Callable[[], Any]]]:
    """Name, unit, amount and call of everything that is timed."""
    items = 200
    cases = -(-labels // items)
    amount = cases * items
    gold = generators.gold(cases, items, rng=SEED)
    yield "gold", "labels", amount, partial(generators.gold, cases, items, rng=SEED)
    for family in generators.families():
        if family.kind == "outputs":
            call = partial(generators.outputs, family.name, gold, classes=11, ratio=0.3, rng=SEED)
            for placement in ("bernoulli", "exact"):
                name = f"{family.name}, {placement}"
                yield name, "labels", amount, partial(call, placement=placement)
        else:
            for settings in SETTINGS.get(family.name, [{}]):
                name = ", ".join([family.name, *dict.fromkeys(settings.values())])
                make = partial(generators.matrices, family.name, count=matrices, rng=SEED)
                yield name, "matrices", matrices, partial(make, **settings)
    yield "features", "points", amount, partial(generators.features, amount, SEED)


def scratch(call: Callable[[], Any]) -> float:
    """Peak megabytes beyond the result."""
    tracemalloc.start()
    made = call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    parts = made if isinstance(made, tuple) else (made,)
    return float(peak - sum(part.nbytes for part in parts)) / 1e6


def seconds(call: Callable[[], Any], repeats: int) -> float:
    """The fastest of several runs."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--labels", type=int, default=1_000_000)
    parser.add_argument("--matrices", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print(f"{'family':32} {'million/s':>10} {'of':10} {'target':>6} {'scratch MB':>10}")
    for name, unit, amount, call in tasks(options.labels, options.matrices):
        speed = amount / seconds(call, options.repeats) / 1e6
        target = TARGETS.get(unit, TARGETS.get(name, ""))
        print(f"{name:32} {speed:10.2f} {unit:10} {target:>6} {scratch(call):10.1f}", flush=True)


if __name__ == "__main__":
    main()
