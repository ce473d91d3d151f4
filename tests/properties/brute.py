"""The properties once more, in plain loops over the oracles: what the search must find.

Nothing is shared with metaeval: matrices come from itertools in the order that is documented,
scores from tests/oracles.py, and every property is written out on lists.
"""

import itertools
import math
from functools import cache

from tests.oracles import ORACLES

LOWER = {
    "mer", "mae", "mse", "amae", "amse", "mmae", "rennie_srebro", "nmd", "rnod", "oc", "uoc",
    "auoc", "oc_general", "misclassification_cost", "cost_distance",
}  # fmt: skip


@cache
def natural(key, matrix):
    return ORACLES[key](matrix)


def oriented(key, matrix):
    return -natural(key, matrix) if key in LOWER else natural(key, matrix)


def freeze(rows):
    return tuple(map(tuple, rows))


def matrices(items, classes):
    cells = list(itertools.product(range(classes), repeat=2))
    for chosen in itertools.combinations_with_replacement(cells, items):
        rows = [[0] * classes for _ in range(classes)]
        for gold, output in chosen:
            rows[gold][output] += 1
        yield freeze(rows)


def same(a, b):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))


def not_better(a, b):
    """a should exceed b and does not; False if one is missing."""
    return not (math.isnan(a) or math.isnan(b)) and not (a > b and not same(a, b))


def worse(a, b):
    return not (math.isnan(a) or math.isnan(b)) and a < b and not same(a, b)


def moved(matrix, gold, here, there):
    rows = [list(row) for row in matrix]
    rows[gold][here] -= 1
    rows[gold][there] += 1
    return freeze(rows)


def steps(matrix):
    classes = len(matrix)
    if any(sum(row) == 0 for row in matrix):
        return
    for gold, here in itertools.product(range(classes), repeat=2):
        if here != gold and matrix[gold][here]:
            yield moved(matrix, gold, here, here + (1 if here < gold else -1))


def widened(matrix, place):
    rows = [[*row[:place], 0, *row[place:]] for row in matrix]
    return freeze([*rows[:place], [0] * (len(matrix) + 1), *rows[place:]])


def perfect(matrix):
    return freeze(
        [sum(row) if c == r else 0 for c in range(len(matrix))] for r, row in enumerate(matrix)
    )


def times(matrix, factor, row=None):
    return freeze(
        [n * factor if row in (None, r) else n for n in line] for r, line in enumerate(matrix)
    )


def monotonicity(key, m):
    return any(not_better(oriented(key, a), oriented(key, m)) for a in steps(m))


def weak_monotonicity(key, m):
    return any(worse(oriented(key, a), oriented(key, m)) for a in steps(m))


def ordinal_invariance(key, m):
    return any(not same(natural(key, m), natural(key, widened(m, p))) for p in range(1, len(m)))


def unused_class_invariance(key, m):
    return any(not same(natural(key, m), natural(key, widened(m, p))) for p in (0, len(m)))


def identity(key, m):
    return m != perfect(m) and not_better(oriented(key, perfect(m)), oriented(key, m))


def symmetry(key, m):
    return not same(natural(key, m), natural(key, freeze(zip(*m, strict=True))))


def reversal_invariance(key, m):
    return not same(natural(key, m), natural(key, freeze(row[::-1] for row in m[::-1])))


def sample_size_invariance(key, m):
    return any(not same(natural(key, m), natural(key, times(m, k))) for k in (2, 3))


def class_size_invariance(key, m):
    return any(
        not same(natural(key, m), natural(key, times(m, k, row)))
        for k in (2, 3)
        for row in range(len(m))
        if sum(m[row])
    )


def single_item(key, m):
    return sum(map(sum, m)) == 1 and math.isnan(natural(key, m))


def constant_output(key, m):
    if any(sum(row) == 0 for row in m) or sum(map(any, zip(*m, strict=True))) != 1:
        return False
    return math.isnan(natural(key, m))


def absent_class(key, m):
    gold, output = sum(map(any, m)), sum(map(any, zip(*m, strict=True)))
    return 2 <= gold < len(m) and output >= 2 and math.isnan(natural(key, m))


def imbalance(key, m):
    """Only perfect matrices are looked at: they stand for their gold class sizes."""
    sizes = [sum(row) for row in m]
    if m != perfect(m) or min(sizes) == 0:
        return False
    for c in range(1, len(m) - 1):
        for large, small in ((c - 1, c + 1), (c + 1, c - 1)):
            if sizes[large] > sizes[small] and not_better(
                oriented(key, moved(m, large, large, c)), oriented(key, moved(m, small, small, c))
            ):
                return True
    return False


def triangle_inequality(key, items, classes):
    """Looks at label vectors, not matrices."""
    triples = itertools.product(range(classes), repeat=3)
    for chosen in itertools.combinations_with_replacement(list(triples), items):
        a, b, c = zip(*chosen, strict=True)
        direct, first, second = (
            natural(key, confusion(x, y, classes)) for x, y in ((a, c), (a, b), (b, c))
        )
        if worse(first + second, direct):
            return True
    return False


def confusion(true, pred, classes):
    rows = [[0] * classes for _ in range(classes)]
    for gold, output in zip(true, pred, strict=True):
        rows[gold][output] += 1
    return freeze(rows)


def baseline_means(key, items, classes):
    """Mean score over all permutations, for all gold and output vectors up to their order."""
    vectors = [
        v
        for v in itertools.combinations_with_replacement(range(classes), items)
        if len(set(v)) >= 2
    ]
    for gold, output in itertools.product(vectors, repeat=2):
        scores = [natural(key, confusion(gold, p, classes)) for p in itertools.permutations(output)]
        yield sum(scores) / len(scores)


MATRIX_PROPERTIES = {
    f.__name__.replace("_", "-"): f
    for f in (
        ordinal_invariance, unused_class_invariance, monotonicity, weak_monotonicity, imbalance,
        identity, symmetry, reversal_invariance, sample_size_invariance, class_size_invariance,
        single_item, constant_output, absent_class,
    )
}  # fmt: skip


def smallest(property, key, max_items, max_classes):
    """(items, classes, matrix) of the first violation, None if there is none."""
    for items in range(1, max_items + 1):
        for classes in range(2, max_classes + 1):
            if property == "triangle-inequality":
                if triangle_inequality(key, items, classes):
                    return items, classes, None
                continue
            for matrix in matrices(items, classes):
                if MATRIX_PROPERTIES[property](key, matrix):
                    return items, classes, matrix
    return None
