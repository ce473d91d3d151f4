"""Robustness, discriminative power and split-half consistency."""

from __future__ import annotations

import pandas as pd

from metaeval.reporting.figures.dots import Panel, dots
from metaeval.reporting.page import Section
from metaeval.reporting.sections.context import Context
from metaeval.reporting.words import level, percent


def robustness(context: Context) -> Section | None:
    """Three columns of dots over the same metrics."""
    evidence = context.evidence
    if evidence.robustness is None or evidence.power is None or evidence.consistency is None:
        return None
    ordered = evidence.robustness.sort_values("robustness", ascending=False, kind="stable")
    order = ordered.index
    panels = [
        Panel(
            "robustness", ordered, "robustness", [("low", "high"), ("low_systems", "high_systems")]
        ),
        Panel("power", evidence.power.reindex(order), "power", [("low_systems", "high_systems")]),
        Panel(
            "split-half",
            evidence.consistency.reindex(order),
            "consistency",
            [("low_systems", "high_systems")],
        ),
    ]
    power = evidence.power["power"]
    alt = (
        f"Robustness, power and split-half consistency of {len(order)} metrics; most robust is "
        f"{order[0]} ({ordered['robustness'].iloc[0]:.3f}), least {order[-1]} "
        f"({ordered['robustness'].iloc[-1]:.3f})."
    )
    data = pd.concat(
        [
            ordered.drop(
                columns=["undefined", "undefined_as", "cases", "systems"], errors="ignore"
            ),
            evidence.power[["power", "delta"]],
            evidence.consistency[["consistency"]],
        ],
        axis=1,
    ).rename_axis("metric")
    return Section(
        id="robustness",
        title="Robustness",
        lead=(
            "Robustness is the mean rank correlation between the system rankings of any two test "
            "cases: does the metric say the same on other data? Power is the share of system "
            "pairs that differ significantly (randomised Tukey HSD, 0.05): here from "
            f"{percent(power.min())} to {percent(power.max())}. Split-half compares the rankings "
            "of two random halves of the cases."
        ),
        blocks=[
            dots(
                "robustness",
                panels,
                context.families,
                context.fit,
                context.chosen,
                width=940,
                alt=alt,
                caption=(
                    f"{level(evidence.settings.level)} bootstrap intervals; in the first column "
                    "thick bars resample test cases and thin ones systems, in the others bars "
                    "resample systems. ◂ marks values beyond the left edge."
                ),
                data=data,
            )
        ],
        papers=frozenset({"002"}),
    )
