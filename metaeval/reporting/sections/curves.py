"""Tridiagonal matrices and a single item: outputs that everybody can picture."""

from __future__ import annotations

import pandas as pd

from metaeval.measures.registry import metric
from metaeval.reporting.behaviour import CLASSES, SHOWN
from metaeval.reporting.figures.lines import lines
from metaeval.reporting.page import Section
from metaeval.reporting.palette import family_colour
from metaeval.reporting.sections.context import Context

MOST = 12  # lines that can still be told apart


def curves(context: Context) -> Section:
    """Natural values on tridiagonal matrices; losses of a single item by its distance."""
    evidence = context.evidence
    wanted = list(dict.fromkeys([*context.chosen, *SHOWN]))[: MOST + len(context.chosen)]
    wide, single = (_some(frame, wanted) for frame in (evidence.tridiagonal, evidence.single))
    colours = {
        name: family_colour(metric(name).definition.family)
        for frame in (wide, single)
        for name in map(str, frame.columns)
    }
    ends = wide.iloc[-1].dropna()
    steps = single.iloc[1].dropna()
    harsh = steps.index[steps >= steps.max() - 1e-9]
    return Section(
        id="curves",
        title="On outputs that everybody can picture",
        lead=(
            "Tridiagonal matrices stand for a system that is never more than one class off, "
            "whatever the number of classes. A single item shows how much of its range a metric "
            "spends on the first class that an answer is off."
        ),
        blocks=[
            lines(
                "tridiagonal",
                wide,
                colours,
                x="number of classes",
                y="score",
                alt=(
                    f"Scores of {len(ends)} metrics on tridiagonal matrices of 3 to "
                    f"{wide.index[-1]} classes; at the end they lie between {ends.min():.2f} "
                    f"({ends.idxmin()}) and {ends.max():.2f} ({ends.idxmax()})."
                ),
                caption=(
                    "Ones on three diagonals, as the number of classes grows. Errors (MER, MAE, "
                    "OC, UOC) are best at 0, coefficients at 1; natural values."
                ),
                data=evidence.tridiagonal.reset_index(),
                size=(760, 400),
            ),
            lines(
                "single-item",
                single,
                colours,
                x="distance of the single item from its gold class",
                y="share of the metric's range lost",
                alt=(
                    f"Loss of a single item by distance for {single.notna().any().sum()} metrics: "
                    f"one class off already costs {', '.join(map(str, harsh))} "
                    f"{100 * steps.max():.0f} % of the range, {steps.idxmin()} "
                    f"{100 * steps.min():.0f} %."
                ),
                caption=(
                    f"One item on a scale of {CLASSES} classes, mean over all cells at that "
                    "distance. Metrics without a value for a single item are left out."
                ),
                data=evidence.single.reset_index(),
                limits=(-0.03, 1.06),
                size=(760, 360),
                right=220,
                marker="o",
                beside=True,
            ),
        ],
        papers=frozenset({"000", "004"}),
    )


def _some(frame: pd.DataFrame, wanted: list[str]) -> pd.DataFrame:
    known = [name for name in wanted if name in frame and frame[name].notna().any()]
    return frame[known[:MOST]]
