"""Misclassification cost: errors into rare classes cost more, and distance counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from metaeval.batch import Array, Batch, Mask, index_distance
from metaeval.errors import InputError
from metaeval.measures.domains import COST_MATRIX, optional
from metaeval.measures.nominal import accuracy
from metaeval.measures.premises import ALL_GOLD_CLASSES, Premise
from metaeval.measures.registry import register

CostTable = tuple[tuple[float, ...], ...]


def _no_finite_maximum(batch: Batch, parameters: Mapping[str, Any]) -> Mask:
    if parameters["cost"] is None:
        return ALL_GOLD_CLASSES.fails(batch, parameters)
    return _given_cost(batch, parameters["cost"])[1] == 0


POSSIBLE_COST = Premise(
    "every class of the scale occurs in gold (or a cost table with some cost is given)",
    "a class of the scale has no gold item, so that its cost is infinite, or no error costs "
    "anything",
    _no_finite_maximum,
)
PARAMETERS = {"cost": optional(COST_MATRIX)}


def _given_cost(batch: Batch, cost: CostTable) -> tuple[Array, Array]:
    table = np.array(cost)
    if len(table) != batch.classes:
        raise InputError(f"the cost table has {len(table)} classes, the matrix {batch.classes}")
    return batch.weighted_sum(table), table.max(axis=1) @ batch.rows


def _paper_cost(batch: Batch) -> tuple[Array, Array]:
    """Total cost and the most it could be: each gold class wholly sent where it costs most."""
    unit = index_distance(batch.classes)
    rarity = 1 / batch.rows
    total = np.zeros(batch.size)
    worst = np.zeros(batch.size)
    for r in range(batch.classes):
        price = unit[r][:, None] * rarity
        others = batch.total - batch.rows[r]
        total += others * (batch.counts[r] * price).sum(axis=0)
        worst += others * batch.rows[r] * price.max(axis=0)
    return total, worst


def _cost_share(batch: Batch, cost: CostTable | None) -> Array:
    total, worst = _paper_cost(batch) if cost is None else _given_cost(batch, cost)
    return total / worst


@register(
    takes="batch",
    family="cost",
    greater_is_better=False,
    range=(0, 1),
    premises=[POSSIBLE_COST],
    parameters=PARAMETERS,
    paper="George, Lu & Chang",
    year=2016,
    equation="eqs 4-6",
    meaning="total cost of the errors over the highest possible for these gold classes",
    formula=r"\frac{\sum_{rc} v_{rc}\, n_{rc}}{\sum_r n_{r\cdot} \max_c v_{rc}}, \quad "
    r"v_{rc} = \frac{N - n_{r\cdot}}{n_{c\cdot}} |r-c| \text{, or the given cost}",
)
def misclassification_cost(batch: Batch, cost: CostTable | None = None) -> Array:
    return _cost_share(batch, cost)


@register(
    takes="batch",
    family="cost",
    greater_is_better=False,
    range=(0, float(np.sqrt(2))),
    premises=[POSSIBLE_COST],
    parameters=PARAMETERS,
    paper="George, Lu & Chang",
    year=2016,
    equation="eq. 7",
    meaning="distance from the ideal corner in the plane of accuracy and cost",
    formula=r"\sqrt{(1 - A)^2 + B^2}, \quad A = \text{accuracy}, \quad "
    r"B = \text{misclassification\_cost}",
)
def cost_distance(batch: Batch, cost: CostTable | None = None) -> Array:
    return np.hypot(1 - accuracy(batch), _cost_share(batch, cost))


@register(
    takes="batch",
    family="cost",
    range=(0, float(np.sqrt(0.5))),
    premises=[POSSIBLE_COST],
    parameters=PARAMETERS,
    paper="George, Lu & Chang",
    year=2016,
    equation="section 2.3",
    meaning="distance from the line of chance in that plane; the paper's tie-break",
    formula=r"\frac{|A + B - 1|}{\sqrt 2}, \quad A = \text{accuracy}, \quad "
    r"B = \text{misclassification\_cost}",
)
def chance_distance(batch: Batch, cost: CostTable | None = None) -> Array:
    return np.abs(accuracy(batch) + _cost_share(batch, cost) - 1) / np.sqrt(2)
