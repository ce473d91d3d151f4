"""How metrics fall with the error ratio."""

from __future__ import annotations

from metaeval.reporting.figures.decline import decline as gallery
from metaeval.reporting.page import Section
from metaeval.reporting.sections.context import Context
from metaeval.reporting.summary import HABITS


def decline(context: Context) -> Section | None:
    """Small multiples, the shortlist and what people use by habit first."""
    frame = context.evidence.decline
    if frame is None:
        return None
    usual = [metric for metric in HABITS if metric in context.standing.index]
    first = list(dict.fromkeys([*context.chosen, *usual]))[:10]
    order = [*first, *(metric for metric in context.by_rank if metric not in first)]
    place = {metric: number for number, metric in enumerate(order)}
    ordered = frame.sort_values("metric", key=lambda m: m.map(place), kind="stable")
    better = context.standing["greater_is_better"].astype(bool)
    return Section(
        id="decline",
        title="How each metric falls as errors grow",
        lead=(
            "Lines that part show which kind of error a metric minds more. Lines that lie on "
            "each other show kinds of errors that it cannot tell apart; a flat or rising line "
            "is an error that it does not see."
        ),
        blocks=[gallery(ordered, better, min(len(order), len(first)))],
        papers=frozenset({"002"}),
    )
