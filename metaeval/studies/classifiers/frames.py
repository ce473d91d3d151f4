"""The analyses of a study of classifiers, each a frame from the judged data sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.analysis.agreement import agreement_table
from metaeval.batch import Array
from metaeval.studies.analyses import OUTPUT_ANALYSES, OutputAnalysis, ScoredOutputs
from metaeval.studies.classifiers.published import printed_cells
from metaeval.studies.classifiers.selection import ANY, Judged
from metaeval.studies.study import Study

ClassifierAnalysis = Callable[[Sequence[Judged], Study, int], pd.DataFrame]


def choices(judged: Sequence[Judged], study: Study, jobs: int) -> pd.DataFrame:
    """Which candidate each metric chose on each split, and its test scores under every metric."""
    parts = []
    for data in judged:
        names = np.array([candidate.name for candidate in data.fitted.candidates])
        for method, group in data.groups.items():
            for metric, chosen in zip(data.metrics, data.chosen(group), strict=True):
                values = np.take_along_axis(data.test, chosen[None, :, None], axis=-1)[..., 0]
                part = pd.DataFrame(values.T, columns=[m.name for m in data.metrics])
                part.insert(0, "candidate", names[chosen])
                lead = [data.fitted.name, method, metric.name]
                parts.append(part.assign(dataset=lead[0], method=lead[1], chosen_by=lead[2]))
                parts[-1]["split"] = np.arange(1, len(part) + 1)
    return pd.concat(parts).set_index(["dataset", "method", "chosen_by", "split"])


def performance(judged: Sequence[Judged], study: Study, jobs: int) -> pd.DataFrame:
    """Test scores under each metric when that metric also chose the parameters."""
    rows = []
    for data in judged:
        for method, group in data.groups.items():
            chosen = data.chosen(group)
            for place, metric in enumerate(data.metrics):
                here = place, np.arange(chosen.shape[1]), chosen[place]
                values = metric.oriented(data.counted[here])
                mean, error = _mean(values)
                reach = _quantile(study.level, np.isfinite(values).sum()) * error
                rows.append(
                    {
                        "dataset": data.fitted.name,
                        "method": method,
                        "metric": metric.name,
                        "mean": mean,
                        "sd": _deviation(values),
                        "low": mean - reach,
                        "high": mean + reach,
                        "splits": len(values),
                        "undefined": int(np.isnan(data.test[here]).sum()),
                    }
                )
    return pd.DataFrame(rows).set_index(["dataset", "method", "metric"])


def published(judged: Sequence[Judged], study: Study, jobs: int) -> pd.DataFrame:
    """The means of `performance` beside what papers print for the same method and data set."""
    own = performance(judged, study, jobs)[["mean", "sd"]]
    values = dict(zip(own.index, own.to_numpy().tolist(), strict=True))
    rows = []
    for cell in printed_cells():
        for metric in judged[0].metrics:
            here = (cell.dataset, cell.method, metric.name)
            if cell.means(metric) and here in values:
                beside = [cell.value, cell.deviation, cell.source, cell.setting]
                rows.append((*here, *values[here], *beside))
    keys = ["dataset", "method", "metric"]
    columns = [*keys, "mean", "sd", "printed", "printed_sd", "source", "printed_from"]
    return pd.DataFrame(rows, columns=columns).set_index(keys)


def selection_cost(judged: Sequence[Judged], study: Study, jobs: int) -> pd.DataFrame:
    """What choosing under one metric costs under another, over all data sets and methods."""
    cells = [
        _costs(data, group)
        for data in judged
        for method, group in data.groups.items()
        if method != ANY
    ]
    return _cost_frame(cells, judged[0], study.level)


def selection_cost_by_data(judged: Sequence[Judged], study: Study, jobs: int) -> pd.DataFrame:
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
            mean, error = _mean(cost[by, judge])
            gain, _ = _mean(worth[by, judge])
            lost = mean / gain if gain > 0 else np.nan
            # The error of a ratio of means, by its linear approximation.
            _, lost_error = _mean((cost[by, judge] - lost * worth[by, judge]) / gain)
            splits = int(np.isfinite(cost[by, judge]).sum())
            reach = _quantile(level, splits) * error
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


def _mean(values: Array) -> tuple[float, float]:
    """Mean over the splits and its standard error."""
    known = values[np.isfinite(values)]
    if not len(known):
        return np.nan, np.nan
    return float(known.mean()), _deviation(known) / float(np.sqrt(len(known)))


def _deviation(values: Array) -> float:
    known = values[np.isfinite(values)]
    return float(known.std(ddof=1)) if len(known) > 1 else np.nan


def _quantile(level: float, number: int) -> float:
    """Student's t for an interval of a mean of so many values."""
    from scipy.special import stdtrit

    return float(stdtrit(number - 1, (1 + level) / 2)) if number > 1 else np.nan


def _agreement(judged: Sequence[Judged], study: Study, jobs: int) -> pd.DataFrame:
    """Share of pairs of candidates, tested on the same split, that two metrics order alike."""
    frames = {}
    policy = study.undefined
    for data in judged:
        names = [metric.name for metric in data.metrics]
        if isinstance(study.undefined, Mapping):
            policy = {name: study.undefined[name] for name in names if name in study.undefined}
        values = np.moveaxis(data.test, 0, -1)
        first, second = np.triu_indices(values.shape[1], 1)
        sides = [
            pd.DataFrame(values[:, side].reshape(-1, len(names)), columns=names)
            for side in (first, second)
        ]
        frames[data.fitted.name] = agreement_table(
            sides[0], sides[1], undefined=policy, level=study.level
        )
    return _by_dataset(frames)


def _of_outputs(analyse: OutputAnalysis) -> ClassifierAnalysis:
    """An analysis of systems on test cases: a system is a candidate, a case is a split."""

    def run(judged: Sequence[Judged], study: Study, jobs: int) -> pd.DataFrame:
        frames = {}
        for data in judged:
            families = {c.name: c.method for c in data.fitted.candidates}
            frames[data.fitted.name] = analyse(
                ScoredOutputs(data.test_frame(), families), study, jobs
            )
        return _by_dataset(frames)

    return run


def _by_dataset(frames: dict[str, pd.DataFrame]) -> pd.DataFrame:
    joined = pd.concat(frames, names=["dataset"])
    joined.attrs = dict(next(iter(frames.values())).attrs)
    return joined


def _of_metrics(analyse: ClassifierAnalysis) -> ClassifierAnalysis:
    """An analysis of the metrics that the study names, without those of its reference."""

    def run(judged: Sequence[Judged], study: Study, jobs: int) -> pd.DataFrame:
        return analyse([data.only(study.metrics) for data in judged], study, jobs)

    return run


CLASSIFIER_ANALYSES: dict[str, ClassifierAnalysis] = {
    "selection-cost": _of_metrics(selection_cost),
    "selection-cost-by-data": _of_metrics(selection_cost_by_data),
    "performance": _of_metrics(performance),
    "published": _of_metrics(published),
    "choices": _of_metrics(choices),
    "agreement": _of_metrics(_agreement),
    **{name: _of_outputs(analyse) for name, analyse in OUTPUT_ANALYSES.items()},
}
