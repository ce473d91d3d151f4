"""Slow, literal reference implementations of every metric: the oracle of the fast ones.

Nothing here is shared with ``metaeval``, and nothing is clever. A metric is written the way its
paper defines it (items, pairs of items, explicit paths and sets) and not the way one would
compute it (suffix sums, recurrences), so that the two can only agree by both being right.

* Everything rational is a ``Fraction``, exact for any counts, 10**12 included. Floats appear with
  roots and logarithms only, on an exact argument, and at the very end.
* A definition over items loops over the non-empty *cells* and weighs each by its count; one over
  pairs of items loops over pairs of cells. It is the same sum, without needing N items.
* An undefined value (0/0) raises ``UndefinedError`` where it arises and comes out as NaN.

``ORACLES[key](matrix, **params) -> float``; true classes in rows, predicted classes in columns.
The path metrics walk all monotone paths (K=6: 1,683, K=9: 265,729, K=11: 8 million of them), and
``oc_general`` tries all sets of cells (K <= 4).
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

Number = int | float | Fraction
Rows = Sequence[Sequence[Number]]
Cell = tuple[int, int]


class UndefinedError(Exception):
    """The metric has no value on this matrix."""


class Table:
    """A confusion matrix in Python integers (numpy's would overflow inside a Fraction)."""

    def __init__(self, matrix: Sequence[Sequence[int]]) -> None:
        self.n = [[int(x) for x in row] for row in matrix]
        self.K = len(self.n)
        if self.n != [list(row) for row in matrix] or min(map(min, self.n)) < 0:
            raise ValueError("a confusion matrix holds whole numbers, none negative")
        if any(len(row) != self.K for row in self.n):
            raise ValueError("a confusion matrix is square")
        self.scale = range(self.K)
        self.gold = [sum(row) for row in self.n]
        self.pred = [sum(row[c] for row in self.n) for c in self.scale]
        self.N = sum(self.gold)
        self.present = [r for r in self.scale if self.gold[r]]
        self.cells = [(r, c, self.n[r][c]) for r in self.scale for c in self.scale if self.n[r][c]]


def ratio(numerator: Number, denominator: Number) -> Fraction:
    if denominator == 0:
        raise UndefinedError
    return Fraction(numerator) / Fraction(denominator)


def over_root(numerator: Number, square: Number) -> float:
    """numerator / sqrt(square), as one root of one exact fraction: a single rounding."""
    return math.copysign(math.sqrt(ratio(Fraction(numerator) ** 2, square)), numerator)


def log(x: Fraction) -> float:
    """Natural logarithm; log1p near 1, where float(x) would lose the digits that matter."""
    return math.log1p(x - 1) if Fraction(1, 2) < x < 2 else math.log(x)


def mean(values: Iterable[Fraction]) -> Fraction:
    listed = list(values)
    return ratio(sum(listed), len(listed))


def harmonic(a: Fraction, b: Fraction) -> Fraction:
    """0 when both are 0, by convention: both are defined, and as bad as can be."""
    return ratio(2 * a * b, a + b) if a + b else Fraction(0)


def sign(x: int) -> int:
    return (x > 0) - (x < 0)


# --- right or wrong, class by class


def accuracy(t: Table) -> Fraction:
    return ratio(sum(n for r, c, n in t.cells if r == c), t.N)


def mer(t: Table) -> Fraction:
    return ratio(sum(n for r, c, n in t.cells if r != c), t.N)


def accuracy_within(t: Table, n: int = 1) -> Fraction:
    return ratio(sum(count for r, c, count in t.cells if abs(r - c) <= n), t.N)


def recalls(t: Table) -> list[Fraction]:
    return [ratio(t.n[r][r], t.gold[r]) for r in t.present]


def macro_recall(t: Table) -> Fraction:
    return mean(recalls(t))


def macro_f1(t: Table) -> Fraction:
    # 2TP / (2TP + FP + FN): its denominator is positive for every class present in the gold
    return mean(ratio(2 * t.n[r][r], t.gold[r] + t.pred[r]) for r in t.present)


def g_mean(t: Table) -> float:
    return float(math.prod(recalls(t), start=Fraction(1)) ** (1 / len(t.present)))


def min_sensitivity(t: Table) -> Fraction:
    return min(recalls(t))


def kappa(t: Table, weight: Callable[[int], int]) -> Fraction:
    """1 - observed / expected disagreement, weighted by distance over the whole scale."""
    pairs = list(itertools.product(t.scale, repeat=2))
    observed = sum(weight(abs(r - c)) * ratio(t.n[r][c], t.N) for r, c in pairs)
    expected = sum(weight(abs(r - c)) * ratio(t.gold[r] * t.pred[c], t.N**2) for r, c in pairs)
    return 1 - ratio(observed, expected)


def cohen_kappa(t: Table) -> Fraction:
    return kappa(t, lambda distance: int(distance > 0))


def linear_weighted_kappa(t: Table) -> Fraction:
    return kappa(t, lambda distance: distance)


def quadratic_weighted_kappa(t: Table) -> Fraction:
    return kappa(t, lambda distance: distance**2)


def mcc(t: Table) -> float:
    """Gorodkin: cov(X, Y) / sqrt(cov(X, X) cov(Y, Y)) of the items' one-hot gold and prediction."""
    sizes = (t.gold, t.pred)

    def covariance(a: int, b: int) -> Fraction:  # 0: gold, 1: prediction
        total = Fraction(0)
        for k, (*labels, n) in itertools.product(t.scale, t.cells):
            x = int(labels[a] == k) - ratio(sizes[a][k], t.N)
            y = int(labels[b] == k) - ratio(sizes[b][k], t.N)
            total += n * x * y
        return total

    return over_root(covariance(0, 1), covariance(0, 0) * covariance(1, 1))


# --- distances of class indices


def mae(t: Table) -> Fraction:
    return ratio(sum(n * abs(r - c) for r, c, n in t.cells), t.N)


def mse(t: Table) -> Fraction:
    return ratio(sum(n * (r - c) ** 2 for r, c, n in t.cells), t.N)


def class_errors(t: Table, exponent: int, absent: str) -> list[Fraction]:
    if absent not in ("skip", "zero"):
        raise ValueError(f"absent is 'skip' or 'zero', not {absent!r}")
    sums = [sum(n * abs(r - c) ** exponent for c, n in enumerate(t.n[r])) for r in t.scale]
    classes = t.present if absent == "skip" else t.scale
    return [ratio(sums[r], t.gold[r]) if t.gold[r] else Fraction(0) for r in classes]


def amae(t: Table, absent: str = "skip") -> Fraction:
    return mean(class_errors(t, 1, absent))


def amse(t: Table, absent: str = "skip") -> Fraction:
    return mean(class_errors(t, 2, absent))


def mmae(t: Table, absent: str = "skip") -> Fraction:
    return max(class_errors(t, 1, absent))


def cosine(t: Table) -> float:
    xx = sum(n * (r + 1) ** 2 for r, _, n in t.cells)
    yy = sum(n * (c + 1) ** 2 for _, c, n in t.cells)
    return over_root(sum(n * (r + 1) * (c + 1) for r, c, n in t.cells), xx * yy)


def rennie_srebro(t: Table) -> Fraction:
    """Mean over items of sum_k f(s_k (theta_k - z)): theta_k = k + 1/2 between classes k and k+1,
    z the predicted index, s_k = +1 if the gold class is below theta_k else -1, f logistic."""
    total = Fraction(0)
    for gold, z, n in t.cells:
        for k in range(t.K - 1):
            s = 1 if gold <= k else -1
            total += n * Fraction(math.log1p(math.exp(-s * (k + 0.5 - z))))
    return ratio(total, t.N)


# --- correlation and order


def correlation(points: list[tuple[Fraction, Fraction, int]]) -> float:
    total = sum(n for _, _, n in points)
    mx = ratio(sum(n * x for x, _, n in points), total)
    my = ratio(sum(n * y for _, y, n in points), total)
    xx = sum(n * (x - mx) ** 2 for x, _, n in points)
    yy = sum(n * (y - my) ** 2 for _, y, n in points)
    return over_root(sum(n * (x - mx) * (y - my) for x, y, n in points), xx * yy)


def pearson(t: Table) -> float:
    return correlation([(Fraction(r + 1), Fraction(c + 1), n) for r, c, n in t.cells])


def spearman(t: Table) -> float:
    def mid_rank(sizes: list[int], k: int) -> Fraction:  # mean of the ranks the class occupies
        below = sum(sizes[:k])
        return Fraction((below + 1) + (below + sizes[k]), 2)

    return correlation([(mid_rank(t.gold, r), mid_rank(t.pred, c), n) for r, c, n in t.cells])


def pair_counts(t: Table) -> dict[str, int]:
    """Unordered pairs of different items: concordant, discordant, tied in the gold only, in the
    prediction only, in both. A cell makes n(n - 1)/2 pairs with itself."""
    pairs = dict.fromkeys(("C", "D", "gold", "pred", "both"), 0)
    for _, _, n in t.cells:
        pairs["both"] += n * (n - 1) // 2
    for (r, c, n), (r2, c2, n2) in itertools.combinations(t.cells, 2):
        order = sign(r - r2) * sign(c - c2)
        kind = "C" if order > 0 else "D" if order < 0 else "gold" if r == r2 else "pred"
        pairs[kind] += n * n2
    return pairs


def kendall_tau_a(t: Table) -> Fraction:
    p = pair_counts(t)
    return ratio(p["C"] - p["D"], sum(p.values()))  # all N(N - 1)/2 pairs; none if N = 1


def kendall_tau_b(t: Table) -> float:
    p = pair_counts(t)
    untied = p["C"] + p["D"]
    return over_root(p["C"] - p["D"], (untied + p["gold"]) * (untied + p["pred"]))


def goodman_kruskal_gamma(t: Table) -> Fraction:
    p = pair_counts(t)
    return ratio(p["C"] - p["D"], p["C"] + p["D"])


def somers_d(t: Table) -> Fraction:
    """D(prediction | gold), which is scipy's for this table (rows are the independent variable):
    over all pairs with different gold. Undefined for constant gold, 0 for constant output."""
    p = pair_counts(t)
    return ratio(p["C"] - p["D"], p["C"] + p["D"] + p["pred"])


def r_int(t: Table) -> float:
    """By the sets of the corrigendum (003), not by its sums: S is the set of ordered pairs (o, o')
    of different items with v(o) <= v(o')."""
    s1 = s2 = both = 0
    for (r, c, n), (r2, c2, n2) in itertools.product(t.cells, repeat=2):
        pairs = n * (n2 - 1 if (r, c) == (r2, c2) else n2)
        s1 += pairs * (r <= r2)
        s2 += pairs * (c <= c2)
        both += pairs * (r <= r2 and c <= c2)
    return -1 + 2 * over_root(both, s1 * s2)


def order_agreement(labels: list[tuple[int, int, int]]) -> Fraction:
    """Mean over items d of the share, among the items d' that the first labelling separates from
    d, of those that the second orders the same way. Items separated from none do not count."""
    total, items = Fraction(0), 0
    for a, b, n in labels:
        others = [(a2, b2, n2) for a2, b2, n2 in labels if a2 != a]
        if others:
            alike = sum(n2 for a2, b2, n2 in others if sign(b2 - b) == sign(a2 - a))
            total += n * ratio(alike, sum(n2 for _, _, n2 in others))
            items += n
    return ratio(total, items)


def reliability(t: Table) -> Fraction:
    return order_agreement([(c, r, n) for r, c, n in t.cells])


def sensitivity(t: Table) -> Fraction:
    return order_agreement(t.cells)


def reliability_sensitivity_f(t: Table) -> Fraction:
    return harmonic(reliability(t), sensitivity(t))


# --- information, clusters, agreement, quantification


def mutual_information(t: Table) -> float:
    terms = [(n, log(ratio(n * t.N, t.gold[r] * t.pred[c]))) for r, c, n in t.cells]
    return math.fsum(ratio(n, t.N) * term for n, term in terms) / math.log(2)


def entropy(sizes: list[int]) -> float:
    shares = [ratio(n, sum(sizes)) for n in sizes if n]
    return -math.fsum(share * log(share) for share in shares) / math.log(2)


def normalized_mutual_information(t: Table) -> Fraction:
    return ratio(2 * mutual_information(t), entropy(t.gold) + entropy(t.pred))


def purity(t: Table) -> Fraction:
    return ratio(sum(max(t.n[r][c] for r in t.scale) for c in t.scale), t.N)


def inverse_purity(t: Table) -> Fraction:
    return ratio(sum(max(t.n[r][c] for c in t.scale) for r in t.scale), t.N)


def purity_f(t: Table) -> Fraction:
    return harmonic(purity(t), inverse_purity(t))


def krippendorff_alpha(t: Table) -> Fraction:
    """From the coincidence matrix: each item is two ordered pairs of values, (r, c) and (c, r)."""
    o = [[t.n[a][b] + t.n[b][a] for b in t.scale] for a in t.scale]
    n = [sum(row) for row in o]
    observed = expected = Fraction(0)
    for a, b in itertools.product(t.scale, repeat=2):
        delta = sum(n[min(a, b) : max(a, b) + 1]) - Fraction(n[a] + n[b], 2)
        observed += o[a][b] * delta**2
        expected += n[a] * n[b] * delta**2
    return 1 - (sum(n) - 1) * ratio(observed, expected)


def nmd(t: Table) -> Fraction:
    gaps = [ratio(sum(t.pred[: k + 1]) - sum(t.gold[: k + 1]), t.N) for k in t.scale]
    return ratio(sum(abs(gap) for gap in gaps), t.K - 1)


def rnod(t: Table) -> float:
    squares = [ratio(t.pred[j] - t.gold[j], t.N) ** 2 for j in t.scale]
    od = mean(sum((abs(i - j) * squares[j] for j in t.scale), Fraction(0)) for i in t.present)
    return math.sqrt(ratio(od, t.K - 1))


# --- paths (000 and 004)


def power(d: int, gamma: float) -> Fraction:
    if gamma <= 0:
        raise ValueError("gamma must be positive")
    return Fraction(d ** int(gamma) if gamma == int(gamma) else d**gamma)


def root(x: Number, gamma: float) -> Fraction:
    return Fraction(x) if gamma == 1 else Fraction(float(x) ** (1 / gamma))


def deviations(rows: Rows, gamma: float) -> list[list[Number]]:
    """rows[r][c] |r - c|^gamma"""
    return [[x * power(abs(r - c), gamma) for c, x in enumerate(row)] for r, row in enumerate(rows)]


def path_sums(benefit: Rows, penalty: Rows) -> set[tuple[Number, Number]]:
    """(benefit, penalty) of every monotone path from (0, 0) to (K - 1, K - 1), by walking them."""
    last = len(benefit) - 1

    def walk(r: int, c: int, gain: Number, loss: Number) -> Iterator[tuple[Number, Number]]:
        gain, loss = gain + benefit[r][c], loss + penalty[r][c]
        if r == c == last:
            yield gain, loss
        for r2, c2 in ((r + 1, c), (r, c + 1), (r + 1, c + 1)):
            if r2 <= last and c2 <= last:
                yield from walk(r2, c2, gain, loss)

    return set(walk(0, 0, 0, 0))


def fraction_of_maximum(t: Table, beta: float, gamma: float) -> Fraction:
    """b = beta / (N (K - 1)^gamma). With one class it only ever multiplies 0: any value does."""
    return Fraction(beta) / (t.N * power(t.K - 1, gamma)) if t.K > 1 else Fraction(0)


def oc(
    t: Table,
    beta: float = 0.25,
    gamma: float = 1,
    beta_raw: float | None = None,
    dispersion: bool = True,
) -> Number:
    b = fraction_of_maximum(t, beta, gamma) if beta_raw is None else Fraction(beta_raw)
    penalty = deviations(t.n, gamma)
    whole = t.N + (root(sum(map(sum, penalty)), gamma) if dispersion else 0)
    return min(1 - ratio(gain, whole) + b * loss for gain, loss in path_sums(t.n, penalty))


@functools.cache
def connected_sets(k: int) -> list[tuple[set[Cell], int]]:
    """The vertex sets of all walks from corner to corner (the 8-connected sets that hold both
    corners), each with its number of discordant vertex pairs; found by trying every subset."""
    if k > 4:
        raise ValueError("oc_general's oracle tries every set of cells: K <= 4")
    corners = {(0, 0), (k - 1, k - 1)}
    free = [(r, c) for r in range(k) for c in range(k) if (r, c) not in corners]
    found = []
    for chosen in itertools.product((False, True), repeat=len(free)):
        cells = corners | set(itertools.compress(free, chosen))
        reached, frontier = {(0, 0)}, [(0, 0)]
        while frontier:
            row, col = frontier.pop()
            new = {(r, c) for r, c in cells - reached if abs(r - row) <= 1 and abs(c - col) <= 1}
            reached |= new
            frontier += new
        if reached == cells:
            pairs = itertools.combinations(cells, 2)
            found.append((cells, sum((r - r2) * (c - c2) < 0 for (r, c), (r2, c2) in pairs)))
    return found


def oc_general(t: Table, beta1: float, beta2: float, gamma: float = 1) -> Number:
    """Eq. 8. A walk may revisit a cell; it counts once, else MAE/(1+MAE) would not come out."""
    b1, b2 = fraction_of_maximum(t, beta1, gamma), Fraction(beta2)
    penalty = deviations(t.n, gamma)
    whole = t.N + root(sum(map(sum, penalty)), gamma)
    costs = []
    for cells, discordant in connected_sets(t.K):
        gain, loss = sum(t.n[r][c] for r, c in cells), sum(penalty[r][c] for r, c in cells)
        costs.append(1 - ratio(gain, whole) + b1 * loss + b2 * discordant)
    return min(costs)


def uoc_lines(t: Table, gamma: float) -> set[tuple[Fraction, Fraction]]:
    """(1 - benefit/(K' + M), penalty) of every monotone path, on rows divided by their sums."""
    rows = [[ratio(x, max(size, 1)) for x in row] for row, size in zip(t.n, t.gold, strict=True)]
    penalty = deviations(rows, gamma)
    present = len(t.present)
    # The root is taken of the mean dispersion, as in eq. 20; eq. 21 to 28 print K/K^gamma for
    # K/K^(1/gamma). Both agree at gamma = 1, the only value for which the paper has figures.
    m = present * root(ratio(sum(map(sum, penalty)), present), gamma)
    sums = path_sums(rows, penalty)
    return {(1 - ratio(gain, present + m), Fraction(loss)) for gain, loss in sums}


def uoc(t: Table, beta: float = 0.25, gamma: float = 1, beta_raw: float | None = None) -> Fraction:
    b = Fraction(beta) / len(t.present) if beta_raw is None else Fraction(beta_raw)
    return min(intercept + b * loss for intercept, loss in uoc_lines(t, gamma))


def auoc(t: Table) -> Fraction:
    """Exact area on [0, 1] below the lower envelope of one line in beta a path: follow the lowest
    line until a flatter one first crosses it, change over, go on."""
    lines = {(a, loss / len(t.present)) for a, loss in uoc_lines(t, 1)}
    x, area = Fraction(0), Fraction(0)
    a, s = min(lines)  # the lowest at 0, the flattest of those
    while x < 1:
        crossings = [((a2 - a) / (s - s2), s2, a2) for a2, s2 in lines if s2 < s]
        cross, s2, a2 = min(crossings, default=(Fraction(1), s, a))
        end = min(cross, Fraction(1))
        area += (end - x) * (a + s * (x + end) / 2)
        x, a, s = end, a2, s2
    return area


# --- closeness (002)


def cem(t: Table, closeness: Callable[[int, int], Number]) -> Fraction:
    """Sum over items of closeness(system class, gold class), over that of the perfect output."""
    scored = sum(n * Fraction(closeness(c, r)) for r, c, n in t.cells)
    return ratio(scored, sum(n * Fraction(closeness(r, r)) for r, _, n in t.cells))


def between(t: Table, s: int, g: int) -> Fraction:
    """Half of the system's class plus the classes from it (exclusive) to the gold (inclusive)."""
    inner = [k for k in t.scale if s < k <= g or g <= k < s]
    return ratio(t.gold[s] + 2 * sum(t.gold[k] for k in inner), 2 * t.N)


def nearer(t: Table, s: int, g: int) -> Fraction:
    """Items nearer to the gold class than the system's is, plus half of those just as near."""
    inside = sum(t.gold[k] for k in t.scale if abs(k - g) < abs(s - g))
    border = sum(t.gold[k] for k in t.scale if abs(k - g) == abs(s - g))
    return ratio(2 * inside + border, 2 * t.N)


def cem_ord(t: Table) -> Fraction:
    return cem(t, lambda s, g: -log(between(t, s, g)))


def cem_ord_flat(t: Table) -> Fraction:
    return cem(t, lambda s, g: 1 - between(t, s, g))


def cem_nom(t: Table) -> Fraction:
    return cem(t, lambda s, g: -log(ratio(t.gold[g], t.N)) if s == g else 0)


def cem_int(t: Table) -> Fraction:
    return cem(t, lambda s, g: -log(nearer(t, s, g)))


# --- cost (001)


def costs_of(t: Table, cost: Rows | None) -> list[list[Fraction]]:
    """[r][c]: true r predicted c; the paper prints the transpose. Its formula divides by the gold
    size of the predicted class, so it needs every class of the scale in the gold."""
    if cost is not None:
        return [[Fraction(float(x)) for x in row] for row in cost]
    return [[ratio(t.N - t.gold[r], t.gold[c]) * abs(r - c) for c in t.scale] for r in t.scale]


def max_total_cost(t: Table, cost: Rows | None) -> Fraction:
    return Fraction(sum(t.gold[r] * max(row) for r, row in enumerate(costs_of(t, cost))))


def max_total_cost_lp(matrix: Sequence[Sequence[int]], cost: Rows | None = None) -> float:
    """Eq. 6 as the paper states it, a linear programme over the matrices F with these gold sizes
    and an empty diagonal. Not used above: it is there to test the closed form."""
    from scipy.optimize import linprog

    t = Table(matrix)
    costs = costs_of(t, cost)
    cells = list(itertools.product(t.scale, repeat=2))
    found = linprog(
        [-float(costs[r][c]) for r, c in cells],
        A_eq=[[float(r == row) for r, _ in cells] for row in t.scale],
        b_eq=t.gold,
        bounds=[(0, 0) if r == c else (0, None) for r, c in cells],
    )
    return -float(found.fun or 0)


def misclassification_cost(t: Table, cost: Rows | None = None) -> Fraction:
    costs = costs_of(t, cost)
    return ratio(sum(n * costs[r][c] for r, c, n in t.cells), max_total_cost(t, cost))


def cost_distance(t: Table, cost: Rows | None = None) -> float:
    return math.sqrt((1 - accuracy(t)) ** 2 + misclassification_cost(t, cost) ** 2)


def chance_distance(t: Table, cost: Rows | None = None) -> float:
    return abs(accuracy(t) + misclassification_cost(t, cost) - 1) / math.sqrt(2)


# --- the table of oracles


def evaluated(metric: Callable[..., Number]) -> Callable[..., float]:
    """The metric on a matrix instead of a Table; NaN where it is undefined, and for N = 0."""

    @functools.wraps(metric)
    def evaluate(matrix: Sequence[Sequence[int]], **params: Any) -> float:
        t = Table(matrix)
        try:
            return float(metric(t, **params)) if t.N else math.nan
        except UndefinedError:
            return math.nan

    return evaluate


_METRICS: list[Callable[..., Number]] = [
    *(accuracy, mer, accuracy_within, macro_recall, macro_f1, g_mean, min_sensitivity),
    *(cohen_kappa, linear_weighted_kappa, quadratic_weighted_kappa, mcc),
    *(mae, mse, amae, amse, mmae, cosine, rennie_srebro, pearson, spearman),
    *(kendall_tau_a, kendall_tau_b, goodman_kruskal_gamma, somers_d, r_int),
    *(reliability, sensitivity, reliability_sensitivity_f),
    *(mutual_information, normalized_mutual_information, purity, inverse_purity, purity_f),
    *(krippendorff_alpha, nmd, rnod, oc, oc_general, uoc, auoc),
    *(cem_ord, cem_ord_flat, cem_nom, cem_int),
    *(misclassification_cost, cost_distance, chance_distance),
]
ORACLES: dict[str, Callable[..., float]] = {f.__name__: evaluated(f) for f in _METRICS}
