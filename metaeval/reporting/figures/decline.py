"""How a metric falls as the error ratio grows: one small figure a metric, one line a family."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from metaeval.reporting.figures.canvas import draw
from metaeval.reporting.page import Figure, Gallery, Swatch
from metaeval.reporting.palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

WIDTH, HEIGHT = 204.0, 132.0
# Lines are told apart by their dashes too, not by colour alone.
ROLES = ("c1", "c2", "c0", "c3", "c4", "c6", "c5", "c7")
DASHES = ("", "6 2", "1.5 2", "6 2 1.5 2", "3 2", "9 3", "2 4", "12 2")


def decline(frame: pd.DataFrame, better: pd.Series[bool], first: int) -> Gallery:
    """From a frame metric, family, ratio, score; down is worse in every panel."""
    families = list(dict.fromkeys(frame["family"]))
    looks = {f: (ROLES[i % 8], DASHES[i % 8]) for i, f in enumerate(families)}
    figures = []
    for number, (metric, part) in enumerate(frame.groupby("metric", sort=False)):
        wide = part.pivot(index="ratio", columns="family", values="score")[families]
        figures.append(_panel(f"decline-{number}", str(metric), wide, bool(better[metric]), looks))
    return Gallery(
        name="decline",
        figures=figures,
        legend=[Swatch(_words(f), *looks[f]) for f in families],
        first=first,
        rest=f"The other {len(figures) - first} metrics",
        caption=(
            "Mean score over the test cases against the share of items that were hit. Each panel "
            "has its metric's own values, turned so that down is worse."
        ),
        data=frame,
    )


def _panel(
    name: str, metric: str, wide: pd.DataFrame, higher: bool, looks: dict[str, tuple[str, str]]
) -> Figure:
    alt = _alt(metric, wide, higher)

    def paint(canvas: Canvas) -> None:
        axes = canvas.add_axes((36 / WIDTH, 20 / HEIGHT, 1 - 42 / WIDTH, 1 - 28 / HEIGHT))
        for family, (role, dash) in looks.items():
            pattern = [float(part) for part in dash.split()]
            style = (0, pattern) if pattern else "-"
            axes.plot(wide.index, wide[family], color=LIGHT[role], linestyle=style, linewidth=1.5)
        if not higher:
            axes.invert_yaxis()
        axes.locator_params(axis="y", nbins=4)
        axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        axes.set_xlim(0, 1.03)

    return Figure(
        name=name,
        svg=draw(name, (WIDTH, HEIGHT), paint, alt),
        width=WIDTH,
        alt=alt,
        title=metric,
        caption="" if higher else "lower is better",
    )


def _alt(metric: str, wide: pd.DataFrame, higher: bool) -> str:
    known = wide.dropna(axis=1, how="all")
    if known.empty:
        return f"{metric} is undefined on all these outputs."
    ends = known.ffill().iloc[-1].sort_values(ascending=higher)
    worst, best = str(ends.index[0]), str(ends.index[-1])
    return (
        f"{metric}, {'higher' if higher else 'lower'} is better: with every item hit it scores "
        f"{_words(worst)} worst ({ends.iloc[0]:.3g}) and {_words(best)} best ({ends.iloc[-1]:.3g})."
    )


def _words(family: str) -> str:
    return family.replace("_", " ")
