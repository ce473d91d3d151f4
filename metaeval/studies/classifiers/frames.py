"""The analyses of a study of classifiers, each a frame from the judged data sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from metaeval.analysis.agreement import agreement_table
from metaeval.execution import Jobs
from metaeval.studies.analyses import OUTPUT_ANALYSES, OutputAnalysis, ScoredOutputs
from metaeval.studies.classifiers.costs import selection_cost, selection_cost_by_data
from metaeval.studies.classifiers.means import deviation, mean_and_error, reach_of
from metaeval.studies.classifiers.published import printed_cells
from metaeval.studies.classifiers.selection import Judged
from metaeval.studies.study import Study

ClassifierAnalysis = Callable[[Sequence[Judged], Study, Jobs], pd.DataFrame]


def choices(judged: Sequence[Judged], study: Study, jobs: Jobs) -> pd.DataFrame:
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


def performance(judged: Sequence[Judged], study: Study, jobs: Jobs) -> pd.DataFrame:
    """Test scores under each metric when that metric also chose the parameters."""
    rows = []
    for data in judged:
        for method, group in data.groups.items():
            chosen = data.chosen(group)
            for place, metric in enumerate(data.metrics):
                here = place, np.arange(chosen.shape[1]), chosen[place]
                values = metric.oriented(data.counted[here])
                mean, error = mean_and_error(values)
                reach = reach_of(study.level, int(np.isfinite(values).sum())) * error
                rows.append(
                    {
                        "dataset": data.fitted.name,
                        "method": method,
                        "metric": metric.name,
                        "mean": mean,
                        "sd": deviation(values),
                        "low": mean - reach,
                        "high": mean + reach,
                        "splits": len(values),
                        "undefined": int(np.isnan(data.test[here]).sum()),
                    }
                )
    return pd.DataFrame(rows).set_index(["dataset", "method", "metric"])


def published(judged: Sequence[Judged], study: Study, jobs: Jobs) -> pd.DataFrame:
    """The means of `performance` beside what papers print for the same method and data set."""
    own = performance(judged, study, jobs)[["mean", "sd"]]
    values = dict(zip(own.index, own.to_numpy().tolist(), strict=True))
    splits = judged[0].test.shape[1]
    trained = len(judged[0].fitted.gold[0]) / judged[0].fitted.items
    setting = f"mean over {splits} splits, {100 * trained:.0f} % for training"
    rows = []
    for cell in printed_cells():
        for metric in judged[0].metrics:
            here = (cell.dataset, cell.method, metric.name)
            if cell.means(metric) and here in values:
                beside = [cell.value, cell.deviation, cell.source, cell.setting]
                rows.append((*here, *values[here], setting, *beside))
    keys = ["dataset", "method", "metric"]
    columns = [*keys, "mean", "sd", "from", "printed", "printed_sd", "source", "printed_from"]
    return pd.DataFrame(rows, columns=columns).set_index(keys)


def _agreement(judged: Sequence[Judged], study: Study, jobs: Jobs) -> pd.DataFrame:
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

    def run(judged: Sequence[Judged], study: Study, jobs: Jobs) -> pd.DataFrame:
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

    def run(judged: Sequence[Judged], study: Study, jobs: Jobs) -> pd.DataFrame:
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
