"""The definitions by plain loops over systems and test cases, as slow as they are clear."""

import itertools

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, spearmanr

REFERENCE = ("accuracy", "kendall_tau_a", "mutual_information")
ERRORS = ("mae", "mse")


def random_scores(seed, cases=6, systems=7, metrics=(*REFERENCE, "mae", "cem_ord"), ties=True):
    """Scores with many ties, some systems clearly better than others."""
    rng = np.random.default_rng(seed)
    index = pd.MultiIndex.from_product(
        [range(cases), [f"s{i}" for i in range(systems)]], names=["case", "system"]
    )
    skill = np.tile(np.linspace(0, 0.5, systems), cases)
    values = {}
    for name in metrics:
        score = skill + rng.normal(scale=0.3, size=len(index))
        score = np.round(score * 4) / 4 if ties else score
        values[name] = -score if name in ERRORS else score
    return pd.DataFrame(values, index=index)


def oriented(scores):
    return scores.assign(**{name: -scores[name] for name in ERRORS if name in scores})


def same(value):
    return round(float(value), 10)


def uir(scores, reference=REFERENCE):
    cases, systems = scores.index.unique(0), scores.index.unique(1)
    value = {m: column.round(10).to_dict() for m, column in oriented(scores).items()}
    result = {}
    for s, t in itertools.permutations(systems, 2):
        wins = sum(all(value[m][c, s] >= value[m][c, t] for m in reference) for c in cases)
        losses = sum(all(value[m][c, t] >= value[m][c, s] for m in reference) for c in cases)
        result[s, t] = (wins - losses) / len(cases)
    return result


def coverage(scores, metric, reference=REFERENCE, systems=None):
    ratios = uir(scores, reference)
    means = oriented(scores)[metric].groupby(level=1, sort=False).mean()
    pairs = [p for p in ratios if systems is None or set(p) <= set(systems)]
    gaps = [same(means[s] - means[t]) for s, t in pairs]
    return spearmanr(gaps, [same(ratios[p]) for p in pairs]).statistic


def robustness(scores, metric):
    table = oriented(scores)[metric].unstack(level=0).round(10)
    found = []
    for one, other in itertools.combinations(table.columns, 2):
        if table[one].nunique() > 1 and table[other].nunique() > 1:
            found.append(spearmanr(table[one], table[other]).statistic)
    return np.mean(found) if found else np.nan


def agreement(scores_a, scores_b, one, other):
    a, b = oriented(scores_a), oriented(scores_b)
    verdicts = [
        [same(a[m].iloc[i]) >= same(b[m].iloc[i]) for i in range(len(a))] for m in (one, other)
    ]
    return np.mean([x == y for x, y in zip(*verdicts, strict=True)])


def tau(scores, one, other):
    means = oriented(scores).groupby(level=1, sort=False).mean().round(10)
    return kendalltau(means[one], means[other]).statistic
