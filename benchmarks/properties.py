"""How fast is the property checker?

python benchmarks/properties.py [--repeats 3] [--jobs 2]

Monotonicity of mae over every matrix of K = 4 and N = 8 with all its moves; all properties of one
built-in metric; the atlas (all metrics, all properties, default bounds); scikit-learn's kappa as a
plain function. Best of several runs; memory is the peak of the process and of its workers.
"""

import argparse
import os
import resource
import sys
import time

# This folder has a generators.py of its own, which must not hide the package.
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [os.path.dirname(here), *(p for p in sys.path if os.path.abspath(p) != here)]
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy: one core is one core

from joblib.externals.loky import get_reusable_executor

from metaeval.measures.registry import metric
from metaeval.properties import check, check_all
from metaeval.properties.base import Bounds
from metaeval.properties.catalogue import properties
from metaeval.properties.compositions import chunk
from metaeval.properties.search import chunks, search
from metaeval.properties.subject import VectorSubject
from metaeval.properties.tables import Scorer

TARGETS = {"monotonicity": "a few seconds", "built-in": "about 1", "atlas": "120", "kappa": "60"}


def monotonicity_of_mae():
    """One level of the search and nothing else, from scratch: enumerate, score, move, compare."""
    chunk.cache_clear()
    scorer = Scorer(VectorSubject(metric("mae")))
    chosen = properties()["monotonicity"]
    scorer.prepare(8, 4)
    cases = 0
    for judged in chosen.level(chunks(chosen, 8, 4, scorer.subject.chunk, None), scorer):
        cases += sum(part.where.size for part in judged)
        assert not any(part.violated.any() for part in judged)
    return cases


def every_size_up_to_it():
    chunk.cache_clear()
    scorer = Scorer(VectorSubject(metric("mae")))
    found = search(properties()["monotonicity"], scorer, Bounds(8, 4))
    assert found.violation is None
    return found.cases


def built_in(key):
    chunk.cache_clear()
    return int(check(key).frame["cases"].sum())


def atlas(jobs):
    return int(check_all(jobs=jobs).frame["cases"].sum())


def kappa(jobs):
    report = check("sklearn.metrics:cohen_kappa_score", arguments={"weights": "linear"}, jobs=jobs)
    assert report.outcome("weak-monotonicity") == "violated"
    return int(report.frame["cases"].sum())


def best(function, repeats):
    """Shortest of several runs in seconds, and what the function returned."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = function()
        seconds.append(time.perf_counter() - start)
    return min(seconds), result


def peak(who):
    # Only processes that have ended are counted, so the atlas's workers are let go first.
    get_reusable_executor().shutdown(wait=True)
    return resource.getrusage(who).ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    tasks = [
        ("monotonicity of mae, all K=4 N=8", "monotonicity", monotonicity_of_mae),
        ("monotonicity of mae, all K<=4 N<=8", "monotonicity", every_size_up_to_it),
        *(
            (f"all properties of {key}", "built-in", lambda key=key: built_in(key))
            for key in ("mae", "cem_ord", "kendall_tau_b", "auoc", "oc_general")
        ),
        (f"the atlas, {given.jobs} jobs", "atlas", lambda: atlas(given.jobs)),
        (f"sklearn's linear kappa, {given.jobs} jobs", "kappa", lambda: kappa(given.jobs)),
    ]
    print(f"{'task':38} {'seconds':>8} {'target':>14} {'cases':>12} {'MiB':>6} {'workers':>8}")
    for name, target, task in tasks:
        seconds, cases = best(task, given.repeats)
        own, others = peak(resource.RUSAGE_SELF), peak(resource.RUSAGE_CHILDREN)
        print(
            f"{name:38} {seconds:8.2f} {TARGETS[target]:>14} {cases:12,} {own:6.0f} {others:8.0f}"
        )


if __name__ == "__main__":
    main()
