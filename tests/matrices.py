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
