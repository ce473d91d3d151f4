"""The systems that a user brings: plane, UOC curves, paths, and how metrics rank them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metaeval.measures.registry import metric
from metaeval.measures.scoring import score
from metaeval.reporting.figures.lines import lines
from metaeval.reporting.figures.path import path_on_matrix
from metaeval.reporting.figures.plane import plane
from metaeval.reporting.given import Given
from metaeval.reporting.page import Block, Cell, Column, Figure, Gallery, Prose, Section, Table
from metaeval.reporting.palette import MUTED, SERIES
from metaeval.reporting.sections.context import Context
from metaeval.reporting.words import number, sentence

BETAS = np.linspace(0, 1, 41)
MOST_LINES, MOST_PATHS = 12, 6


def systems(context: Context) -> Section | None:
    """Everything about the given systems, all cases together."""
    given = context.evidence.given
    if given is None:
        return None
    return Section(
        id="systems",
        title="Your systems",
        lead=sentence(given.words) + " All cases are pooled into one matrix a system here.",
        blocks=[_ranking(context, given), _plane(given), _uoc(given), _paths(given)],
        papers=frozenset({"000", "001", "004"}),
    )


def _ranking(context: Context, given: Given) -> Table:
    names = list(context.by_rank[:8])
    scores = score(given.pooled, names)
    scores.index = pd.Index(given.systems, name="system")
    scores = scores[names]
    turned = pd.DataFrame({m: metric(m).oriented(scores[m].to_numpy()) for m in names})
    turned.index = scores.index
    ranks = turned.rank(ascending=False, method="min")
    order = turned.sort_values(names[0], ascending=False, kind="stable").index
    rows = []
    for system in order:
        cells = [Cell(str(system), str(system))]
        for name in names:
            value, rank = scores.loc[system, name], ranks.loc[system, name]
            marks = frozenset({"best"} if rank == 1 else ())
            note = "" if pd.isna(rank) else f"rank {rank:.0f}"
            cells.append(Cell(number(value), "–" if pd.isna(value) else float(value), note, marks))
        rows.append(cells)
    return Table(
        name="systems",
        caption="The systems under the leading metrics",
        columns=[
            Column("system", number=False),
            *(Column(name, lower=not metric(name).greater_is_better) for name in names),
        ],
        rows=rows,
        note="Natural values with ranks; the metrics are the first of the ranking above.",
        data=scores,
    )


def _plane(given: Given) -> Block:
    scores = score(given.pooled, ["accuracy", "misclassification_cost", "cost_distance"])
    frame = pd.DataFrame(
        scores.to_numpy(),
        columns=["accuracy", "cost", "distance"],
        index=pd.Index(given.systems, name="system"),
    )
    known = frame.dropna()
    if known.empty:
        why = metric("misclassification_cost").why_undefined(given.pooled[0])
        return Prose(paragraphs=[f"There is no accuracy-cost plane: {why}."])
    return plane(known)


def _uoc(given: Given) -> Figure:
    values = score(given.pooled, [metric("uoc", beta=float(beta)) for beta in BETAS]).to_numpy()
    areas = metric("auoc")(given.pooled)
    order = np.argsort(areas, kind="stable")
    names = [given.systems[i] for i in order]
    wide = pd.DataFrame(values.T, index=pd.Index(BETAS, name="beta"), columns=given.systems)[names]
    shown = names[:MOST_LINES]
    first, last = names[0], names[-1]
    labels = {n: f"{n}  {areas[i]:.3f}" for n, i in zip(names, order, strict=True)}
    colours = {
        name: SERIES[place] if place < len(SERIES) - 1 else MUTED
        for place, name in enumerate(shown)
    }
    more = f" Only the best {MOST_LINES} are drawn." if len(names) > MOST_LINES else ""
    return lines(
        "uoc",
        wide[shown],
        colours,
        labels,
        x="β, the price of leaving the diagonal",
        y="UOC (0 is best)",
        alt=(
            f"UOC over beta of {len(shown)} systems: smallest area {first} "
            f"({areas[order[0]]:.3f}), largest {last} ({areas[order[-1]]:.3f})."
        ),
        caption="UOC over β with its area (AUOC) beside each name; lower is better." + more,
        data=wide.reset_index(),
        limits=(0.0, max(0.1, float(np.nanmax(values)) * 1.05)),
    )


def _paths(given: Given) -> Gallery:
    # Not at the top: the registry lists the families in the order in which they are imported.
    from metaeval.measures.path import oc_path

    index = metric("oc")
    scores = index(given.pooled)
    figures: list[Figure] = []
    rows = []
    for place in np.argsort(scores, kind="stable"):
        path = oc_path(given.pooled[place])
        name = given.systems[place]
        rows.append((name, float(scores[place]), str(path)))
        if len(figures) < MOST_PATHS:
            figures.append(
                path_on_matrix(
                    f"path-{len(figures)}",
                    name,
                    given.pooled[place],
                    given.classes,
                    path,
                    float(scores[place]),
                )
            )
    return Gallery(
        name="oc-paths",
        figures=figures,
        first=3,
        rest=f"{max(len(figures) - 3, 0)} more systems",
        wide=True,
        caption=(
            "The best order-preserving path of the OC index (β = 0.25) on each system's confusion "
            "matrix: true classes in rows, shades are shares of the row. What lies off the path "
            "counts as lost."
        ),
        data=pd.DataFrame(rows, columns=["system", "oc", "path"]),
    )
