"""An evaluation as one page: what a shared task would put into its overview."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from metaeval.catalogue import metrics as catalogue
from metaeval.evaluation.evaluating import Evaluation
from metaeval.evaluation.heatmap import heatmap
from metaeval.evaluation.qualities import QUALITIES
from metaeval.files import whole_file
from metaeval.reporting.figures.dots import Panel, dots
from metaeval.reporting.html import render_page
from metaeval.reporting.notebook import frame_table
from metaeval.reporting.page import Block, Definitions, Gallery, Listing, Page, Section
from metaeval.reporting.report import is_report
from metaeval.reporting.words import count, together

# Rows of a table and heatmaps that are shown; the download has all rows.
MOST_ROWS = 400
FEW_ROWS = 20
MOST_MATRICES = 60

# What a reader needs of a swap; differences and strength are in the download.
_SWAP = ["system", "other", "metric", "against", "cells", "cells_against", "p", "p_against"]


def write_page(
    evaluation: Evaluation, path: Path, command: Sequence[str] = (), force: bool = False
) -> None:
    """One self-contained HTML file, whole or not at all; an earlier report may be replaced."""
    html = render_page(page(evaluation, command))
    with whole_file(path, force or is_report(path)) as temporary:
        temporary.write_text(html, encoding="utf-8")


def page(evaluation: Evaluation, command: Sequence[str] = ()) -> Page:
    """Sections in the order in which a reader asks."""
    how = evaluation.settings
    return Page(
        title="How good are the systems?",
        subtitle=f"{how['systems']} systems under {len(evaluation.metrics)} metrics",
        headline=_headline(evaluation),
        facts=[(name, f"{how[name]:,}") for name in ("systems", "items", "cases")],
        sections=[*_sections(evaluation, command)],
    )


def _headline(evaluation: Evaluation) -> str:
    board = evaluation.summary
    if len(board) < 2:
        return evaluation.recommendation[0]
    leaders = [f"`{system}`" for system in board.index[board["rank"] == 1]]
    verb = "leads" if len(leaders) == 1 else "lead"
    return f"{together(leaders)} {verb} under `{evaluation.metric}`, the metric to report here."


def _sections(evaluation: Evaluation, command: Sequence[str]) -> Iterator[Section]:
    flags = list(evaluation.flags["message"]) or ["Nothing remarkable in the data."]
    yield Section(
        id="summary",
        title="In short",
        blocks=[
            Listing(name="recommendation", entries=evaluation.recommendation),
            Listing(name="flags", title="To keep in mind", entries=flags, data=evaluation.flags),
        ],
    )
    yield Section(
        id="leaderboard",
        title="Leaderboard",
        lead="Values are means over the test cases; intervals come from resampled items.",
        blocks=[*_boards(evaluation)],
    )
    if len(evaluation.swaps):
        yield Section(
            id="swaps",
            title="Where the metric decides",
            lead="Systems that two metrics order in opposite ways, and the cells of the confusion "
            "matrices behind it: gold→predicted, items of the one and of the other system, and "
            "what they add to the lead.",
            blocks=[
                replace(_table(evaluation.swaps[_SWAP], "swaps"), data=evaluation.swaps),
                _table(
                    evaluation.agreement.sort_values("tau", kind="stable"),
                    "agreement",
                    "Rankings by two metrics, the most different first.",
                    FEW_ROWS,
                ),
            ],
        )
    yield Section(
        id="metrics",
        title="The metrics on these data",
        lead="Coverage: does a lead mean a lead in every respect? Robustness: do test cases rank "
        "the systems alike? Power: for which share of pairs is the difference significant?",
        blocks=[*_qualities(evaluation)],
    )
    yield Section(
        id="matrices", title="Confusion matrices", blocks=[_matrices(evaluation.confusion)]
    )
    yield Section(id="method", title="Method and provenance", blocks=[_method(evaluation, command)])


def _boards(evaluation: Evaluation) -> Iterator[Block]:
    note = f"Under {evaluation.metric}. Systems that share a letter cannot be told apart."
    yield _table(evaluation.summary, "summary", note)
    ranks = evaluation.leaderboard["rank"].unstack("metric")
    ranks = ranks.loc[evaluation.summary.index, list(evaluation.metrics.index)]
    shown = _table(ranks, "leaderboard", "Ranks under every metric; the download has the values.")
    yield replace(shown, data=evaluation.leaderboard)
    if len(evaluation.pairs):
        own = evaluation.pairs.xs(evaluation.metric, level="metric")
        note = f"Under {evaluation.metric}; p-values are adjusted by Holm's method."
        yield _table(pd.DataFrame(own).sort_values("p", kind="stable"), "pairs", note, FEW_ROWS)


def _qualities(evaluation: Evaluation) -> Iterator[Block]:
    frame = evaluation.metrics.sort_values("coverage", ascending=False, kind="stable")
    if frame["coverage"].notna().any():
        panels = [Panel(name, frame, name, [(f"{name}_low", f"{name}_high")]) for name in QUALITIES]
        yield dots(
            "qualities",
            panels,
            catalogue()["family"].reindex([name.split("(")[0] for name in frame.index]),
            frame["sees_order"],
            [evaluation.metric],
            width=900,
            alt="Coverage, robustness and discriminative power of every metric on these data.",
            caption="Hollow: metrics that do not see how far off an answer is.",
            data=frame,
        )
    yield _table(frame, "metrics")


def _matrices(confusion: pd.DataFrame) -> Gallery:
    systems = list(confusion.index.unique("system"))
    figures = [
        heatmap(f"matrix-{number}", str(system), pd.DataFrame(confusion.xs(system)))
        for number, system in enumerate(systems[:MOST_MATRICES])
    ]
    return Gallery(
        name="confusion",
        figures=figures,
        caption="All cases together; colours are shares of a gold class.",
        rest=count(len(figures) - 10, "more system"),
        data=confusion,
    )


def _method(evaluation: Evaluation, command: Sequence[str]) -> Definitions:
    entries = [("command", f"`{shlex.join(command)}`")] if command else []
    entries += [(name.replace("_", " "), str(v)) for name, v in evaluation.settings.items()]
    return Definitions(entries=entries)


def _table(frame: pd.DataFrame, name: str, note: str = "", most: int = MOST_ROWS) -> Block:
    cut = f" The first {most} of {len(frame):,} rows." if len(frame) > most else ""
    return replace(frame_table(frame.head(most), name, note + cut), data=frame)
