"""The accuracy-cost plane: systems as points, the ideal corner, the line of chance (paper 001)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metaeval.reporting.figures.canvas import SMALL, draw, short
from metaeval.reporting.page import Figure
from metaeval.reporting.palette import GRID, INK, MUTED, SERIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

SIDE, LEFT, TOP, BOTTOM, RIGHT = 400.0, 52.0, 14.0, 44.0, 220.0
WIDTH, HEIGHT = LEFT + SIDE + RIGHT, TOP + SIDE + BOTTOM
MOST_NAMES = 22


def plane(frame: pd.DataFrame) -> Figure:
    """From accuracy, cost and distance by system; the nearest to the ideal corner is best."""
    frame = frame.sort_values("distance")
    first, last = frame.iloc[0], frame.iloc[-1]
    alt = (
        f"Accuracy against misclassification cost of {len(frame)} systems: "
        f"{frame.index[0]} is nearest to the ideal corner (distance {first['distance']:.3f})"
        + (f", {frame.index[-1]} farthest ({last['distance']:.3f})." if len(frame) > 1 else ".")
    )

    def paint(canvas: Canvas) -> None:
        box = (LEFT / WIDTH, BOTTOM / HEIGHT, SIDE / WIDTH, SIDE / HEIGHT)
        axes = canvas.add_axes(box)
        axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="accuracy", ylabel="misclassification cost (MC)")
        axes.grid(visible=False)
        angle = np.linspace(np.pi / 2, np.pi, 60)
        for radius in (0.25, 0.5, 0.75, 1.0):
            axes.plot(1 + radius * np.cos(angle), radius * np.sin(angle), color=GRID, linewidth=1.2)
        axes.plot([0, 1], [1, 0], color=MUTED, linewidth=1, linestyle=(0, (5, 3)))
        axes.text(0.07, 0.95, "chance: Acc + MC = 1", color=MUTED, fontsize=SMALL)
        axes.plot([1], [0], "*", color=INK, markersize=14, clip_on=False, zorder=5)
        axes.text(0.97, 0.03, "ideal", color=INK, fontsize=SMALL, ha="right")
        for number, system in enumerate(frame.index[:MOST_NAMES]):
            # The nearest systems have numbers; the names beside the plane have the same ones.
            row = frame.loc[system]
            colour = SERIES[number] if number < len(SERIES) - 1 else MUTED
            x, y = float(row["accuracy"]), float(row["cost"])
            axes.plot([x], [y], "o", color=colour, markersize=8, zorder=4, clip_on=False)
            axes.text(x, y + 0.025, str(number + 1), color=colour, fontsize=SMALL, ha="center")
            text = f"{number + 1}   {short(system, 22)}   {row['distance']:.3f}"
            axes.text(1.06, 0.97 - 0.043 * number, text, color=colour, fontsize=SMALL, va="center")
        rest = frame.iloc[MOST_NAMES:]
        axes.plot(rest["accuracy"], rest["cost"], "o", color=GRID, markersize=5, zorder=3)

    return Figure(
        name="accuracy-cost",
        svg=draw("accuracy-cost", (WIDTH, HEIGHT), paint, alt),
        width=WIDTH,
        alt=alt,
        caption=(
            "Accuracy against normalised misclassification cost, with the distance d to the ideal "
            "corner beside each name. Arcs join points of equal distance."
        ),
        data=frame.reset_index(),
    )
