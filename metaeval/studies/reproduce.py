"""Published beside computed: every printed cell of the papers with a verdict.

A cell's verdict is one of

* ``match``: the computed value, rounded to the printed digits, is the printed text;
* ``rounding``: it is less than one unit of the last printed digit away, so the paper cut it off
  or rounded it twice;
* ``within``: the cell comes from a simulation and lies within the tolerance that its comparer
  states;
* ``undecided``: it lies further away, but so little that the simulation is too small to tell;
* ``erratum``: the paper is wrong and the table's file says why. The claim is verified by
  computation each time, otherwise the cell ``differs``;
* ``unexplained``: the paper does not say enough to compute the cell, and nothing tried gives it;
* ``differs``: anything else.

A kind of table becomes reproducible by one function under :func:`comparer`; tables of kinds that
have none are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

import metaeval
from metaeval.errors import InputError, unknown
from metaeval.measures.closeness import proximity
from metaeval.studies.published import Case, Erratum, Table, tables

VERDICTS = ("match", "rounding", "within", "undecided", "erratum", "unexplained", "differs")
COLUMNS = ("paper", "table", "case", "metric", "published", "computed", "verdict", "note")

# Two values this close are the same number computed in another order. It also makes an exact tie
# (0.525 printed as 0.52 or as 0.53) a match both ways.
SAME = 1e-9


@dataclass(frozen=True)
class Cell:
    """One printed value beside the computed one."""

    case: str
    metric: str
    published: str
    computed: float
    verdict: str
    note: str = ""


@dataclass(frozen=True, eq=False)
class Reproduction:
    """All compared cells, one row each, with the columns of ``COLUMNS``."""

    frame: pd.DataFrame

    @property
    def ok(self) -> bool:
        """True if no cell differs."""
        return not (self.frame["verdict"] == "differs").any()

    @property
    def counts(self) -> pd.DataFrame:
        """Number of cells by table (index) and verdict (columns)."""
        counts = pd.crosstab(self.frame["table"], self.frame["verdict"])
        return counts.reindex(columns=pd.Index(VERDICTS, name="verdict"), fill_value=0)

    def _repr_html_(self) -> str:
        from metaeval.reporting.notebook import frames_html
        from metaeval.reporting.reproduction import headline

        apart = self.frame[~self.frame["verdict"].isin(("match", "within"))]
        return frames_html({"verdicts": self.counts, "apart": apart}, headline(self.frame))


Comparer = Callable[[Table], Iterable[Cell]]
COMPARERS: dict[str, Comparer] = {}


def comparer(kind: str) -> Callable[[Comparer], Comparer]:
    """Make the decorated function the way to compare tables of a kind."""

    def register(function: Comparer) -> Comparer:
        COMPARERS[kind] = function
        return function

    return register


def reproduce(selectors: Sequence[str] = ()) -> Reproduction:
    """Compute the papers' cells again: all, or those of some papers ("000") or tables."""
    return compare(select(selectors))


def compare(chosen: Iterable[Table]) -> Reproduction:
    """Compute the cells of the given tables again; kinds without a comparer are left out."""
    rows = [
        {"paper": table.paper, "table": table.id, **asdict(cell), "note": _note(table, cell)}
        for table in chosen
        if table.kind in COMPARERS
        for cell in COMPARERS[table.kind](table)
    ]
    return Reproduction(pd.DataFrame(rows, columns=list(COLUMNS)).astype({"computed": float}))


def _note(table: Table, cell: Cell) -> str:
    """The cell's note and the table's, which says where a value is not printed as such."""
    return "; ".join(note for note in (cell.note, table.settings.get("note")) if note)


def select(selectors: Sequence[str] = ()) -> tuple[Table, ...]:
    """The tables that selectors name, in order of id; a selector is an id or the start of ids."""
    chosen: set[str] = set()
    for selector in selectors:
        key = selector.strip().lower()
        found = [table for table in tables() if f"{table.id}-".startswith(f"{key}-")]
        if not found:
            ids = {table.id for table in tables()} | {table.paper for table in tables()}
            raise unknown("paper or table", selector, ids)
        if not any(table.kind in COMPARERS for table in found):
            why = found[0].settings.get("why", f"no comparison for {found[0].kind!r} tables yet")
            raise InputError(f"{selector} cannot be computed again: {why}")
        chosen.update(table.id for table in found)
    return tuple(table for table in tables() if not selectors or table.id in chosen)


def read_printed(text: str) -> tuple[float, float]:
    """A printed cell as (value, unit of its last digit); the unit of an exact cell is 0."""
    if text == "NA":
        return math.nan, 0.0
    if text.endswith("%"):
        value, unit = read_printed(text[:-1])
        return value / 100, (unit or 1.0) / 100
    _, point, decimals = text.partition(".")
    return float(Fraction(text)), 10.0 ** -len(decimals) if point else 0.0


def judge(printed: str, computed: float) -> tuple[str, str]:
    """Verdict (match, rounding or differs) and note for one cell on its own."""
    value, unit = read_printed(printed)
    if math.isnan(value) or math.isnan(computed):
        return ("match" if math.isnan(value) and math.isnan(computed) else "differs"), ""
    distance = abs(computed - value)
    if distance <= unit / 2 + SAME:
        return "match", ""
    if distance < unit - SAME:
        cut = abs(computed) > abs(value)
        return "rounding", "cut off, not rounded" if cut else "rounded up, or rounded twice"
    return "differs", ""


def reads_as(printed: str, computed: float) -> bool:
    """Whether a computed value is the printed one."""
    return judge(printed, computed)[0] == "match"


def score(metric: str, matrix: Any) -> float:
    """A metric of one matrix, by the metric's name."""
    return float(metaeval.metric(metric)(matrix))


@comparer("matrices")
def compare_matrices(table: Table) -> Iterator[Cell]:
    """Cells that are metrics of printed confusion matrices."""
    for case, metric, printed in table.cells():
        computed = score(metric, case.matrix)
        verdict, note = judge(printed, computed)
        erratum = table.erratum(case.name, metric)
        if erratum is not None:
            verdict, note = verify(table, case, metric, printed, erratum)
        yield Cell(case.name, metric, printed, computed, verdict, note)


def verify(
    table: Table, case: Case, metric: str, printed: str, erratum: Erratum
) -> tuple[str, str]:
    """Verdict and note of a cell with an erratum: no erratum is believed, each is computed."""
    if reads_as(printed, score(metric, case.matrix)):
        return "differs", f"an erratum is recorded, but the printed value is right: {erratum.why}"
    corrected = score(metric, erratum.matrix or case.matrix)
    if not reads_as(erratum.value or printed, corrected):
        return "differs", f"the recorded erratum gives {corrected:.5g}: {erratum.why}"
    if erratum.matrix is None:
        return "erratum", erratum.why
    # A corrected input has to explain the whole row, but for cells with an error of their own.
    for other, text in zip(table.columns, case.printed, strict=True):
        own = table.erratum(case.name, other)
        if text and (own is None or own.value is None):
            value = score(other, erratum.matrix)
            if not reads_as(text, value):
                return "differs", f"the corrected matrix gives {value:.5g} for {other}"
    return "erratum", f"{erratum.why}; the corrected matrix gives {corrected:.5g}"


@comparer("single-sample")
def compare_single_sample(table: Table) -> Iterator[Cell]:
    """Matrices with one item, of the first class, predicted ``distance`` classes away."""
    for case, metric, printed in table.cells():
        matrix = np.zeros((table.settings["classes"],) * 2, dtype=np.int64)
        matrix[0, case.settings["distance"]] = 1
        computed = score(metric, matrix)
        yield Cell(case.name, metric, printed, computed, *judge(printed, computed))


@comparer("proximity")
def compare_proximity(table: Table) -> Iterator[Cell]:
    """Proximities -log2 p(system class, gold class) of paper 002."""
    for case, column, printed in table.cells():
        gold = table.settings["gold"][case.settings["gold"]]
        # Classes whose sizes the paper leaves out lie beyond the listed ones: one more class.
        others = gold["items"] - sum(gold["sizes"])
        system, true = (gold["classes"].index(name) for name in case.settings["pair"])
        computed = float(proximity([*gold["sizes"], others])[system, true])
        yield Cell(case.name, column, printed, computed, *judge(printed, computed))


@comparer("limits")
def compare_limits(table: Table) -> Iterator[Cell]:
    """Limits of tridiagonal matrices for many classes, within the table's ``tolerance``."""
    sizes = table.settings["sizes"]
    stack = [tridiagonal(size) for size in sizes]
    for case, metric, printed in table.cells():
        values = [score(metric, matrix) for matrix in stack]
        computed, power = extrapolate(values)
        limit, _ = read_printed(printed)
        good = power > 0 and abs(computed - limit) <= table.settings["tolerance"]
        at = ", ".join(f"{k}: {value:.4f}" for k, value in zip(sizes, values, strict=True))
        note = f"extrapolated, the error falls like K^-{power:.1f} (by K: {at})"
        yield Cell(case.name, metric, printed, computed, "match" if good else "differs", note)


def extrapolate(values: Sequence[float]) -> tuple[float, float]:
    """Limit and order p of values at sizes K, 2K, 4K; p = 0 if they do not settle.

    Aitken's formula removes an error that is proportional to K^-p for any p > 0, so nothing is
    assumed about p: it is measured. What remains is about a factor K smaller.
    """
    first, second = (after - before for before, after in pairwise(values))
    if first * second <= 0 or abs(second) >= abs(first):
        return values[-1], 0.0
    return values[-1] + second**2 / (first - second), math.log2(first / second)


def tridiagonal(classes: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Ones on the diagonal and beside it."""
    index = np.arange(classes)
    return (abs(index[:, None] - index) <= 1).astype(np.int64)


# Last, because they register themselves with what is defined above.
from metaeval.studies import compare_claims, compare_coverage, compare_simulation  # noqa: E402, F401
