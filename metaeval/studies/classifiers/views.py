"""What a study of classifiers prints: a few tables to read, from the frames that are stored."""

from __future__ import annotations

import math
from collections.abc import Callable

import pandas as pd

from metaeval.measures.registry import metric
from metaeval.studies.classifiers.selection import ANY

View = tuple[str, pd.DataFrame]


def views(frames: dict[str, pd.DataFrame]) -> list[View]:
    """A title and a table for each of the study's frames that is worth printing."""
    return [view for name, make in _VIEWS.items() if name in frames for view in make(frames[name])]


def _cost(frame: pd.DataFrame) -> list[View]:
    cells = frame.apply(lambda row: _percent(row["lost"], row["lost_se"]), axis=1)
    title = (
        "What choosing parameters under one metric (row) costs on the test part under another "
        "(column, by its number): per cent, ± standard error over the splits, of what the column's "
        "own choice gains over the average candidate. 0: nothing lost; 100: as if the parameters "
        "had been drawn at random; below 0: better than the column's own choice. Lower is better"
    )
    return [(title, _numbered(_square(cells, "chosen_by", "judged_by")))]


def _published(frame: pd.DataFrame) -> list[View]:
    """One table a source: what was found here beside what is printed there."""
    found = []
    for source, part in frame.groupby("source"):
        columns = {"here": ("mean", "sd"), "printed": ("printed", "printed_sd")}
        table = pd.DataFrame(
            {
                name: [_spread(v, d) for v, d in part[list(pair)].to_numpy().tolist()]
                for name, pair in columns.items()
            },
            index=part.index,
        )
        title = (
            f"Test scores beside {source}. Here: {part['from'].iloc[0]}, parameters chosen under "
            "the row's metric (standard deviation in brackets). "
            f"Printed: {part['printed_from'].iloc[0]}"
        )
        found.append((title, table))
    return found


def _winners(frame: pd.DataFrame) -> list[View]:
    """The method with the best mean under each metric, by data set."""
    means = frame["mean"].drop(ANY, level="method", errors="ignore").dropna()
    if means.index.unique("method").size < 2:
        return []
    contests: dict[tuple[str, str], dict[str, float]] = {}
    for (dataset, method, name), mean in zip(means.index.tolist(), means, strict=True):
        oriented = mean if metric(name).greater_is_better else -mean
        contests.setdefault((dataset, name), {})[method] = oriented
    best = {where: max(found, key=lambda m: found[m]) for where, found in contests.items()}
    index = pd.MultiIndex.from_tuples(best, names=["dataset", "metric"])
    title = "The classifier with the best mean on the test part under each metric, which also chose"
    return [(title, _square(pd.Series(list(best.values()), index=index), "metric", "dataset"))]


def _agreement(frame: pd.DataFrame) -> list[View]:
    shares = frame["agreement"].groupby(level=["metric", "other"], sort=False).mean()
    pairs = [(str(one), str(other)) for one, other in shares.index.tolist()]
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    if not names:
        return []
    table = pd.DataFrame("100", index=pd.Index(names, name="metric"), columns=names)
    for (one, other), share in zip(pairs, shares, strict=True):
        table.loc[one, other] = table.loc[other, one] = _percent(share)
    title = (
        "Agreement of the metrics: per cent of pairs of trained classifiers, tested on the same "
        "items, that both order alike; mean over the data sets. Unrelated metrics reach about 50"
    )
    return [(title, _numbered(table))]


_VIEWS: dict[str, Callable[[pd.DataFrame], list[View]]] = {
    "selection-cost": _cost,
    "performance": _winners,
    "published": _published,
    "agreement": _agreement,
}


def _square(cells: pd.Series[str], row: str, column: str) -> pd.DataFrame:
    """A long series as a table that keeps the order of its rows and columns."""
    table = cells.unstack(column)
    order = [list(dict.fromkeys(cells.index.get_level_values(level))) for level in (row, column)]
    return table.loc[order[0], order[1]].rename_axis(columns=None)


def _numbered(table: pd.DataFrame) -> pd.DataFrame:
    """Metric by metric, columns by the number of their row: so wide a table fits a terminal."""
    rows = [f"{number} {name}" for number, name in enumerate(table.index, start=1)]
    columns = [str(number) for number in range(1, table.shape[1] + 1)]
    return table.set_axis(pd.Index(rows, name=table.index.name)).set_axis(columns, axis=1)


def _percent(share: float, error: float = math.nan) -> str:
    """A share in whole per cent, with its error unless it is zero or not known."""
    if math.isnan(share):
        return "–"
    text = f"{round(100 * share)}"
    return f"{text}±{100 * error:.0f}" if error > 0 else text


def _spread(value: float | str, deviation: float | str) -> str:
    texts = [text if isinstance(text, str) else f"{text:.2f}" for text in (value, deviation)]
    return f"{texts[0]} ({texts[1]})" if texts[1] not in ("", "nan") else texts[0]
