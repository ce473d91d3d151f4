"""Dots with intervals, a row a metric: coverage, robustness and the like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metaeval.reporting.figures.canvas import FONT, SMALL, draw, short
from metaeval.reporting.page import Figure
from metaeval.reporting.palette import INK, MUTED, PAPER, family_colour

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

ROW = 18.5  # pixels
LEFT, TOP, BOTTOM, RIGHT, BETWEEN = 200.0, 30.0, 30.0, 20.0, 24.0


@dataclass(frozen=True, eq=False)
class Panel:
    """One column of dots: the frame (by metric) and the columns of it that are drawn."""

    title: str
    frame: pd.DataFrame
    value: str
    intervals: Sequence[tuple[str, str]] = ()  # from the inner, thick one to the outer, thin one

    def clipped(self) -> tuple[float, float]:
        """Limits of the axis: lone stragglers are put at the edge, else nothing could be told."""
        values = self.frame[self.value].dropna()
        if values.empty:
            return 0.0, 1.0
        lows = [self.frame[low].min() for low, _ in self.intervals if low in self.frame]
        low, high = min([values.min(), *lows]), 1.0 if values.max() <= 1 else values.max()
        first, third = np.quantile(values, [0.25, 0.75])
        edge = first - 4.5 * max(third - first, 0.02)
        low = max(low, edge)
        pad = 0.02 * max(high - low, 0.05)
        return low - 2 * pad, high + pad


def dots(
    name: str,
    panels: Sequence[Panel],
    families: pd.Series[Any],
    solid: pd.Series[Any],
    strong: Sequence[str],
    *,
    width: float,
    alt: str,
    caption: str,
    data: pd.DataFrame,
) -> Figure:
    """Rows in the order of the first panel's frame; metrics where `solid` is false are hollow."""
    metrics = [str(metric) for metric in panels[0].frame.index]
    height = TOP + BOTTOM + ROW * len(metrics)

    def paint(canvas: Canvas) -> None:
        wide = (width - LEFT - RIGHT - BETWEEN * (len(panels) - 1)) / len(panels)
        for place, panel in enumerate(panels):
            left = LEFT + place * (wide + BETWEEN)
            box = (left / width, BOTTOM / height, wide / width, ROW * len(metrics) / height)
            axes = canvas.add_axes(box)
            low, high = panel.clipped()
            axes.set_xlim(low, high)
            axes.set_ylim(len(metrics) - 0.5, -0.5)
            axes.locator_params(axis="x", nbins=6 if len(panels) == 1 else 4)
            axes.set_title(panel.title, pad=10, fontsize=FONT, fontweight="bold")
            axes.grid(axis="y", visible=False)
            axes.spines["left"].set_visible(False)
            axes.spines["bottom"].set_visible(False)
            axes.set_yticks(range(len(metrics)), [short(m) for m in metrics] if not place else [])
            for label, metric in zip(axes.get_yticklabels(), metrics, strict=False):
                label.set_fontsize(FONT)
                label.set_fontweight("bold" if metric in strong else "normal")
            for row, metric in enumerate(metrics):
                colour = family_colour(str(families.get(metric, "")))
                _row(axes, row, panel, metric, colour, bool(solid.get(metric, True)), low)

    return Figure(
        name=name,
        svg=draw(name, (width, height), paint, alt),
        width=width,
        alt=alt,
        caption=caption,
        data=data,
    )


def _row(
    axes: Any, row: int, panel: Panel, metric: str, colour: str, filled: bool, low: float
) -> None:
    value = float(panel.frame[panel.value].get(metric, np.nan))
    if np.isnan(value):
        axes.text(low, row, " –", va="center", ha="left", color=MUTED, fontsize=SMALL)
        return
    if value < low:
        axes.text(low, row, f"◂ {value:.2f}", va="center", ha="left", color=INK, fontsize=SMALL)
        return
    for place, (start, end) in enumerate(panel.intervals):
        if start in panel.frame:
            ends = panel.frame.loc[metric, [start, end]].to_numpy(dtype=np.float64)
            line = {"linewidth": 4.0, "alpha": 0.45} if place == 0 else {"linewidth": 1.2}
            axes.plot(ends, [row, row], color=colour, solid_capstyle="butt", **line)
    face = colour if filled else PAPER
    axes.plot([value], [row], "o", color=colour, markerfacecolor=face, markersize=7)
