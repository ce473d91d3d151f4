"""The formulas of the catalogue, written out sign by sign as they are printed there.

Slow loops over plain numbers, with the letters of docs/metrics.md: classes 1..K, n[r, c] items of
gold class r given class c, P the gold classes present. One function a formula.
"""

import itertools
from math import exp, inf, log, log2, prod, sqrt


class Letters:
    """What the formulas are made of."""

    def __init__(self, matrix):
        self.K = len(matrix)
        self.k = k = range(1, self.K + 1)
        self.rc = list(itertools.product(k, k))
        self.n = {(r, c): int(matrix[r - 1][c - 1]) for r, c in self.rc}
        self.N = sum(self.n.values())
        self.g = {r: sum(self.n[r, c] for c in k) for r in k}  # gold sizes
        self.p = {c: sum(self.n[r, c] for r in k) for c in k}  # predicted sizes
        self.P = [r for r in k if self.g[r]]
        self.Kp = len(self.P)
        items = [cell for cell in self.rc for _ in range(self.n[cell])]
        pairs = list(itertools.combinations(items, 2))
        self.C = sum((a[0] - b[0]) * (a[1] - b[1]) > 0 for a, b in pairs)
        self.D = sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in pairs)
        self.Tg = sum(a[0] != b[0] for a, b in pairs)
        self.Tp = sum(a[1] != b[1] for a, b in pairs)
        self.a = {
            (r, c): sum(self.n[i, j] for i, j in self.rc if (i > r and j > c) or (i < r and j < c))
            for r, c in self.rc
        }

    def total(self, weight):
        """The sum over all cells of a weight times the count."""
        return sum(weight(r, c) * self.n[r, c] for r, c in self.rc)


def kappa(m, weight):
    chance = sum(weight(r, c) * m.g[r] * m.p[c] for r, c in m.rc)
    return 1 - m.N * m.total(weight) / chance


def krippendorff_alpha(m):
    pool = {k: m.g[k] + m.p[k] for k in m.k}

    def delta(i, j):
        between = sum(pool[k] for k in range(min(i, j), max(i, j) + 1))
        return between - (pool[i] + pool[j]) / 2

    expected = sum(delta(i, j) ** 2 * pool[i] * pool[j] for i, j in itertools.combinations(m.k, 2))
    return 1 - (2 * m.N - 1) * m.total(lambda r, c: delta(r, c) ** 2) / expected


def class_error(m, r, power):
    return sum(abs(r - c) ** power * m.n[r, c] for c in m.k) / m.g[r]


def rennie_srebro(m):
    def loss(r, c):
        signs = {t: -1 if t < r else 1 for t in range(1, m.K)}
        return sum(log(1 + exp(-s * (t + 0.5 - c))) for t, s in signs.items())

    return m.total(loss) / m.N


def product_moment(m, gold, output):
    covariance = m.total(lambda r, c: gold[r] * output[c])
    spread = sum(gold[r] ** 2 * m.g[r] for r in m.k) * sum(output[c] ** 2 * m.p[c] for c in m.k)
    return covariance / sqrt(spread)


def pearson(m):
    mean_r = sum(r * m.g[r] for r in m.k) / m.N
    mean_c = sum(c * m.p[c] for c in m.k) / m.N
    return product_moment(m, {r: r - mean_r for r in m.k}, {c: c - mean_c for c in m.k})


def spearman(m):
    def position(sizes):
        return {k: sum(sizes[i] * ((i < k) - (i > k)) for i in m.k) for k in m.k}

    return product_moment(m, position(m.g), position(m.p))


def r_int(m):
    def reflexive(sizes):
        return sum(sizes[i] * sizes[j] for i, j in m.rc if i <= j) - m.N

    shared = m.total(lambda r, c: sum(m.n[i, j] for i, j in m.rc if i >= r and j >= c)) - m.N
    return -1 + 2 * shared / sqrt(reflexive(m.g) * reflexive(m.p))


def reliability(m):
    return m.total(lambda r, c: m.a[r, c] / (m.N - m.p[c])) / m.N


def sensitivity(m):
    return m.total(lambda r, c: m.a[r, c] / (m.N - m.g[r])) / m.N


def harmonic(a, b):
    return 2 * a * b / (a + b) if a + b else 0.0


def mutual_information(m):
    found = [(n, m.g[r] * m.p[c]) for (r, c), n in m.n.items() if n]
    return sum(n * log2(m.N * n / product) for n, product in found) / m.N


def entropy(m, sizes):
    return -sum(s / m.N * log2(s / m.N) for s in sizes.values() if s)


def purity(m):
    return sum(max(m.n[r, c] for r in m.k) for c in m.k) / m.N


def inverse_purity(m):
    return sum(max(m.n[r, c] for c in m.k) for r in m.k) / m.N


def rnod(m):
    terms = [abs(r - c) * ((m.p[c] - m.g[c]) / m.N) ** 2 for r in m.P for c in m.k]
    return sqrt(sum(terms) / ((m.K - 1) * m.Kp))


def paths(classes):
    """Every monotone path from the first to the last cell, steps down, right or both."""

    def grow(path):
        r, c = path[-1]
        if (r, c) == (classes, classes):
            yield path
        for step in ((r + 1, c), (r, c + 1), (r + 1, c + 1)):
            if max(step) <= classes:
                yield from grow([*path, step])

    return grow([(1, 1)])


def oc_weights(m, beta=0.25, gamma=1):
    spread = m.total(lambda r, c: abs(r - c) ** gamma) ** (1 / gamma)
    return {
        (r, c): n * (beta * abs(r - c) ** gamma / (m.N * (m.K - 1) ** gamma) - 1 / (m.N + spread))
        for (r, c), n in m.n.items()
    }


def oc(m):
    weights = oc_weights(m)
    return 1 + min(sum(weights[cell] for cell in path) for path in paths(m.K))


def uoc(m, beta=0.25, gamma=1):
    share = {(r, c): n / m.g[r] if n else 0.0 for (r, c), n in m.n.items()}
    error = sum(abs(r - c) ** gamma * s for (r, c), s in share.items()) / m.Kp
    dispersion = error ** (1 / gamma)
    weights = {
        (r, c): s / m.Kp * (beta * abs(r - c) ** gamma - 1 / (1 + dispersion))
        for (r, c), s in share.items()
    }
    return 1 + min(sum(weights[cell] for cell in path) for path in paths(m.K))


def auoc(m, steps=500):
    """The integral by the midpoint rule: exact to about 1e-6 for piecewise linear functions."""
    return sum(uoc(m, (i + 0.5) / steps) for i in range(steps)) / steps


def oc_general(m, beta2=0.25):
    weights = oc_weights(m)
    inner = [cell for cell in m.rc if cell not in ((1, 1), (m.K, m.K))]
    best = inf
    for count in range(len(inner) + 1):
        for chosen in itertools.combinations(inner, count):
            cells = {(1, 1), (m.K, m.K), *chosen}
            if not connected(cells):
                continue
            opposed = sum(
                (a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in itertools.combinations(cells, 2)
            )
            best = min(best, sum(weights[cell] for cell in cells) + beta2 * opposed)
    return 1 + best


def connected(cells):
    reached, border = {(1, 1)}, [(1, 1)]
    while border:
        r, c = border.pop()
        near = {cell for cell in cells if abs(cell[0] - r) <= 1 and abs(cell[1] - c) <= 1}
        border += near - reached
        reached |= near
    return reached == cells


def between(m, r, c):
    """p: half of the output class c, and all others from there to the gold class r."""
    low, high = min(r, c), max(r, c)
    return (m.g[c] / 2 + sum(m.g[k] for k in range(low, high + 1) if k != c)) / m.N


def nearer(m, r, c):
    """q: the classes nearer to r than c is, and half of those equally near."""
    own = abs(c - r)
    inside = sum(m.g[k] for k in m.k if abs(k - r) < own)
    return (inside + sum(m.g[k] for k in m.k if abs(k - r) == own) / 2) / m.N


def closeness(m, value):
    """Sum over the items, over that of the perfect output."""
    found = sum(n * value(m, r, c) for (r, c), n in m.n.items() if n)
    return found / sum(m.g[r] * value(m, r, r) for r in m.P)


def misclassification_cost(m):
    def cost(r, c):
        return (m.N - m.g[r]) / m.g[c] * abs(r - c)

    return m.total(cost) / sum(m.g[r] * max(cost(r, c) for c in m.k) for r in m.k)


def accuracy(m):
    return sum(m.n[k, k] for k in m.k) / m.N


FORMULAS = {
    "accuracy": accuracy,
    "mer": lambda m: 1 - accuracy(m),
    "accuracy_within": lambda m: m.total(lambda r, c: abs(r - c) <= 1) / m.N,
    "macro_recall": lambda m: sum(m.n[r, r] / m.g[r] for r in m.P) / m.Kp,
    "macro_f1": lambda m: sum(2 * m.n[r, r] / (m.g[r] + m.p[r]) for r in m.P) / m.Kp,
    "g_mean": lambda m: prod(m.n[r, r] / m.g[r] for r in m.P) ** (1 / m.Kp),
    "min_sensitivity": lambda m: min(m.n[r, r] / m.g[r] for r in m.P),
    "cohen_kappa": lambda m: kappa(m, lambda r, c: r != c),
    "linear_weighted_kappa": lambda m: kappa(m, lambda r, c: abs(r - c)),
    "quadratic_weighted_kappa": lambda m: kappa(m, lambda r, c: (r - c) ** 2),
    "mcc": lambda m: (
        (m.N * sum(m.n[k, k] for k in m.k) - sum(m.g[k] * m.p[k] for k in m.k))
        / sqrt((m.N**2 - sum(m.g[k] ** 2 for k in m.k)) * (m.N**2 - sum(m.p[k] ** 2 for k in m.k)))
    ),
    "krippendorff_alpha": krippendorff_alpha,
    "mae": lambda m: m.total(lambda r, c: abs(r - c)) / m.N,
    "mse": lambda m: m.total(lambda r, c: (r - c) ** 2) / m.N,
    "amae": lambda m: sum(class_error(m, r, 1) for r in m.P) / m.Kp,
    "amse": lambda m: sum(class_error(m, r, 2) for r in m.P) / m.Kp,
    "mmae": lambda m: max(class_error(m, r, 1) for r in m.P),
    "rennie_srebro": rennie_srebro,
    "cosine": lambda m: product_moment(m, {k: k for k in m.k}, {k: k for k in m.k}),
    "pearson": pearson,
    "spearman": spearman,
    "kendall_tau_a": lambda m: (m.C - m.D) / (m.N * (m.N - 1) / 2),
    "kendall_tau_b": lambda m: (m.C - m.D) / sqrt(m.Tg * m.Tp),
    "goodman_kruskal_gamma": lambda m: (m.C - m.D) / (m.C + m.D),
    "somers_d": lambda m: (m.C - m.D) / m.Tg,
    "r_int": r_int,
    "reliability": reliability,
    "sensitivity": sensitivity,
    "reliability_sensitivity_f": lambda m: harmonic(reliability(m), sensitivity(m)),
    "mutual_information": mutual_information,
    "normalized_mutual_information": lambda m: (
        2 * mutual_information(m) / (entropy(m, m.g) + entropy(m, m.p))
    ),
    "purity": purity,
    "inverse_purity": inverse_purity,
    "purity_f": lambda m: harmonic(purity(m), inverse_purity(m)),
    "nmd": lambda m: (
        sum(abs(sum(m.p[i] - m.g[i] for i in range(1, k + 1))) for k in range(1, m.K))
        / (m.N * (m.K - 1))
    ),
    "rnod": rnod,
    "oc": oc,
    "uoc": uoc,
    "auoc": auoc,
    "oc_general": oc_general,
    "cem_ord": lambda m: closeness(m, lambda m, r, c: log(between(m, r, c))),
    "cem_ord_flat": lambda m: closeness(m, lambda m, r, c: 1 - between(m, r, c)),
    "cem_nom": lambda m: (
        sum(m.n[r, r] * log(m.g[r] / m.N) for r in m.P)
        / sum(m.g[r] * log(m.g[r] / m.N) for r in m.P)
    ),
    "cem_int": lambda m: closeness(m, lambda m, r, c: log(nearer(m, r, c))),
    "misclassification_cost": misclassification_cost,
    "cost_distance": lambda m: sqrt((1 - accuracy(m)) ** 2 + misclassification_cost(m) ** 2),
    "chance_distance": lambda m: abs(accuracy(m) + misclassification_cost(m) - 1) / sqrt(2),
}
