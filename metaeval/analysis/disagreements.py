"""The pairs of matrices on which two metrics contradict each other most, smallest first."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.analysis.scores import steps
from metaeval.batch import Array
from metaeval.errors import InputError
from metaeval.measures.metric import Metric
from metaeval.measures.scoring import score_stack
from metaeval.stack import Stack

Places = NDArray[np.intp]


def disagreements(
    stack_a: Stack, stack_b: Stack, first: Metric, second: Metric, top: int = 10
) -> pd.DataFrame:
    """Pairs (row i of a, row i of b) that the metrics order in opposite ways, both strictly.

    The columns `better` and `worse` are the matrices as the first metric sees them; the second
    sees it the other way round. The strength of a contradiction is the smaller of the two
    differences, each in standard deviations of that metric's differences over all given pairs:
    both metrics must mean it. Of every number of items the strongest pair is shown, then of every
    number the second, until there are `top`; they are listed smallest first. Matrices are text
    that can be pasted back; `pair` is the row in the given stacks.
    """
    if stack_a.shape != stack_b.shape:
        raise InputError(
            f"stacks of shape {stack_a.shape} and {stack_b.shape} are no pairs of matrices"
        )
    both = [first, second]
    scores = np.stack([score_stack(stack, both) for stack in (stack_a, stack_b)])
    gaps = np.stack([m.oriented(scores[0, i] - scores[1, i]) for i, m in enumerate(both)])
    with np.errstate(invalid="ignore"):
        places = np.flatnonzero(np.sign(steps(gaps)).prod(axis=0) == -1)
    strength = _strength(gaps)[places]
    items = np.maximum(stack_a[places].sum(axis=(1, 2)), stack_b[places].sum(axis=(1, 2)))
    chosen = _choose(items, strength, top)
    rows = []
    for number, place in zip(chosen, places[chosen], strict=True):
        sides = [0, 1] if gaps[0, place] > 0 else [1, 0]
        better, worse = ((stack_a, stack_b)[side][place] for side in sides)
        rows.append([int(place), items[number].item(), spell(better), spell(worse)])
        rows[-1] += [float(scores[side, i, place]) for i in (0, 1) for side in sides]
        rows[-1].append(float(strength[number]))
    columns = [f"{metric.name}, {side}" for metric in both for side in ("better", "worse")]
    return pd.DataFrame(rows, columns=["pair", "items", "better", "worse", *columns, "strength"])


def spell(matrix: Stack) -> str:
    """A matrix as text that Python, JSON and the command line read back."""
    return str(matrix.tolist()).replace(" ", "")


def _strength(gaps: Array) -> Array:
    known = np.isfinite(gaps)
    spread = np.std(gaps, axis=1, where=known) if known.any(axis=1).all() else np.zeros(len(gaps))
    smaller: Array = np.min(np.abs(gaps) / np.where(spread > 0, spread, 1.0)[:, None], axis=0)
    return smaller


def _choose(items: NDArray[np.generic], strength: Array, top: int) -> Places:
    """Places of the pairs to show: in turn one of each size, the strongest first; then by size."""
    order = np.lexsort((-strength, items))
    sizes = items[order]
    turn = np.arange(len(order)) - np.searchsorted(sizes, sizes)
    shown = np.sort(np.lexsort((sizes, turn))[:top])
    return order[shown]
