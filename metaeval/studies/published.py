"""The papers' printed tables as data: one TOML file a table, one for the papers themselves.

A table file has these keys; whatever else it holds is kept in ``settings`` for the kind's comparer
(:mod:`metaeval.studies.reproduce`).

``id, paper, title, source``
    Which table, in whose words. Ids start with the paper's id, so "000" stands for all its tables.
``kind``
    How the cells can be computed again: ``matrices`` (each case prints its confusion matrix, true
    classes in rows), ``proximity``, ``single-sample``, ``limits``, ``simulation``, ``coverage``,
    ``claims``, or ``reference-only`` (not without data that the paper leaves out; ``why`` says so).
``note``
    Shown with every cell, where the paper states the values in another form than as numbers.
``metrics`` or ``columns``
    What the printed cells of a case are, in their order; metrics by their metaeval names.
``[[case]]``
    A printed row: ``name``, ``printed`` and, for the kind, ``matrix`` or other settings. Cells are
    text because the digits matter: ``"0.50"`` is two decimals, ``"15%"`` a percentage, ``"2/3"``
    and ``"1"`` are exact, ``"NA"`` is undefined, ``""`` is a cell that the paper does not print.
``[[erratum]]``
    Cells of ``case`` (``metrics``, or the whole row) that the printed input does not give, and
    ``why``. ``matrix`` is the corrected input; ``value`` is what the corrected, or else the printed
    input really gives. Without ``value`` the corrected input must give the printed cells.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

Matrix = tuple[tuple[int, ...], ...]

KINDS = (
    "matrices",
    "proximity",
    "single-sample",
    "limits",
    "simulation",
    "coverage",
    "claims",
    "reference-only",
)


@dataclass(frozen=True)
class Case:
    """One printed row of a table."""

    name: str
    printed: tuple[str, ...]
    matrix: Matrix | None
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Erratum:
    """Printed cells of one case that are wrong, and what is right."""

    case: str
    metrics: tuple[str, ...]
    why: str
    matrix: Matrix | None
    value: str | None


@dataclass(frozen=True)
class Table:
    """A printed table or a printed statement with numbers."""

    id: str
    paper: str
    title: str
    source: str
    kind: str
    columns: tuple[str, ...]
    cases: tuple[Case, ...]
    errata: tuple[Erratum, ...]
    settings: Mapping[str, Any]

    def cells(self) -> Iterator[tuple[Case, str, str]]:
        """Every printed cell as (case, column, printed text); gaps are left out."""
        for case in self.cases:
            for column, printed in zip(self.columns, case.printed, strict=True):
                if printed:
                    yield case, column, printed

    def erratum(self, case: str, column: str) -> Erratum | None:
        """The erratum that covers a cell, if any."""
        for erratum in self.errata:
            if erratum.case == case and column in erratum.metrics:
                return erratum
        return None


@dataclass(frozen=True)
class PaperErratum:
    """An error of a paper that belongs to no single printed cell."""

    where: str
    what: str


@dataclass(frozen=True)
class Paper:
    """A paper's citation and its errors outside the tables."""

    id: str
    authors: tuple[str, ...]
    year: int
    title: str
    venue: str
    volume: str = ""
    pages: str = ""
    doi: str = ""
    errata: tuple[PaperErratum, ...] = ()

    @property
    def short(self) -> str:
        """Authors and year, as papers are spoken of."""
        last = [author.split()[-1] for author in self.authors]
        who = " and ".join(last) if len(last) < 3 else f"{last[0]} et al."
        return f"{who} ({self.year})"

    @property
    def citation(self) -> str:
        """The full reference on one line."""
        where = ", ".join(part for part in (self.venue, self.volume, self.pages) if part)
        doi = f". https://doi.org/{self.doi}" if self.doi else ""
        return f"{', '.join(self.authors)} ({self.year}). {self.title}. {where}{doi}"


@lru_cache(maxsize=1)
def tables() -> tuple[Table, ...]:
    """All tables, ordered by id."""
    folder = files(__package__).joinpath("published")
    sources = [source for source in folder.iterdir() if source.name.endswith(".toml")]
    found = [parse_table(source.read_text(encoding="utf-8"), source.name) for source in sources]
    return tuple(sorted(found, key=lambda table: table.id))


@lru_cache(maxsize=1)
def papers() -> Mapping[str, Paper]:
    """The five papers by id."""
    text = files(__package__).joinpath("papers.toml").read_text(encoding="utf-8")
    found = {}
    for key, entry in tomllib.loads(text).items():
        errata = tuple(PaperErratum(**erratum) for erratum in entry.pop("erratum", ()))
        authors = tuple(entry.pop("authors"))
        found[key] = Paper(id=key, authors=authors, errata=errata, **entry)
    return MappingProxyType(found)


def parse_table(text: str, name: str = "table") -> Table:
    """A table from TOML; ValueError names the file and what does not fit together."""
    raw = tomllib.loads(text)
    try:
        columns = tuple(raw.pop("metrics", ()) or raw.pop("columns"))
        cases = tuple(_case(entry) for entry in raw.pop("case"))
        table = Table(
            id=raw.pop("id"),
            paper=raw.pop("paper"),
            title=raw.pop("title"),
            source=raw.pop("source"),
            kind=raw.pop("kind"),
            columns=columns,
            cases=cases,
            errata=tuple(_erratum(entry, columns) for entry in raw.pop("erratum", ())),
            settings=MappingProxyType(raw),
        )
    except KeyError as missing:
        raise ValueError(f"{name}: the key {missing} is missing") from None
    for problem in problems(table):
        raise ValueError(f"{name}: {problem}")
    return table


def problems(table: Table) -> Iterator[str]:
    """What does not fit together in a table, one sentence each."""
    if table.kind not in KINDS:
        yield f"unknown kind {table.kind!r}"
    if not table.id.startswith(f"{table.paper}-"):
        yield f"the id {table.id!r} does not start with the paper's id {table.paper!r}"
    if table.kind == "reference-only" and not table.settings.get("why"):
        yield "a reference-only table must say why it cannot be computed"
    names = [case.name for case in table.cases]
    for label, values in (("case", names), ("column", table.columns)):
        for value in sorted({value for value in values if values.count(value) > 1}):
            yield f"the {label} {value!r} occurs twice"
    for case in table.cases:
        if len(case.printed) != len(table.columns):
            yield f"{case.name}: {len(case.printed)} cells for {len(table.columns)} columns"
        if (table.kind == "matrices") != (case.matrix is not None):
            yield f"{case.name}: only, and always, cases of kind 'matrices' have a matrix"
        if case.matrix is not None and not _is_square(case.matrix):
            yield f"{case.name}: the matrix is not square"
    yield from _erratum_problems(table)


def _erratum_problems(table: Table) -> Iterator[str]:
    sizes = {case.name: len(case.matrix or ()) for case in table.cases}
    seen: set[tuple[str, str]] = set()
    for erratum in table.errata:
        if erratum.case not in sizes:
            yield f"erratum for the unknown case {erratum.case!r}"
            continue
        for column in erratum.metrics:
            if column not in table.columns:
                yield f"{erratum.case}: erratum for the unknown column {column!r}"
            if (erratum.case, column) in seen:
                yield f"{erratum.case}: two errata for {column!r}"
            seen.add((erratum.case, column))
        if erratum.matrix is None and erratum.value is None:
            yield f"{erratum.case}: an erratum needs a corrected matrix or a value"
        if erratum.value is not None and len(erratum.metrics) != 1:
            yield f"{erratum.case}: an erratum's value belongs to exactly one metric"
        if erratum.matrix is not None and not _is_square(erratum.matrix, sizes[erratum.case]):
            yield f"{erratum.case}: the corrected matrix has another shape than the printed one"


def _case(raw: dict[str, Any]) -> Case:
    return Case(
        name=raw.pop("name"),
        printed=tuple(raw.pop("printed")),
        matrix=_matrix(raw.pop("matrix", None)),
        settings=MappingProxyType(raw),
    )


def _erratum(raw: dict[str, Any], columns: tuple[str, ...]) -> Erratum:
    return Erratum(
        case=raw["case"],
        metrics=tuple(raw.get("metrics", columns)),
        why=raw["why"],
        matrix=_matrix(raw.get("matrix")),
        value=raw.get("value"),
    )


def _matrix(rows: Sequence[Sequence[int]] | None) -> Matrix | None:
    return None if rows is None else tuple(tuple(row) for row in rows)


def _is_square(matrix: Matrix, size: int | None = None) -> bool:
    rows = len(matrix) if size is None else size
    return len(matrix) == rows > 1 and all(len(row) == rows for row in matrix)
