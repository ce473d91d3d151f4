"""Random confusion matrices with the awkward cases built in: absent classes, constant outputs."""

import itertools

import numpy as np
from hypothesis import strategies as st


def random_stack(rng, count, classes, items=60):
    """Multinomial matrices whose rows and columns are emptied at random."""
    shares = rng.dirichlet(np.full(classes * classes, 0.5), size=count)
    shares = shares.reshape(count, classes, classes)
    shares *= rng.random((count, classes, 1)) < 0.8
    shares *= rng.random((count, 1, classes)) < 0.8
    shares[:, 0, 0] += 1e-6
    flat = shares.reshape(count, -1)
    sizes = rng.integers(1, items + 1, size=count)
    return np.stack(
        [rng.multinomial(n, p / p.sum()) for n, p in zip(sizes, flat, strict=True)]
    ).reshape(count, classes, classes)


def all_matrices(items, classes):
    """Every confusion matrix with so many items, by plain enumeration."""
    cells = classes * classes
    found = []
    for bars in itertools.combinations(range(items + cells - 1), cells - 1):
        edges = (-1, *bars, items + cells - 1)
        found.append([b - a - 1 for a, b in itertools.pairwise(edges)])
    return np.array(found).reshape(-1, classes, classes)


@st.composite
def matrices(draw, max_classes=4, max_count=6):
    classes = draw(st.integers(2, max_classes))
    row = st.lists(st.integers(0, max_count), min_size=classes, max_size=classes)
    matrix = np.array(draw(st.lists(row, min_size=classes, max_size=classes)))
    if matrix.sum() == 0:
        matrix[draw(st.integers(0, classes - 1)), draw(st.integers(0, classes - 1))] = 1
    return matrix


def huge_matrix(rng, classes, items=10**12):
    """About so many items with hardly any room between them and a degenerate matrix.

    All in one cell, all correct, gold and output independent, one column, or one row; and a few
    items elsewhere, from one to a million: where differences of large numbers lose their digits.
    """
    counts = np.zeros((classes, classes), dtype=np.int64)
    kind = rng.integers(5)
    if kind == 0:
        counts[rng.integers(classes), rng.integers(classes)] = items
    elif kind == 1:
        np.fill_diagonal(counts, items // classes)
    elif kind == 2:
        counts[:] = np.outer(*rng.integers(1, 1000, (2, classes)))
        counts *= items // counts.sum()
    elif kind == 3:
        counts[:, rng.integers(classes)] = items // classes
    else:
        counts[rng.integers(classes)] = items // classes
    counts += rng.choice([0, 0, 1, 2, 7, 1_000, 10**6], size=counts.shape)
    counts[0, 0] += 1
    return counts


@st.composite
def stacks(draw, max_classes=12, max_count=30):
    """Stacks of 2 to 12 classes, of 1 to a million items a matrix, or of 10^12."""
    classes = draw(st.integers(2, max_classes))
    count = draw(st.integers(1, max_count))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    if draw(st.integers(0, 3)) == 0:
        return np.stack([huge_matrix(rng, classes) for _ in range(count)])
    return random_stack(rng, count, classes, items=draw(st.sampled_from([1, 7, 300, 10**6])))
