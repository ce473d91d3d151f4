"""The random search: objects larger than can be enumerated."""

from __future__ import annotations

from itertools import pairwise
from zlib import crc32

import numpy as np

from metaeval.properties.base import Bounds, Property
from metaeval.properties.compositions import Counts
from metaeval.properties.effort import Effort
from metaeval.properties.search import Tally
from metaeval.properties.shrink import first_violating, shrink
from metaeval.properties.tables import Scorer

# How unevenly items are spread over the cells: from a few full cells to nearly even.
CONCENTRATIONS = (0.05, 0.3, 3.0)


def sample(
    property: Property, scorer: Scorer, beyond: Bounds, effort: Effort, seed: int, number: int
) -> Tally:
    """Judge random objects larger than `beyond`; the smallest violation found is shrunk."""
    tally = Tally()
    rng = np.random.default_rng([seed, crc32(property.name.encode())])
    most = effort.largest.classes
    if scorer.subject.max_classes is not None:
        most = min(most, scorer.subject.max_classes - property.added_classes)
    sizes = range(property.fewest_classes, most + 1)
    for classes, (start, stop) in zip(
        sizes, pairwise(np.linspace(0, number, len(sizes) + 1).astype(int)), strict=True
    ):
        objects = draw(property, classes, stop - start, beyond.items, effort.largest.items, rng)
        tally.add(list(property.judge(objects, scorer, clearly=True)), scorer)
        if tally.violation is not None:
            at = first_violating(property, scorer, objects)
            smallest = shrink(property, scorer, objects[..., at], effort.patience)
            shown = Tally()
            shown.add(list(property.judge(smallest[..., None], scorer, clearly=True)), scorer)
            tally.violation = shown.violation
            break
    return tally


def draw(
    property: Property,
    classes: int,
    number: int,
    beyond: int,
    most: int,
    rng: np.random.Generator,
) -> Counts:
    """Random objects (K, ..., K, n), the smallest first."""
    cells = classes**property.axes
    fixed = property.least * cells
    room = max(most - fixed - classes, 1)
    low = min(max(beyond + 1 - fixed, 1), room)
    items = np.exp(rng.uniform(np.log(low), np.log(room + 1), number)).astype(int)
    weights = rng.gamma(np.resize(CONCENTRATIONS, number)[:, None], size=(number, cells)) + 1e-9
    diagonal = np.arange(classes) * sum(classes**axis for axis in range(property.axes))
    # Every other object is mostly right and has all gold classes, which premises often want.
    weights[::2, diagonal] += weights[::2].sum(axis=1, keepdims=True) / classes
    counts = rng.multinomial(items, weights / weights.sum(axis=1, keepdims=True))
    if property.axes > 1:
        counts[::2, diagonal] += 1
    counts += property.least
    counts = counts[np.argsort(counts.sum(axis=1), kind="stable")]
    return counts.T.astype(np.int16).reshape(*[classes] * property.axes, -1)
