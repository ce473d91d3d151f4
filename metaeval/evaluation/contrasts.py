"""Which systems differ, and where the choice of the metric decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metaeval.evaluation.evaluating import Evaluation
from metaeval.evaluation.significance import ALPHA
from metaeval.reporting.figures.canvas import SMALL, draw, room, short
from metaeval.reporting.page import Cell, Column, Figure, Table
from metaeval.reporting.palette import PAPER
from metaeval.reporting.words import number

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

CELL, LEFT, TOP, BOTTOM, RIGHT = 20.0, 240.0, 4.0, 170.0, 8.0
MOST_SYSTEMS = 60
MOST_PAIRS = 400


def rank_figure(evaluation: Evaluation) -> Figure:
    """Ranks of the systems (rows, as on the leaderboard) under every metric (columns)."""
    order = _by_likeness(evaluation)
    systems = evaluation.summary.index[:MOST_SYSTEMS]
    ranks = evaluation.leaderboard["rank"].unstack("metric").loc[systems, order]
    left = room(systems, LEFT)
    width = left + CELL * len(order) + RIGHT
    height = TOP + CELL * len(systems) + BOTTOM
    steady = int((ranks.max(axis=1) == ranks.min(axis=1)).sum())
    alt = (
        f"Ranks of {len(systems)} systems under {len(order)} metrics; {steady} of the systems have "
        "the same rank under all of them."
    )

    def paint(canvas: Canvas) -> None:
        import seaborn

        box = (left / width, BOTTOM / height, CELL * len(order) / width,
               CELL * len(systems) / height)  # fmt: skip
        axes = canvas.add_axes(box)
        seaborn.heatmap(
            ranks.to_numpy(),
            ax=axes,
            # The best are darkest. The palest shade is left out: it looks like no value.
            cmap="crest_r",
            vmin=1,
            vmax=len(evaluation.summary) * 1.1,
            cbar=False,
            linewidths=0.5,
            linecolor=PAPER,
            annot=True,
            fmt="d",
            annot_kws={"fontsize": 9},
            xticklabels=[short(name, 26) for name in order],
            yticklabels=[short(system) for system in systems],
        )
        axes.tick_params(axis="x", labelrotation=90, labelsize=SMALL)
        axes.tick_params(axis="y", labelrotation=0, labelsize=SMALL)
        for label in axes.get_xticklabels()[:1]:
            label.set_fontweight("bold")

    return Figure(
        name="ranks",
        svg=draw("ranks", (width, height), paint, alt),
        width=width,
        alt=alt,
        caption="Ranks under every metric, dark is best; equal systems share the better rank.",
        data=ranks,
    )


def _by_likeness(evaluation: Evaluation) -> list[str]:
    """The metric of the leaderboard, then the others by how alike they rank the systems."""
    own = evaluation.metric
    tau = {own: np.inf}
    for one, other, value in evaluation.agreement["tau"].reset_index().itertuples(index=False):
        if own in (one, other):
            tau[str(other if one == own else one)] = -np.inf if pd.isna(value) else float(value)
    names = [str(name) for name in evaluation.metrics.index]
    return sorted(names, key=lambda name: -tau.get(name, -np.inf))


def swap_table(swaps: pd.DataFrame) -> Table:
    """Systems that two metrics order in opposite ways, and the cells behind it."""
    rows = []
    for row in swaps.to_dict("records"):
        pair = f"`{row['system']}` or `{row['other']}`?"
        sides = (
            ("metric", "system", "cells", "p"),
            ("against", "other", "cells_against", "p_against"),
        )
        rows.append([Cell(pair, pair), *(_side(*(row[key] for key in side)) for side in sides)])
    return Table(
        name="swaps",
        title="Where the metric decides",
        caption="Systems that two metrics order in opposite ways",
        columns=[
            Column("systems", number=False),
            Column("one metric says", number=False),
            Column("another says", number=False),
        ],
        rows=rows,
        note="The strongest contradictions first. Below each verdict stand the cells of the "
        "confusion matrices that speak for it, as gold→predicted: items of the preferred system / "
        "items of the other one (what this adds to the lead).",
        code=False,
        data=swaps,
    )


def _side(metric: str, system: str, cells: str, p: float) -> Cell:
    sure = "" if pd.isna(p) else f" ({_p(p)})"
    return Cell(f"`{system}`, says `{metric}`{sure}", metric, cells)


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.0005 else f"p = {value:.3f}"


def pair_table(evaluation: Evaluation) -> Table:
    """Every two systems under the metric of the leaderboard."""
    own = pd.DataFrame(evaluation.pairs.xs(evaluation.metric, level="metric"))
    shown = own.sort_values("p", kind="stable").head(MOST_PAIRS)
    rows = []
    for (system, other), row in zip(shown.index, shown.to_dict("records"), strict=True):
        gap, p = row["difference"], row["p"]
        words = "–" if pd.isna(p) else _p(p).removeprefix("p = ").removeprefix("p ")
        cells = [Cell(str(system)), Cell(str(other)), Cell(number(gap), gap)]
        apart = "–" if pd.isna(p) else "yes" if p < ALPHA else "no"
        rows.append([*cells, Cell(words, "–" if pd.isna(p) else p), Cell(apart)])
    cut = f"The first {MOST_PAIRS} of {len(own):,} pairs." if len(own) > MOST_PAIRS else ""
    return Table(
        name="pairs",
        caption="Differences between every two systems",
        columns=[
            Column("system", number=False),
            Column("other", number=False),
            Column("difference"),
            Column("p", lower=True),
            Column("significant", number=False),
        ],
        rows=rows,
        sorted_by=3,
        note=cut,
        code=False,
        data=evaluation.pairs,
    )
