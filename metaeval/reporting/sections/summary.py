"""The summary: which metrics to consider, why, and what each fails at."""

from __future__ import annotations

from metaeval.reporting.page import Block, Prose, Section
from metaeval.reporting.reasons import glossary
from metaeval.reporting.sections.context import Context
from metaeval.reporting.summary import Others, Shortlist, choice, opening, remarks


def summary(context: Context) -> Section:
    """A ranked shortlist with reasons, and a word on the metrics that people use by habit."""
    evidence, frame, chosen = context.evidence, context.standing, context.chosen
    first, *more = opening(evidence, frame, chosen)
    blocks: list[Block] = [
        Shortlist(
            choices=[choice(evidence, frame, metric, chosen) for metric in chosen],
            glossary=glossary(evidence, frame),
        ),
        Prose(paragraphs=[*more, *evidence.notes]),
    ]
    others = remarks(evidence, frame, chosen)
    if others:
        blocks.append(Others(title="What about the metric you use today?", choices=others))
    return Section(
        id="summary",
        title="Which metrics to consider",
        lead=first,
        blocks=blocks,
        papers=frozenset({"002"}),
    )
