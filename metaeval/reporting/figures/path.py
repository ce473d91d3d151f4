"""The best order-preserving path of the OC index, drawn on a confusion matrix (paper 000)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.reporting.figures.canvas import SMALL, draw, short
from metaeval.reporting.page import Figure
from metaeval.reporting.palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

LEFT, TOP, RIGHT, BOTTOM = 58.0, 8.0, 8.0, 44.0


def path_on_matrix(
    name: str,
    system: str,
    counts: NDArray[Any],
    classes: Sequence[object],
    path: Sequence[tuple[int, int]],
    score: float,
) -> Figure:
    """A heatmap of row shares with the counts, and the path over it."""
    size = len(classes)
    cell = max(22.0, min(46.0, 300.0 / size))
    side = cell * size
    width, height = LEFT + side + RIGHT, TOP + side + BOTTOM
    on_path = sum(int(counts[r, c]) for r, c in path)
    alt = (
        f"Confusion matrix of {system} with the best path of oc, which collects {on_path:,} of "
        f"{int(counts.sum()):,} items; oc is {score:.3f}."
    )

    def paint(canvas: Canvas) -> None:
        import seaborn

        box = (LEFT / width, BOTTOM / height, side / width, side / height)
        axes = canvas.add_axes(box)
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        names = [short(c, 7) for c in classes]
        seaborn.heatmap(
            pd.DataFrame(shares),
            ax=axes,
            cmap="Blues",
            vmin=0,
            vmax=1.25,
            cbar=False,
            linewidths=0.5,
            linecolor=LIGHT["grid"],
            xticklabels=names,
            yticklabels=names,
            annot=_texts(counts),
            fmt="",
            annot_kws={"fontsize": SMALL if size < 9 else 9},
        )
        rows, columns = zip(*path, strict=True)
        axes.plot(
            [c + 0.5 for c in columns],
            [r + 0.5 for r in rows],
            color=LIGHT["c1"],
            linewidth=10,
            alpha=0.4,
            solid_joinstyle="round",
            zorder=2,
        )
        axes.tick_params(axis="y", labelrotation=0)
        axes.set_xlabel("predicted")
        axes.set_ylabel("gold")

    return Figure(
        name=name,
        svg=draw(name, (width, height), paint, alt),
        width=width,
        alt=alt,
        title=system,
        caption=f"oc = {score:.3f}; the path collects {on_path:,} of {int(counts.sum()):,} items",
    )


def _texts(counts: NDArray[Any]) -> NDArray[Any]:
    def text(count: float) -> str:
        return f"{count:.0f}" if count < 10_000 else f"{count / 1000:.0f}k"

    return np.array([[text(float(n)) for n in row] for row in counts])
