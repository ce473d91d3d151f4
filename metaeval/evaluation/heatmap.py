"""A confusion matrix as a heatmap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metaeval.reporting.figures.canvas import SMALL, draw, short
from metaeval.reporting.page import Figure
from metaeval.reporting.palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

LEFT, TOP, RIGHT, BOTTOM = 58.0, 8.0, 8.0, 44.0

# With more classes than this the counts would not fit into their cells.
MOST_COUNTS = 12


def heatmap(name: str, system: str, counts: pd.DataFrame) -> Figure:
    """Gold classes in rows, coloured by the share of the row, with the counts."""
    size = len(counts)
    side = size * max(12.0, min(46.0, 300.0 / size))
    width, height = LEFT + side + RIGHT, TOP + side + BOTTOM
    values = counts.to_numpy()
    right, items = int(np.trace(values)), int(values.sum())
    alt = f"Confusion matrix of {system}: {right:,} of {items:,} items are right."

    def paint(canvas: Canvas) -> None:
        import seaborn

        axes = canvas.add_axes((LEFT / width, BOTTOM / height, side / width, side / height))
        names = [short(label, 7) for label in counts.columns]
        seaborn.heatmap(
            pd.DataFrame(values / np.maximum(values.sum(axis=1, keepdims=True), 1)),
            ax=axes,
            cmap="Blues",
            vmin=0,
            vmax=1.25,
            cbar=False,
            linewidths=0.5,
            linecolor=LIGHT["grid"],
            xticklabels=names,
            yticklabels=names,
            annot=values if size <= MOST_COUNTS else None,
            fmt="d",
            annot_kws={"fontsize": SMALL if size < 9 else 9},
        )
        axes.tick_params(axis="y", labelrotation=0)
        axes.set_xlabel("predicted")
        axes.set_ylabel("gold")

    svg = draw(name, (width, height), paint, alt)
    remark = f"{right:,} of {items:,} right"
    return Figure(name=name, svg=svg, width=width, alt=alt, title=system, caption=remark)
