"""Lines with their names at the end: behaviour curves and UOC over beta."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metaeval.reporting.figures.canvas import SMALL, draw, short, spread
from metaeval.reporting.page import Figure
from metaeval.reporting.palette import MUTED

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

LEFT, TOP, BOTTOM = 46.0, 12.0, 42.0
LABEL = 14.5  # height of a line's name
# Lines of one colour differ in their dashes.
DASHES = ((), (6, 2), (1.5, 1.8), (8, 2, 1.5, 2), (3, 1.5), (10, 4))


def lines(
    name: str,
    wide: pd.DataFrame,
    colours: Mapping[str, str],
    labels: Mapping[str, str] | None = None,
    *,
    x: str,
    y: str,
    alt: str,
    caption: str,
    data: pd.DataFrame,
    limits: tuple[float, float] | None = None,
    size: tuple[float, float] = (720.0, 360.0),
    right: float = 190.0,
    marker: str = "",
    beside: bool = False,
) -> Figure:
    """One line a column of `wide`, over its index; equal lines share one label.

    Labels stand at the ends of the lines or, with `beside`, in a legend: lines that meet at the
    end cannot be labelled there.
    """
    width, height = size
    named = {c: short((labels or {}).get(c, c), 40) for c in map(str, wide)}
    groups = _equal(wide)

    def paint(canvas: Canvas) -> None:
        box = (
            LEFT / width,
            BOTTOM / height,
            (width - LEFT - right) / width,
            (height - TOP - BOTTOM) / height,
        )
        axes = canvas.add_axes(box)
        seen: dict[str, int] = {}
        drawn = {}
        for column in groups:
            colour = colours[column]
            dash = DASHES[seen.get(colour, 0) % len(DASHES)]
            seen[colour] = seen.get(colour, 0) + 1
            line = axes.plot(wide.index, wide[column], color=colour, marker=marker, markersize=3.5)
            if dash:
                line[0].set_dashes(dash)
            drawn[column] = line[0]
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        axes.margins(x=0)
        if limits is not None:
            axes.set_ylim(*limits)
        if beside:
            texts = [", ".join(named[c] for c in groups[column]) for column in drawn]
            axes.legend(
                list(drawn.values()),
                texts,
                loc="upper left",
                bbox_to_anchor=(1.02, 1.0),
                fontsize=SMALL,
                handlelength=2.6,
                borderaxespad=0,
                labelspacing=0.7,
            )
            return
        low, high = axes.get_ylim()
        scale = (high - low) / (height - TOP - BOTTOM)
        ends = {c: _end(wide[c]) for c in groups}
        places = spread([float(np.clip(v, low, high)) for v in ends.values()], LABEL * scale)
        span = float(wide.index[-1]) - float(wide.index[0])
        step = span / (width - LEFT - right)
        for column, place in zip(groups, places, strict=True):
            end, last = ends[column], float(wide.index[-1])
            axes.plot(
                [last + 4 * step, last + 16 * step],
                [min(end, high), place],
                color=MUTED,
                linewidth=0.7,
                clip_on=False,
            )
            text = ", ".join(named[c] for c in groups[column])
            axes.text(
                last + 20 * step,
                place,
                text,
                color=colours[column],
                va="center",
                fontsize=SMALL,
                clip_on=False,
            )

    return Figure(
        name=name,
        svg=draw(name, size, paint, alt),
        width=width,
        alt=alt,
        caption=caption,
        data=data,
    )


def _end(values: pd.Series[float]) -> float:
    known = values.dropna()
    return float(known.iloc[-1]) if len(known) else 0.0


def _equal(wide: pd.DataFrame) -> dict[str, list[str]]:
    """Columns that coincide, under the first of them; empty ones are left out."""
    groups: dict[str, list[str]] = {}
    for column in wide:
        if wide[column].isna().all():
            continue
        same = next(
            (c for c in groups if np.allclose(wide[c], wide[column], atol=1e-9, equal_nan=True)),
            str(column),
        )
        groups.setdefault(same, []).append(str(column))
    return groups
