"""Which metrics rank systems alike: a heatmap of rank correlations beside its dendrogram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metaeval.reporting.figures.canvas import SMALL, draw, short
from metaeval.reporting.page import Figure
from metaeval.reporting.palette import INK, MUTED, family_colour

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

    from metaeval.analysis.rank_correlation import Clusters

ROW = 16.0
NAMES, TREE, TOP, BOTTOM, RIGHT = 190.0, 120.0, 10.0, 172.0, 62.0
CUT = 0.1  # clusters are nearer than this, on average


def agreement_map(
    pairs: pd.DataFrame, clusters: Clusters, families: pd.Series[Any], strong: Sequence[str]
) -> Figure:
    """From tau (and share of pairs judged alike) of every two metrics, index (metric, other)."""
    order = [str(metric) for metric in clusters.frame.index]
    square = _square(pairs["tau"], order)
    alike = _square(pairs["agreement"], order) if "agreement" in pairs else None
    side = ROW * len(order)
    width, height = NAMES + side + TREE + RIGHT, TOP + side + BOTTOM
    # Most metrics agree rather well; a few outliers must not take all the shades.
    floor = float(np.clip(np.floor(10 * np.nanquantile(square, 0.08)) / 10, -1.0, 0.8))
    groups = int(clusters.frame["cluster"].max())
    alt = (
        f"Heatmap of the rank correlation between {len(order)} metrics with a dendrogram; at a "
        f"tau-b of {1 - CUT:g} they fall into {groups} groups."
    )

    def paint(canvas: Canvas) -> list[str]:
        import seaborn
        from matplotlib.patches import Rectangle

        def box(left: float, wide: float) -> tuple[float, float, float, float]:
            return left / width, BOTTOM / height, wide / width, side / height

        axes = canvas.add_axes(box(NAMES, side))
        bar = canvas.add_axes(
            (
                (NAMES + side + TREE + 14) / width,
                (BOTTOM + side - 160) / height,
                12 / width,
                150 / height,
            )
        )
        names = [short(m, 27) for m in order]
        seaborn.heatmap(
            pd.DataFrame(square, index=names, columns=names),
            ax=axes,
            cmap="crest",
            vmin=floor,
            vmax=1.0,
            cbar_ax=bar,
            xticklabels=True,
            yticklabels=True,
            linewidths=0,
        )
        bar.tick_params(labelsize=SMALL)
        bar.set_title("τ-b", fontsize=SMALL, loc="left")
        bar.grid(visible=False)
        axes.set(xlabel="", ylabel="")
        axes.tick_params(axis="x", labelrotation=90, labelsize=SMALL, labelcolor=INK)
        axes.tick_params(axis="y", labelrotation=0, labelsize=SMALL)
        for labels in (axes.get_yticklabels(), axes.get_xticklabels()):
            for label, metric in zip(labels, order, strict=True):
                label.set_color(family_colour(str(families.get(metric, ""))))
                label.set_fontweight("bold" if metric in strong else "normal")
        for start, members in _runs(clusters.frame["cluster"].tolist()):
            axes.add_patch(
                Rectangle(
                    (start, start), members, members, fill=False, edgecolor=INK, linewidth=1.8
                )
            )
        _tree(canvas.add_axes(box(NAMES + side + 6, TREE - 12)), clusters, len(order))
        return _titles(order, square, alike)

    return Figure(
        name="agreement",
        svg=draw("agreement", (width, height), paint, alt),
        width=width,
        alt=alt,
        caption=(
            "Kendall's τ-b between the rankings of the systems by two metrics; darker is more "
            f"alike, and the lightest shade stands for {floor:g} or less. Boxes hold groups whose "
            f"metrics rank systems alike (average linkage, τ-b of {1 - CUT:g} or more); the dashed "
            "line of the dendrogram is that cut. Rest on a cell for its value."
        ),
        data=pairs.reset_index(),
    )


def _square(values: pd.Series[Any], order: list[str]) -> np.ndarray[Any, np.dtype[np.float64]]:
    found = values.unstack().reindex(index=order, columns=order).to_numpy(dtype=np.float64)
    found = np.where(np.isnan(found), found.T, found)
    np.fill_diagonal(found, 1.0)
    return found


def _runs(labels: list[int]) -> list[tuple[int, int]]:
    """Start and length of every run of equal labels longer than one."""
    found = []
    start = 0
    for place in range(1, len(labels) + 1):
        if place == len(labels) or labels[place] != labels[start]:
            if place - start > 1:
                found.append((start, place - start))
            start = place
    return found


def _titles(order: list[str], square: Any, alike: Any) -> list[str]:
    titles = []
    for row, one in enumerate(order):
        for column, other in enumerate(order):
            text = f"{one} and {other}: τ-b {square[row, column]:.2f}"
            if alike is not None and row != column:
                text += f", same preference on {100 * alike[row, column]:.0f} % of pairs"
            titles.append(text)
    return titles


def _tree(axes: Any, clusters: Clusters, leaves: int) -> None:
    from scipy.cluster.hierarchy import dendrogram

    found = dendrogram(clusters.linkage, no_plot=True, color_threshold=0)
    for places, heights in zip(found["icoord"], found["dcoord"], strict=True):
        rows = [place / 10 - 0.5 for place in places]
        axes.plot(np.sqrt(np.maximum(heights, 0)), rows, color=MUTED, linewidth=1.1)
    axes.axvline(np.sqrt(CUT), color=INK, linewidth=1, linestyle=(0, (4, 3)))
    axes.set_ylim(leaves - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.set_yticks([])
    # Square roots give the near metrics more room than the far ones.
    end = axes.get_xlim()[1] ** 2
    shown = [t for t in (0.0, 0.1, 0.5, 1.0) if t <= end]
    axes.set_xticks(np.sqrt(shown), [f"{1 - t:g}" for t in shown])
    axes.set_xlabel("τ-b where joined", fontsize=SMALL)
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)
