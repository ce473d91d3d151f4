"""What papers print for classifiers on the same data sets, to stand beside a study's own values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from metaeval.measures.metric import Metric
from metaeval.studies.published import Case, Table, tables


@dataclass(frozen=True)
class Printed:
    """One printed cell: a method on a data set under a metric, in metaeval's names."""

    dataset: str
    method: str
    metric: str
    value: str
    deviation: str
    source: str
    setting: str

    def means(self, metric: Metric) -> bool:
        """Whether the cell is of this metric; a key alone means any parameters."""
        return self.metric in (metric.name, metric.key)


def printed_cells() -> Iterator[Printed]:
    """The cells of all tables of classifiers whose data sets are at hand."""
    for table in tables():
        for case in table.cases:
            if "dataset" in case.settings:
                yield from _cells(table, case)


def _cells(table: Table, case: Case) -> Iterator[Printed]:
    deviations = case.settings.get("deviations", [""] * len(table.columns))
    methods = table.settings.get("methods", [case.settings.get("method")] * len(table.columns))
    metrics = [table.settings["metric"]] * len(methods) if "metric" in table.settings else None
    for method, metric, value, deviation in zip(
        methods, metrics or table.columns, case.printed, deviations, strict=True
    ):
        yield Printed(
            dataset=case.settings["dataset"],
            method=method,
            metric=metric,
            value=value,
            deviation=deviation,
            source=table.source,
            setting=table.settings["setting"],
        )
