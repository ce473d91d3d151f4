"""The labels that everybody is timed and compared on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaeval.benchmarking.peer import Labels

SMALL = 40  # random edge cases, beside the built ones


def draw_labels(matrices: int, items: int, classes: int, seed: int) -> tuple[Labels, Labels]:
    """Gold and output of shape (matrices, items): outputs right or one class off."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, classes, size=(matrices, items))
    step = rng.integers(-1, 2, size=gold.shape)
    return gold, np.clip(gold + step, 0, classes - 1)


def edge_cases(classes: int, seed: int) -> Iterator[tuple[Labels, Labels]]:
    """Where libraries differ: absent classes, constants, few items, all right, all wrong."""
    scale = np.arange(classes)
    ends = np.array([0, classes - 1])
    yield scale, scale
    yield scale, scale[::-1]
    yield scale, np.zeros_like(scale)
    yield np.zeros_like(scale), scale
    yield np.zeros_like(scale), np.zeros_like(scale)
    yield np.full(3, classes - 1), np.zeros(3, dtype=np.int64)
    yield ends, ends
    yield ends, ends[::-1]
    yield np.tile(ends, 4), np.repeat(ends, 4)
    yield ends[:1], ends[1:]
    rng = np.random.default_rng([seed, 1])
    for _ in range(SMALL):
        items = int(rng.integers(2, 13))
        used = rng.choice(classes, size=int(rng.integers(1, classes + 1)), replace=False)
        seen = rng.choice(classes, size=int(rng.integers(1, classes + 1)), replace=False)
        yield rng.choice(used, size=items), rng.choice(seen, size=items)
