"""The data files are sound: they parse, fit together and name metrics that exist."""

from fractions import Fraction
from importlib.resources import files

import pytest

import metaeval
from metaeval.studies.published import KINDS, papers, parse_table, tables

BY_ID = {table.id: table for table in tables()}
WITH_MATRICES = [table for table in tables() if table.kind == "matrices"]


def test_every_file_is_named_after_its_table():
    folder = files("metaeval.studies").joinpath("published")
    names = sorted(source.name for source in folder.iterdir() if source.name.endswith(".toml"))
    assert names == sorted(f"{table.id}.toml" for table in tables())


def test_every_table_belongs_to_a_known_paper_and_every_paper_has_one():
    assert {table.paper for table in tables()} == set(papers()) == {f"00{i}" for i in range(5)}


@pytest.mark.parametrize("table", tables(), ids=lambda table: table.id)
def test_every_metric_named_is_registered(table):
    rows = table.kind in ("claims", "coverage")
    names = [case.name for case in table.cases] if rows else table.columns
    if table.kind in ("proximity", "reference-only"):
        return
    for name in names:
        assert metaeval.metric(name) is not None
    for name in table.settings.get("exchanged", ()):
        assert name in names


@pytest.mark.parametrize("paper", papers().values(), ids=lambda paper: paper.id)
def test_citations_are_complete(paper):
    for part in (*paper.authors, str(paper.year), paper.title, paper.venue, paper.doi):
        assert part
        assert part in paper.citation
    for erratum in paper.errata:
        assert erratum.where
        assert erratum.what.endswith(".")


@pytest.mark.parametrize(
    ("start", "sizes"),
    [
        ("colon", (24, 57, 57, 39)),
        ("lung", (31, 12, 13)),
        ("ovarian", (16, 30, 32, 417, 84)),
    ],
)
def test_paper_001_is_stored_with_true_classes_in_rows(start, sizes):
    cases = [case for case in BY_ID["001-table2"].cases if case.name.startswith(start)]
    assert len(cases) >= 3
    for case in cases:
        assert tuple(map(sum, case.matrix)) == sizes


def test_paper_002_is_stored_with_true_classes_in_rows():
    for case in BY_ID["002-appendix-a"].cases:
        assert tuple(map(sum, case.matrix)) == (10, 60, 30)


def test_single_item_cells_are_the_closed_form():
    def closed(distance, weight):
        return min(Fraction(1), 1 - Fraction(1, 1 + distance) + Fraction(weight) * distance)

    def area(distance):
        return 1 - Fraction(1, 2 * distance * (1 + distance) ** 2) if distance else Fraction(0)

    for case in BY_ID["000-figure4"].cases:
        distance = case.settings["distance"]
        expected = [closed(distance, weight) for weight in ("0", "0.1", "0.25", "0.5")]
        assert [Fraction(cell) for cell in case.printed] == [*expected, min(distance, 1)]
    for case in BY_ID["004-figure2"].cases:
        distance = case.settings["distance"]
        expected = [closed(distance, weight) for weight in ("0", "0.25", "0.75")]
        assert [Fraction(cell) for cell in case.printed] == [*expected, area(distance)]


def test_tables_for_later_comparers_are_whole():
    simulation = BY_ID["001-table3"]
    assert len(simulation.cases) == 24
    assert all(case.printed[0] == "1.000" for case in simulation.cases)
    assert sum(case.settings.get("explained", True) is False for case in simulation.cases) == 4
    coverage = BY_ID["002-table3"]
    assert len(list(coverage.cells())) == 90
    assert len(coverage.settings["left_out"]) == len(coverage.columns)
    claims = BY_ID["002-table2"]
    assert len({case.settings["row"] for case in claims.cases}) == 18
    assert {cell for _, _, cell in claims.cells()} == {"yes", "no"}
    for table in tables():
        assert table.kind in KINDS
        assert table.kind != "reference-only" or table.settings["why"]


SOUND = """
id = "000-x"
paper = "000"
title = "t"
source = "s"
kind = "matrices"
metrics = ["mer", "mae"]
[[case]]
name = "A"
matrix = [[1, 2], [0, 4]]
printed = ["0.3", "0.3"]
[[erratum]]
case = "A"
metrics = ["mae"]
why = "because"
value = "0.29"
"""


def test_a_sound_table_parses():
    table = parse_table(SOUND)
    assert [cell for _, _, cell in table.cells()] == ["0.3", "0.3"]
    assert table.erratum("A", "mae").value == "0.29"
    assert table.erratum("A", "mer") is None


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('title = "t"', "", "'title' is missing"),
        ('kind = "matrices"', 'kind = "matrixes"', "unknown kind 'matrixes'"),
        ('id = "000-x"', 'id = "001-x"', "does not start with the paper's id"),
        ('["0.3", "0.3"]', '["0.3"]', "A: 1 cells for 2 columns"),
        ("[[1, 2], [0, 4]]", "[[1, 2], [0]]", "A: the matrix is not square"),
        ("matrix = [[1, 2], [0, 4]]", "", "have a matrix"),
        ('["mer", "mae"]', '["mae", "mae"]', "the column 'mae' occurs twice"),
        ('case = "A"', 'case = "B"', "unknown case 'B'"),
        ('metrics = ["mae"]', 'metrics = ["mse"]', "unknown column 'mse'"),
        ('metrics = ["mae"]', "", "belongs to exactly one metric"),
        ('value = "0.29"', "", "needs a corrected matrix or a value"),
        ('value = "0.29"', "matrix = [[1]]", "has another shape"),
    ],
)
def test_an_unsound_table_is_named_and_refused(old, new, complaint):
    assert old in SOUND
    with pytest.raises(ValueError, match=r"^bad\.toml: ") as caught:
        parse_table(SOUND.replace(old, new), "bad.toml")
    assert complaint in str(caught.value)


def test_matrices_are_counts():
    for table in WITH_MATRICES:
        for case in table.cases:
            assert all(isinstance(n, int) and n >= 0 for row in case.matrix for n in row)
