"""The reproduction of the papers as a page: every printed cell beside the computed one."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence

import pandas as pd

from metaeval.reporting.claims import Audit, audit_of, audit_section
from metaeval.reporting.page import Block, Cell, Column, Definitions, Filter, Page, Section, Table
from metaeval.reporting.sections.method import made_by, provenance
from metaeval.reporting.words import count
from metaeval.studies.published import Table as Published
from metaeval.studies.published import papers
from metaeval.studies.reproduce import VERDICTS, Reproduction, read_printed

# What a verdict means, and how many cells with it are spoken of.
MEANINGS = {
    "match": "the computed value, rounded to the printed digits, is the printed one",
    "rounding": "less than one unit of the last printed digit away: cut off, or rounded twice",
    "within": "comes from a simulation and lies within its stated tolerance",
    "undecided": "lies further away, but the simulation is too small to tell",
    "erratum": "the paper is wrong, and a computation shows what is right",
    "unexplained": "the paper does not say enough to compute the cell, and nothing tried gives it",
    "differs": "the computation gives something else, and nothing explains it",
}
# Verdicts that need no words.
AGREE = ("match", "within")


def reproduction_page(
    result: Reproduction, chosen: Sequence[Published], command: Sequence[str] = ()
) -> Page:
    """The page for the tables that were chosen, some of which cannot be computed."""
    frame = result.frame
    compared = {table.id: table for table in chosen if table.id in set(frame["table"])}
    cited = papers()
    alone = next(iter(compared.values())) if len(compared) == 1 else None
    used = frozenset(table.paper for table in chosen)
    return Page(
        title=alone.title if alone else "Do the published figures hold?",
        subtitle=alone.source if alone else "The papers' tables, computed again",
        headline=headline(frame),
        facts=[
            ("cells", f"{len(frame):,}"),
            ("tables and figures", str(len(compared))),
            ("papers", str(frame["paper"].nunique())),
        ],
        sections=[
            *_sections(result, compared, [t for t in chosen if t.id not in compared]),
            provenance(made_by(command), used & set(cited)),
        ],
    )


def headline(frame: pd.DataFrame) -> str:
    """How many cells have which verdict."""
    counts = frame["verdict"].value_counts()
    words = {"erratum": ("erratum", "errata")}
    parts = [
        count(int(counts[v]), *words.get(v, (v, v))) for v in VERDICTS if int(counts.get(v, 0))
    ]
    return f"{count(len(frame), 'cell')}: {', '.join(parts)}."


def _sections(
    result: Reproduction, compared: dict[str, Published], left_out: Sequence[Published]
) -> Iterator[Section]:
    frame = result.frame
    audit = audit_of(compared.values())
    yield Section(
        id="summary",
        title="In short",
        lead=_lead(frame),
        blocks=[
            *([_by_table(result, compared)] if len(compared) > 1 else []),
            Definitions(
                title="What the verdicts mean",
                entries=[(v, MEANINGS[v]) for v in VERDICTS if (frame["verdict"] == v).any()],
            ),
        ],
        papers=frozenset(frame["paper"]),
    )
    for table in compared.values():
        if table.kind == "claims" and audit is not None:
            yield audit_section(table, frame[frame["table"] == table.id], audit)
    apart = frame[~frame["verdict"].isin(AGREE)]
    if len(apart):
        yield Section(
            id="apart",
            title="Where paper and computation part",
            lead="Each with the reason. An erratum is not believed but computed: the corrected "
            "input, or the value that is stated as right, has to give the figures.",
            blocks=[_cells("apart", apart, compared, audit)],
        )
    yield Section(
        id="cells",
        title="All cells",
        lead="As printed beside as computed. Click a column's head to sort by it.",
        blocks=[_cells("cells", frame, compared, audit)],
    )
    if left_out:
        yield Section(
            id="left-out",
            title="What cannot be computed",
            lead="Tables that need data which the paper leaves out.",
            blocks=[
                Definitions(
                    entries=[
                        (t.source, f"{t.title}: {t.settings.get('why', 'no comparer')}.")
                        for t in left_out
                    ]
                )
            ],
        )


def _lead(frame: pd.DataFrame) -> str:
    agree = int(frame["verdict"].isin([*AGREE, "rounding"]).sum())
    text = f"{agree:,} of {count(len(frame), 'printed cell')} come out as printed"
    but = {"rounding": "rounding", "within": "what a simulation leaves open"}
    allowed = [words for verdict, words in but.items() if (frame["verdict"] == verdict).any()]
    text += f", but for {' or '.join(allowed)}." if allowed else "."
    wrong = frame[frame["verdict"] == "erratum"]
    if len(wrong):
        places = count(wrong["table"].nunique(), "table")
        verb = "is" if len(wrong) == 1 else "are"
        text += f" {count(len(wrong), 'cell')} in {places} {verb} wrong in print."
    if not (frame["verdict"] == "differs").any():
        text += " None differs without an explanation or a stated gap in the paper."
    return text


def _by_table(result: Reproduction, compared: dict[str, Published]) -> Block:
    counts = result.counts
    amounts = counts.to_dict("index")
    shown = [verdict for verdict in VERDICTS if counts[verdict].any()]
    rows = []
    for name, table in compared.items():
        numbers = [int(amounts[name][verdict]) for verdict in shown]
        cells = [
            Cell(str(n) if n else "–", n, marks=frozenset({v} if n else ()))
            for v, n in zip(shown, numbers, strict=True)
        ]
        head = Cell(table.source, table.id, note=table.title)
        rows.append([head, Cell(str(sum(numbers))), *cells])
    return Table(
        name="by-table",
        caption="Verdicts by table",
        columns=[
            Column("table", number=False),
            Column("cells"),
            *(Column(verdict, hint=MEANINGS[verdict]) for verdict in shown),
        ],
        rows=rows,
        code=False,
        data=counts,
    )


def _cells(
    name: str,
    frame: pd.DataFrame,
    compared: dict[str, Published],
    audit: Audit | None,
) -> Table:
    cited = papers()
    rows = [_row(record, compared, audit) for record in frame.to_dict("records")]
    filters = [
        Filter("Paper", [cited[paper].short for paper in frame["paper"]]),
        Filter("Table", [_place(compared[table]) for table in frame["table"]]),
        Filter("Verdict", list(frame["verdict"])),
    ]
    return Table(
        name=name,
        caption=f"{count(len(frame), 'cell')}: published and computed",
        columns=[
            Column("where", number=False),
            Column("case", number=False),
            Column("metric or column", number=False),
            Column("published"),
            Column("computed"),
            Column("verdict", number=False),
            Column("why", number=False),
        ],
        rows=rows,
        filters=[choice for choice in filters if len(choice.choices) > 1],
        searched="any text",
        code=False,
        data=frame,
    )


def _row(
    record: Mapping[Hashable, object], compared: dict[str, Published], audit: Audit | None
) -> list[Cell]:
    table = compared[str(record["table"])]
    case, metric, verdict = (str(record[key]) for key in ("case", "metric", "verdict"))
    printed, computed = str(record["published"]), float(str(record["computed"]))
    claim = table.kind == "claims"
    example = audit.example(case, metric) if audit is not None and claim else ""
    return [
        Cell(f"{papers()[table.paper].short}, {_place(table)}", table.id),
        Cell(case),
        Cell(f"`{metric}`"),
        Cell(printed, _printed(printed)),
        Cell(_claim(computed) if claim else _value(computed), _sort(computed), example=example),
        Cell(verdict, VERDICTS.index(verdict), marks=frozenset({verdict})),
        Cell(str(record["note"]) or "–"),
    ]


def _claim(value: float) -> str:
    return {1.0: "holds", 0.0: "violated"}.get(value, "undecided")


def _value(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.5g}".replace("-", "−")


def _printed(text: str) -> float | str:
    """What a printed cell sorts by; claims and limits are words."""
    try:
        return _sort(read_printed(text)[0])
    except ValueError:
        return text


def _sort(value: float) -> float | str:
    return "–" if math.isnan(value) else value


def _place(table: Published) -> str:
    """The table within its paper: "Table 2"."""
    return table.source.partition(f"{papers()[table.paper].year}, ")[2] or table.source
