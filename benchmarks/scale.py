"""What do more cores give, what does the execution layer cost, and how much memory is needed?

python benchmarks/scale.py [--matrices 100000000] [--scored 10000000] [--json FILE] [--only PART]

Every measurement is a process of its own, so that memory can be told apart. The parts:
agreement   generate, score and count so many 4x4 matrices in pairs, within bounded memory
callable    a study with a metric of one millisecond, one core against two
scoring     a NumPy file of 4x4 matrices into a file of scores, one core against two
threads     the same in memory, where threads share the interpreter's lock
overhead    the layer against a plain loop over the same units
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# This folder has a generators.py of its own, which must not hide the package.
sys.path[:] = [
    p for p in sys.path if os.path.abspath(p) != os.path.dirname(os.path.abspath(__file__))
]

import numpy as np

METRICS = ["mae", "amae", "kendall_tau_b", "quadratic_weighted_kappa", "cem_ord"]
LEVELS = {"accuracy": 0.6, "largest": 0.5}
REPEATS = 3


def peak():
    """MiB of this process at its largest, and of its largest child."""
    import resource

    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return [round(resource.getrusage(kind).ru_maxrss / 1024) for kind in kinds]


def agreement(matrices, jobs):
    from metaeval.execution import Execution
    from metaeval.studies.agree import agreement_view, generated

    pairs = generated("fixed_accuracy", LEVELS, matrices // 2, 0)
    frame, _ = agreement_view(pairs, METRICS, "misclassification_cost", jobs=Execution(jobs))
    assert (frame["pairs"] == matrices // 2).all()
    return frame["agreement"].tolist()


def slow(matrix):
    end = time.perf_counter() + 0.001
    while time.perf_counter() < end:
        pass
    return float(matrix.trace() / matrix.sum())


def callable_study(pairs, jobs):
    import metaeval as me
    from metaeval.studies.agree import agreement_view, generated

    me.register("slow")(slow)
    found = generated("fixed_accuracy", LEVELS, pairs, 0)
    return agreement_view(found, ["slow", "mae"], jobs=jobs)[0].to_numpy().tolist()


def stack_of(matrices):
    """So many matrices; a million of them, again and again."""
    import generators

    some = generators.matrices(
        "fixed_accuracy", count=min(matrices, 10**6), rng=np.random.SeedSequence(0), **LEVELS
    )
    return np.tile(some, (-(-matrices // len(some)), 1, 1))[:matrices]


def scoring(matrices, jobs):
    from metaeval.execution import Execution
    from metaeval.streaming import score_file

    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder, "matrices.npy"), Path(folder, "scores.npy")
        np.save(file, stack_of(matrices).astype(np.int16))
        start = time.perf_counter()
        score_file(file, out, METRICS, how=Execution(jobs))
        seconds = time.perf_counter() - start
        return {"seconds": seconds, "sum": hashlib.sha256(out.read_bytes()).hexdigest()}


def threads(matrices, jobs):
    from metaeval.measures.scoring import choose, score_stack

    stack = stack_of(matrices)
    start = time.perf_counter()
    scores = score_stack(stack, choose(METRICS), jobs=jobs)
    return {"seconds": time.perf_counter() - start, "sum": repr(float(scores.sum()))}


def overhead(matrices, jobs):
    """Seconds of a plain loop and of the layer in this process, the best of several each."""
    from metaeval.execution import Execution, run
    from metaeval.measures.scoring import Parts, choose, score_part, unit_length

    chosen = choose(METRICS)
    parts = Parts(stack_of(matrices), unit_length(4, False))
    plain, layer = [], []
    for _ in range(2 * REPEATS + 1):
        start = time.process_time()
        for number in range(len(parts)):
            score_part(parts[number], chosen)
        middle = time.process_time()
        for _ in run(lambda part: score_part(part, chosen), parts, Execution(1)):
            pass
        plain.append(middle - start)
        layer.append(time.process_time() - middle)
    return {"plain": min(plain), "layer": min(layer), "units": len(parts)}


PARTS = {
    "agreement": agreement,
    "callable": callable_study,
    "scoring": scoring,
    "threads": threads,
    "overhead": overhead,
}


def measured(part, size, jobs):
    """A part in a process of its own: seconds, result, peak memory."""
    command = [sys.executable, os.path.abspath(__file__), "--child", part, str(size), str(jobs)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def child(part, size, jobs):
    start = time.perf_counter()
    result = PARTS[part](int(size), int(jobs))
    seconds = time.perf_counter() - start
    from metaeval.execution.backends import dismiss

    dismiss()  # only a process that has ended is counted as a child
    print(json.dumps({"seconds": seconds, "result": result, "peak_mib": peak()}))


def faster(part, size):
    """One core against two, in turns; the best of several each. Results must be the same."""
    best, results = {}, []
    for _ in range(REPEATS):
        for jobs in (1, 2):
            found = measured(part, size, jobs)
            result = found["result"]
            seconds = found["seconds"]
            if isinstance(result, dict):  # the part keeps the time itself
                seconds, result = result["seconds"], result["sum"]
            results.append(json.dumps(result))
            best[jobs] = min(seconds, best.get(jobs, float("inf")))
    assert len(set(results)) == 1, "the results differ"
    ratio = best[1] / best[2]
    print(f"{part}, {size:,}: {best[1]:.2f} s on one core, {best[2]:.2f} s on two: {ratio:.2f} x")
    return {"one": best[1], "two": best[2], "ratio": ratio}


def main():
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matrices", type=int, default=10**8, help="of the agreement")
    parser.add_argument("--scored", type=int, default=10**7, help="of the scoring job")
    parser.add_argument("--pairs", type=int, default=20_480, help="of the slow metric's study")
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--json")
    options = parser.parse_args()
    wanted = options.only or list(PARTS)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start", flush=True)
    results = {}
    if "callable" in wanted:
        results["callable"] = faster("callable", options.pairs)
    for part in ("scoring", "threads"):
        if part in wanted:
            results[part] = faster(part, options.scored)
    if "overhead" in wanted:
        found = measured("overhead", min(options.scored, 2_000_000), 1)["result"]
        cost = found["layer"] / found["plain"] - 1
        print(f"overhead of the layer, {found['units']} units: {100 * cost:+.1f} %")
        results["overhead"] = cost
    if "agreement" in wanted:
        found = measured("agreement", options.matrices, 2)
        rate = options.matrices / found["seconds"]
        print(
            f"agreement of {len(METRICS) + 1} metrics on {options.matrices:,} matrices: "
            f"{found['seconds']:.0f} s, {rate:,.0f} matrices a second, "
            f"peak {found['peak_mib'][0]} MiB, its largest worker {found['peak_mib'][1]} MiB"
        )
        results["agreement"] = found
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
