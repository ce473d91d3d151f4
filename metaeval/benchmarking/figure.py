"""Bars on a logarithmic scale: a group a metric, a bar a library, metaeval first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from metaeval.benchmarking.bench import Benchmark
from metaeval.errors import InputError
from metaeval.files import by_suffix, whole_file
from metaeval.reporting.figures.canvas import short
from metaeval.reporting.palette import GRID, INK, MUTED, PAPER, SERIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAR, GAP = 9.0, 8.0  # points: thickness of a bar, space between groups
WIDTH, ABOVE, BELOW = 720.0, 76.0, 46.0
OWN = "metaeval"

Groups = dict[str, dict[str, float]]  # metric, library, microseconds


def check_target(path: Path, force: bool) -> None:
    """Complain before the work about a plot that could not be written after it."""
    by_suffix(path, {".svg": str, ".png": str})
    if path.exists() and not force:
        raise InputError(f"{path}: exists already; --force overwrites it")
    if not path.parent.is_dir():
        raise InputError(f"{path.parent}: there is no such folder")


def write_figure(found: Benchmark, path: Path, force: bool = False) -> None:
    """The plot as .svg or .png."""
    import matplotlib
    import seaborn as sns
    from matplotlib import figure as drawing

    groups = _groups(found.frame)
    bars = sum(len(group) for group in groups.values())
    height = ABOVE + BELOW + bars * BAR + len(groups) * GAP
    style: Any = {**sns.axes_style("white"), "svg.hashsalt": "metaeval", "text.parse_math": False}
    with matplotlib.rc_context(style):
        figure = drawing.Figure(figsize=(WIDTH / 72, height / 72), facecolor=PAPER)
        axes = figure.add_axes((0.32, BELOW / height, 0.64, 1 - (ABOVE + BELOW) / height))
        colours = _colours([name for group in groups.values() for name in group])
        _paint(axes, groups, colours)
        _legend(figure, colours)
        setting = found.setting
        figure.text(
            0.02,
            1 - 14 / height,
            "Microseconds to score one confusion matrix, labels to score",
            color=INK,
            size=13,
            va="top",
        )
        figure.text(
            0.02,
            1 - 33 / height,
            f"{setting['items']} items, {setting['classes']} classes, {setting['processor']}; "
            "shorter is better, every grid line is ten times the one before",
            color=MUTED,
            size=9.5,
            va="top",
        )
        with whole_file(path, force) as temporary:
            kind = path.suffix.lower()[1:]
            # The same figures give the same bytes: no date in the file.
            metadata = {"Date": None} if kind == "svg" else None
            figure.savefig(temporary, format=kind, dpi=144, facecolor=PAPER, metadata=metadata)


def _groups(frame: pd.DataFrame) -> Groups:
    """Microseconds by library, metaeval first, for each metric that some peer has (else all)."""
    with_peers = frame[frame["peer"] != ""]
    shown = with_peers if len(with_peers) else frame
    return {
        str(metric): {
            OWN: float(rows["metaeval_us"].iloc[0]),
            **{str(p): float(us) for p, us in zip(rows["peer"], rows["peer_us"], strict=True) if p},
        }
        for metric, rows in shown.groupby("metric", sort=False)
    }


def _paint(axes: Axes, groups: Groups, colours: dict[str, str]) -> None:
    top, ticks = 0.0, []
    for group in groups.values():
        places = [top + BAR * (i + 0.5) for i in range(len(group))]
        axes.barh(
            places,
            list(group.values()),
            height=BAR * 0.86,
            color=[colours[name] for name in group],
            zorder=2,
        )
        for place, (name, value) in zip(places, group.items(), strict=True):
            # The name beside the number: nobody has to tell eight colours apart.
            axes.annotate(
                f"{value:,.0f} {name}" if value >= 10 else f"{value:.1f} {name}",
                (value, place),
                xytext=(3, 0),
                textcoords="offset points",
                va="center",
                size=7.5,
                color=MUTED,
            )
        ticks.append((places[0] + places[-1]) / 2)
        top = places[-1] + BAR / 2 + GAP
    values = [value for group in groups.values() for value in group.values()]
    axes.set_xscale("log")
    axes.set_xlim(10.0 ** math.floor(math.log10(min(values) / 2)), max(values) * 12)
    axes.xaxis.set_major_formatter(lambda value, place: f"{value:,g}")
    axes.minorticks_off()
    axes.set_ylim(top - GAP / 2, -GAP / 2)
    axes.set_yticks(ticks, [short(name) for name in groups], size=10, color=INK)
    axes.tick_params(axis="x", labelsize=9, labelcolor=MUTED)
    axes.grid(axis="x", color=GRID, linewidth=0.8, zorder=0)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_xlabel("microseconds a matrix, logarithmic", size=10, color=MUTED)


def _colours(names: Sequence[str]) -> dict[str, str]:
    """metaeval is the first colour always; the others in the order of their names."""
    others = sorted(set(names) - {OWN})
    return {
        OWN: SERIES[0],
        **{name: SERIES[1 + i % (len(SERIES) - 1)] for i, name in enumerate(others)},
    }


def _legend(figure: Figure, colours: dict[str, str]) -> None:
    from matplotlib.patches import Patch

    handles: list[Any] = [Patch(color=colour, label=name) for name, colour in colours.items()]
    figure.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(0.01, 1 - 46 / (figure.get_figheight() * 72)),
        ncols=len(handles),
        frameon=False,
        fontsize=8.5,
        labelcolor=INK,
        handlelength=1.0,
        handleheight=1.0,
        columnspacing=1.0,
        handletextpad=0.4,
    )
