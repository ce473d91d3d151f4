"""The leaderboard under one metric: values with intervals, and who cannot be told apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metaeval.evaluation.evaluating import Evaluation
from metaeval.measures.registry import metric as registered
from metaeval.reporting.figures.canvas import FONT, SMALL, draw, room, short
from metaeval.reporting.page import Cell, Column, Figure, Table
from metaeval.reporting.palette import INK, MUTED, family_colour
from metaeval.reporting.sections.properties import family_of
from metaeval.reporting.words import number

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

ROW, LEFT, TOP, BOTTOM, WIDTH = 20.0, 240.0, 12.0, 44.0, 600.0
GROUP = 12.0  # pixels between the lines of two groups
MOST_DRAWN = 60
_LETTER = re.compile(r"[a-z]\d*")


def board_figure(evaluation: Evaluation) -> Figure:
    """Systems from the best down; a line at the right joins those that cannot be told apart."""
    board = evaluation.summary.head(MOST_DRAWN)
    name = evaluation.metric
    lines = spans(board["group"])
    left = room(board.index, LEFT)
    right = 16 + GROUP * (len(lines) + 1)
    height = TOP + BOTTOM + ROW * len(board)
    values = board[name]
    better = "higher" if registered(name).greater_is_better else "lower"
    first, last = board.index[0], board.index[-1]
    alt = (
        f"Leaderboard of {len(board)} systems under {name}, {better} is better: from {first} "
        f"({values.iloc[0]:.3f}) to {last} ({values.iloc[-1]:.3f}), {len(lines)} groups."
    )

    def paint(canvas: Canvas) -> None:
        wide = WIDTH - left - right
        box = (left / WIDTH, BOTTOM / height, wide / WIDTH, ROW * len(board) / height)
        axes = canvas.add_axes(box)
        axes.set_ylim(len(board) - 0.5, -0.5)
        axes.grid(axis="y", visible=False)
        axes.spines["left"].set_visible(False)
        axes.set_yticks(range(len(board)), [short(system) for system in board.index])
        axes.tick_params(axis="y", labelsize=FONT)
        axes.set_xlabel(f"{name}, {better} is better", fontsize=SMALL)
        colour = family_colour(family_of(name))
        for row, (value, low, high) in enumerate(board[[name, "low", "high"]].to_numpy(float)):
            if not np.isnan(low):
                axes.plot([low, high], [row, row], color=colour, linewidth=4.0, alpha=0.45)
            axes.plot([value], [row], "o", color=colour, markersize=7)
        _lines(axes, lines, wide)

    return Figure(
        name="board",
        svg=draw("board", (WIDTH, height), paint, alt),
        width=WIDTH,
        alt=alt,
        caption=f"The best {MOST_DRAWN} of {len(evaluation.summary)} systems."
        if len(board) < len(evaluation.summary)
        else "",
    )


def _lines(axes: Any, lines: dict[str, tuple[int, int]], wide: float) -> None:
    """Groups as lines beside the axes, each with its letter where it begins."""
    for place, (letter, (top, end)) in enumerate(lines.items()):
        at = 1 + (14 + GROUP * place) / wide
        both = axes.get_yaxis_transform()
        axes.plot([at, at], [top - 0.28, end + 0.28], color=INK, linewidth=2.0, transform=both,
                  clip_on=False, solid_capstyle="butt")  # fmt: skip
        axes.text(at, top - 0.36, letter, transform=both, ha="center", va="bottom",
                  color=MUTED, fontsize=9)  # fmt: skip


def spans(groups: pd.Series[Any]) -> dict[str, tuple[int, int]]:
    """First and last place of each letter, for groups of systems in their order."""
    found: dict[str, tuple[int, int]] = {}
    for place, text in enumerate(groups):
        for letter in _LETTER.findall(str(text)):
            found[letter] = (found.get(letter, (place, place))[0], place)
    return found


def board_table(evaluation: Evaluation) -> Table:
    """The numbers, with how the rank changes with the metric."""
    board = evaluation.summary
    name = evaluation.metric
    tested = bool((board["group"] != "").any())
    rows = []
    for system, row in zip(map(str, board.index), board.to_dict("records"), strict=True):
        interval = "" if pd.isna(row["low"]) else f"{number(row['low'])} to {number(row['high'])}"
        best = frozenset({"best"} if row["rank"] == 1 else ())
        cells = [
            Cell(system, system),
            Cell(str(row["rank"]), int(row["rank"])),
            Cell(number(row[name]), _sort(row[name]), interval, best),
            Cell(number(row["pooled"]), _sort(row["pooled"])),
        ]
        if tested:
            cells += [
                Cell(row["group"]),
                Cell(str(row["beats"]), int(row["beats"])),
                Cell(str(row["loses_to"]), int(row["loses_to"])),
            ]
        least, most = int(row["best_rank"]), int(row["worst_rank"])
        spread = str(least) if least == most else f"{least} to {most}"
        rows.append([*cells, Cell(spread, least + most / 1000)])
    lower = not registered(name).greater_is_better
    return Table(
        name="leaderboard",
        caption=f"Leaderboard under {name}",
        columns=[
            Column("system", number=False),
            Column("rank", lower=True),
            Column(name, hint="mean over the test cases, with its interval", lower=lower),
            Column("all items", hint="score of all cases together", lower=lower),
            *(
                [
                    Column("group", number=False, hint="one letter: cannot be told apart"),
                    Column("beats", hint="systems that are significantly worse"),
                    Column("loses to", hint="systems that are significantly better", lower=True),
                ]
                if tested
                else []
            ),
            Column("ranks", hint="best and worst rank under any metric", lower=True),
        ],
        rows=rows,
        sorted_by=1,
        note="“Ranks” are the best and the worst rank of a system under any metric; the download "
        "has the values under all of them.",
        data=evaluation.leaderboard,
    )


def _sort(value: float) -> float | str:
    return "–" if pd.isna(value) else float(value)
