"""What choosing parameters under one metric costs under another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.batch import Array
from metaeval.execution import Jobs
from metaeval.studies.classifiers.means import mean_and_error, reach_of
from metaeval.studies.classifiers.selection import ANY, Judged
from metaeval.studies.study import Study


def selection_cost(judged: Sequence[Judged], study: Study, jobs: Jobs) -> pd.DataFrame:
    """What choosing under one metric costs under another, over all data sets and methods."""
    cells = [
        _costs(data, group)
        for data in judged
        for method, group in data.groups.items()
        if method != ANY
    ]
    return _cost_frame(cells, judged[0], study.level)


def selection_cost_by_data(judged: Sequence[Judged], study: Study, jobs: Jobs) -> pd.DataFrame:
    """The same for each data set and method, and for the choice among all methods' candidates."""
    found = {
        (data.fitted.name, method): _cost_frame([_costs(data, group)], data, study.level)
        for data in judged
        for method, group in data.groups.items()
    }
    return pd.concat(found, names=["dataset", "method"])


Costs = tuple[Array, Array, NDArray[np.bool_]]


def _costs(data: Judged, group: list[int]) -> Costs:
    """By choosing metric, judging metric and split: the cost, the worth, whether both agree.

    The cost is the test score of what the judging metric would have chosen itself minus that of
    what was chosen; the worth is what the judge's own choice gains over the average candidate.
    """
    chosen, counted = data.chosen(group), data.counted
    got = np.take_along_axis(counted[None], chosen[:, None, :, None], axis=-1)[..., 0]
    own = np.einsum("jjs->js", got)
    worth = own - counted[..., group].mean(axis=-1)
    return own - got, np.broadcast_to(worth, got.shape), chosen[:, None] == chosen[None]


def _cost_frame(cells: Sequence[Costs], data: Judged, level: float) -> pd.DataFrame:
    names = [metric.name for metric in data.metrics]
    costs, worths, agreed = zip(*cells, strict=True)
    cost, worth = _mean_of(costs), _mean_of(worths)
    same = np.mean(agreed, axis=(0, -1))
    rows = []
    for by, chooser in enumerate(names):
        for judge, judging in enumerate(names):
            mean, error = mean_and_error(cost[by, judge])
            gain, _ = mean_and_error(worth[by, judge])
            lost = mean / gain if gain > 0 else np.nan
            # The error of a ratio of means, by its linear approximation.
            _, lost_error = mean_and_error((cost[by, judge] - lost * worth[by, judge]) / gain)
            splits = int(np.isfinite(cost[by, judge]).sum())
            reach = reach_of(level, splits) * error
            rows.append(
                {
                    "chosen_by": chooser,
                    "judged_by": judging,
                    "cost": mean,
                    "se": error,
                    "low": mean - reach,
                    "high": mean + reach,
                    "worth": gain,
                    "lost": lost,
                    "lost_se": lost_error,
                    "same_choice": float(same[by, judge]),
                    "splits": splits,
                }
            )
    return pd.DataFrame(rows).set_index(["chosen_by", "judged_by"])


def _mean_of(cells: Sequence[Array]) -> Array:
    """Means over data sets and methods; undefined ones take no part."""
    stack = np.stack(cells)
    known = np.isfinite(stack)
    with np.errstate(invalid="ignore"):
        return np.where(known, stack, 0.0).sum(axis=0) / known.sum(axis=0)
