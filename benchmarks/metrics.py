"""How fast are the metrics? One core, side by side with a memory copy and with the peers.

python benchmarks/metrics.py [--matrices 200000] [--classes 5 11 50] [--json FILE]
"""

import argparse
import json
import os
import sys
import time
import tracemalloc
import warnings

# This folder has a generators.py of its own, which must not hide the package.
sys.path[:] = [
    p for p in sys.path if os.path.abspath(p) != os.path.dirname(os.path.abspath(__file__))
]
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy: one core for everybody

import numpy as np
from scipy import stats
from sklearn import metrics as sk

import metaeval as me
from metaeval.measures.scoring import choose, score_stack

ITEMS = 200
REPEATS = 7
LOGARITHMS = {
    "g_mean",
    "mutual_information",
    "normalized_mutual_information",
    "cem_ord",
    "cem_nom",
    "cem_int",
}
APART = LOGARITHMS | {"auoc", "oc_general"}


def best(function, repeats=REPEATS):
    """Shortest of several runs, in seconds: the least disturbed one."""
    found = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        found.append(time.perf_counter() - start)
    return min(found)


def labels(rng, matrices, classes):
    """Outputs that are right or near most of the time, as one-byte labels."""
    true = rng.integers(0, classes, size=(matrices, ITEMS), dtype=np.int8)
    step = rng.integers(-1, 2, size=true.shape, dtype=np.int8)
    return true, np.clip(true + step, 0, classes - 1).astype(np.int8)


def closed_form(classes, matrices):
    """Every metric alone on a stack in either memory order, and all of them in one pass."""
    rng = np.random.default_rng(1)
    counted = me.confusion(*labels(rng, matrices, classes), classes)  # batch axis last
    stack = np.ascontiguousarray(counted)  # matrix after matrix
    chosen = choose(None, classes)
    plain = [m for m in chosen if m.key not in APART]
    copies, first, last = [], {}, {}
    for metric in chosen:
        repeats = 2 if metric.key in {"auoc", "oc_general"} else REPEATS
        copies.append(best(stack.copy, repeats))
        first[metric.key] = best(lambda m=metric: score_stack(stack, [m]), repeats)
        last[metric.key] = best(lambda m=metric: score_stack(counted, [m]), repeats)
    copy = float(np.median(copies))  # the median of best-of-several, like the metrics' own
    together = best(lambda: score_stack(stack, plain), 3) / len(plain)
    ns = 1e9 / matrices
    print(
        f"\n{matrices:,} matrices, K = {classes}, N = {ITEMS}; a copy: {copy * ns:.1f} ns a matrix"
    )
    print(f"{'metric':32}{'ns a matrix':>12}{'copies':>8}{'as counted':>12}")
    for key in first:
        mark = "  apart" if key in APART else ""
        print(
            f"{key:32}{first[key] * ns:12.1f}{first[key] / copy:8.1f}{last[key] / copy:12.1f}{mark}"
        )
    median = float(np.median([first[m.key] for m in plain]))
    median_last = float(np.median([last[m.key] for m in plain]))
    ratios = f"{median / copy:8.1f}{median_last / copy:12.1f}"
    print(f"{'median, each alone':32}{median * ns:12.1f}{ratios}")
    print(f"{'mean, all in one pass':32}{together * ns:12.1f}{together / copy:8.1f}")
    print("as counted: copies' time when the stack comes from me.confusion, batch axis last")
    tracemalloc.start()
    score_stack(stack, plain)
    peak = tracemalloc.get_traced_memory()[1] - len(plain) * matrices * 8
    tracemalloc.stop()
    whole = stack.nbytes / 2**20
    print(f"working space beyond the result: {peak / 2**20:.1f} MiB (stack: {whole:.0f} MiB)")
    return {
        "classes": classes,
        "copy_ns": copy * ns,
        "median_copies": median / copy,
        "median_copies_as_counted": median_last / copy,
        "mean_copies_in_one_pass": together / copy,
        "workspace_mib": peak / 2**20,
        "ns": {key: seconds * ns for key, seconds in first.items()},
    }


def peers(classes):
    scale = list(range(classes))
    macro = {"average": "macro", "labels": scale, "zero_division": 0}
    return {
        "accuracy": sk.accuracy_score,
        "macro_recall": lambda y, p: sk.recall_score(y, p, **macro),
        "macro_f1": lambda y, p: sk.f1_score(y, p, **macro),
        "cohen_kappa": lambda y, p: sk.cohen_kappa_score(y, p, labels=scale),
        "linear_weighted_kappa": lambda y, p: sk.cohen_kappa_score(
            y, p, labels=scale, weights="linear"
        ),
        "quadratic_weighted_kappa": lambda y, p: sk.cohen_kappa_score(
            y, p, labels=scale, weights="quadratic"
        ),
        "mcc": sk.matthews_corrcoef,
        "mae": sk.mean_absolute_error,
        "mse": sk.mean_squared_error,
        "mutual_information": sk.mutual_info_score,
        "normalized_mutual_information": sk.normalized_mutual_info_score,
        "pearson": lambda y, p: stats.pearsonr(y, p).statistic,
        "spearman": lambda y, p: stats.spearmanr(y, p).statistic,
        "kendall_tau_b": lambda y, p: stats.kendalltau(y, p).statistic,
        "somers_d": lambda y, p: stats.somersd(y, p).statistic,
    }


def from_labels(classes, matrices, sample=150):
    """Labels to scores: metaeval on all outputs, the peers in a loop over a sample of them."""
    true, pred = labels(np.random.default_rng(2), matrices, classes)
    functions = peers(classes)
    chosen = [me.metric(key) for key in functions]
    for width in (np.int8, np.int64):
        wide = true.astype(width), pred.astype(width)
        seconds = best(lambda w=wide: me.confusion(*w, classes), 3)
        print(f"counting {width.__name__} labels: {seconds / true.size * 1e9:.2f} ns a label")
    counting = best(lambda: me.confusion(true, pred, classes), 3) / matrices
    together = best(lambda: score_stack(me.confusion(true, pred, classes), chosen), 3) / matrices
    print(f"{'metric':32}{'peer, us':>10}{'alone':>8}{'shared':>8}   (times faster)")
    total, rows = 0.0, {}
    stack = me.confusion(true, pred, classes)
    for metric in chosen:
        peer = functions[metric.key]

        def loop(peer=peer):
            for i in range(sample):
                peer(true[i], pred[i])

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            slow = best(loop, 3) / sample
        own = best(lambda m=metric: score_stack(stack, [m]), 3) / matrices
        total += slow
        rows[metric.key] = (slow / (counting + own), slow / (counting / len(chosen) + own))
        print(
            f"{metric.key:32}{slow * 1e6:10.1f}{rows[metric.key][0]:8.0f}{rows[metric.key][1]:8.0f}"
        )
    print(f"all {len(chosen)} together: {total / together:,.0f} times faster")
    print("alone: counting the labels for this metric only; shared: counted once for all of them")
    return {"together": total / together, "alone_shared": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matrices", type=int, default=200_000)
    parser.add_argument("--classes", type=int, nargs="+", default=[5, 11, 50])
    parser.add_argument("--json")
    options = parser.parse_args()
    results = []
    for classes in options.classes:
        # as many cells as the first size has, so that large K stays affordable
        matrices = options.matrices * options.classes[0] ** 2 // classes**2
        results.append(closed_form(classes, matrices))
    results.append(from_labels(options.classes[0], options.matrices // 4))
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
