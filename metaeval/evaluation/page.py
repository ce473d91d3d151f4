"""An evaluation as one page: what a shared task would put into its overview."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from metaeval.evaluation.board import board_figure, board_table
from metaeval.evaluation.contrasts import pair_table, rank_figure, swap_table
from metaeval.evaluation.evaluating import Evaluation
from metaeval.evaluation.heatmap import heatmap
from metaeval.evaluation.qualities import QUALITIES
from metaeval.evaluation.significance import ALPHA
from metaeval.measures.registry import metric as registered
from metaeval.reporting.figures.dots import Panel, dots
from metaeval.reporting.page import Block, Cell, Column, Gallery, Listing, Page, Section, Table
from metaeval.reporting.palette import family_role
from metaeval.reporting.sections.method import made_by, provenance, spell
from metaeval.reporting.sections.properties import family_of
from metaeval.reporting.words import count, level, names, number, percent, sentence

# Heatmaps that are drawn; the download has all matrices.
MOST_MATRICES = 60


def page(evaluation: Evaluation, command: Sequence[str] = ()) -> Page:
    """Sections in the order in which a reader asks."""
    how = evaluation.settings
    metrics = count(len(evaluation.metrics), "metric")
    return Page(
        title="How good are the systems?",
        subtitle=f"{count(how['systems'], 'system')} under {metrics}",
        headline=headline(evaluation),
        facts=[
            *((name, f"{how[name]:,}") for name in ("systems", "items", "cases")),
            ("classes", str(len(how["classes"]))),
        ],
        sections=[*_sections(evaluation, command)],
    )


def headline(evaluation: Evaluation) -> str:
    """Who leads under which metric, and whether the lead is sure."""
    board = evaluation.summary
    if len(board) < 2:
        return evaluation.recommendation[0]
    leaders = [str(system) for system in board.index[board["rank"] == 1]]
    text = f"{names(leaders, 3)} {'leads' if len(leaders) == 1 else 'lead'} under "
    text += f"`{evaluation.metric}`"
    if evaluation.recommended:
        text += ", the metric to report here"
    own = evaluation.pairs.xs(evaluation.metric, level="metric")
    if own["p"].isna().all():
        return f"{text}."
    rivals = [s for s in _not_apart(pd.DataFrame(own), leaders[0]) if s not in leaders]
    if rivals:
        return f"{text}, but cannot be told from {names(rivals, 3)}."
    return f"{text}, and the lead is significant." if len(leaders) < len(board) else f"{text}."


def _not_apart(pairs: pd.DataFrame, system: str) -> list[str]:
    """The systems that do not differ significantly from one."""
    flat = pairs[~(pairs["p"] < ALPHA)].reset_index()
    both = zip(flat["system"], flat["other"], strict=True)
    return [str(b if a == system else a) for a, b in both if system in (a, b)]


def _sections(evaluation: Evaluation, command: Sequence[str]) -> Iterator[Section]:
    yield Section(
        id="leaderboard",
        title="Leaderboard",
        lead=_board_lead(evaluation),
        blocks=[board_figure(evaluation), board_table(evaluation)],
    )
    flags = [f"{text}." for text in evaluation.flags["message"]]
    yield Section(
        id="summary",
        title="What to report",
        blocks=[
            Listing(name="recommendation", entries=evaluation.recommendation),
            Listing(
                name="flags",
                title="To keep in mind",
                entries=flags or ["Nothing remarkable in the data."],
                data=evaluation.flags,
            ),
        ],
    )
    if len(evaluation.pairs):
        yield Section(
            id="ranks",
            title="Does the metric matter?",
            lead="Each column is a metric, beginning with those that rank the systems most like "
            f"`{evaluation.metric}`. Where the shades of a row change, the place of that system "
            "is a matter of the metric.",
            blocks=[rank_figure(evaluation), *_swaps(evaluation)],
        )
    yield Section(
        id="metrics",
        title="The metrics on these data",
        lead="Coverage: does a lead mean a lead in every respect? Robustness: do test cases rank "
        "the systems alike? Power: for which share of pairs is the difference significant?",
        blocks=[*_qualities(evaluation)],
        papers=frozenset({"002"}),
    )
    if len(evaluation.pairs):
        yield Section(
            id="pairs",
            title="Every two systems",
            lead=f"Differences under `{evaluation.metric}`, tested on the same resampled items and "
            "adjusted by Holm's method. The download has all metrics.",
            blocks=[pair_table(evaluation)],
        )
    yield Section(
        id="matrices",
        title="Confusion matrices",
        lead="Gold classes in rows, all cases together. Shades are shares of a gold class.",
        blocks=[_matrices(evaluation.confusion)],
    )
    settings = evaluation.settings.items()
    entries = [(name.replace("_", " "), spell(value)) for name, value in settings]
    yield provenance([*made_by(command), *entries], frozenset({"002"}))


def _board_lead(evaluation: Evaluation) -> str:
    text = f"Mean over {count(evaluation.settings['cases'], 'test case')} under "
    text += f"`{evaluation.metric}`"
    if not evaluation.recommended:
        text += ", which is shown but not recommended"
    if evaluation.settings["replicates"]:
        text += f"; {level(evaluation.settings['level'])} intervals from resampled items. Systems "
        text += "on one line at the right, and with one letter, cannot be told apart"
    return f"{text}."


def _swaps(evaluation: Evaluation) -> Iterator[Block]:
    if len(evaluation.swaps):
        yield swap_table(evaluation.swaps)


def _qualities(evaluation: Evaluation) -> Iterator[Block]:
    frame = evaluation.metrics.sort_values("coverage", ascending=False, kind="stable")
    metrics = [str(name) for name in frame.index]
    known = [name for name in QUALITIES if frame[name].notna().any()]
    if known:
        yield dots(
            "qualities",
            [Panel(name, frame, name, [(f"{name}_low", f"{name}_high")]) for name in known],
            pd.Series({name: family_of(name) for name in metrics}),
            frame["sees_order"],
            [evaluation.metric],
            width=300.0 + 200 * len(known),
            alt=f"{', '.join(known).capitalize()} of {len(frame)} metrics on these data.",
            caption="Hollow: metrics that do not see how far off an answer is. Colours are "
            "families of metrics; the metric of the leaderboard is bold.",
            data=frame,
        )
    rows = []
    for name, row in zip(metrics, frame.to_dict("records"), strict=True):
        better = "higher" if registered(name).greater_is_better else "lower"
        rows.append(
            [
                Cell(name, name, f"{better} is better", role=family_role(family_of(name))),
                *(_quality(row, quality) for quality in known),
                Cell("yes" if row["sees_order"] else "no"),
                Cell(f"{row['undefined']:,} of {row['scores']:,}", int(row["undefined"])),
            ]
        )
    yield Table(
        name="metrics",
        caption="What was found about each metric on these data",
        columns=[
            Column("metric", number=False),
            *(Column(name) for name in known),
            Column("sees order", number=False, hint="whether farther off costs more"),
            Column("undefined", lower=True),
        ],
        rows=rows,
        note=" ".join(
            sentence(f"{name} is not measured: {why}")
            for name, why in evaluation.metrics.attrs.get("not_computed", {}).items()
        ),
        data=frame,
    )


def _quality(row: dict[object, float], name: str) -> Cell:
    value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
    words = percent if name == "power" else number
    if pd.isna(value):
        return Cell("–", "–")
    note = "" if pd.isna(low) else f"{words(low)} to {words(high)}"
    return Cell(words(value), value, note)


def _matrices(confusion: pd.DataFrame) -> Gallery:
    systems = list(confusion.index.unique("system"))
    figures = [
        heatmap(f"matrix-{number}", str(system), pd.DataFrame(confusion.xs(system)))
        for number, system in enumerate(systems[:MOST_MATRICES])
    ]
    left = len(systems) - len(figures)
    return Gallery(
        name="confusion",
        figures=figures,
        first=12,
        caption=f"{count(left, 'more system')} in the download." if left else "",
        rest=count(max(len(figures) - 12, 0), "more system"),
        data=confusion,
    )
