"""The judge: each verdict can occur, and what is wrong is not let through."""

import math
from dataclasses import replace

import pytest

from metaeval.errors import InputError
from metaeval.studies.published import Erratum, parse_table, tables
from metaeval.studies.reproduce import (
    COMPARERS,
    compare,
    extrapolate,
    judge,
    read_printed,
    reproduce,
    select,
)

NAN = math.nan


@pytest.mark.parametrize(
    ("printed", "value", "unit"),
    [
        ("0.50", 0.5, 0.01),
        ("1.1", 1.1, 0.1),
        ("-0.254", -0.254, 0.001),
        ("15%", 0.15, 0.01),
        ("1.5%", 0.015, 0.001),
        ("2/3", 2 / 3, 0),
        ("1", 1, 0),
    ],
)
def test_printed_text_is_read_with_its_precision(printed, value, unit):
    assert read_printed(printed) == pytest.approx((value, unit), abs=1e-15)


@pytest.mark.parametrize(
    ("printed", "computed", "verdict"),
    [
        ("0.77", 0.7692, "match"),
        ("0.0", -0.0, "match"),
        ("-0.25", -0.2546, "match"),
        # An exact tie may be rounded to even or away from zero, whichever side of it floats fall.
        ("0.53", 0.525, "match"),
        ("0.52", 0.525, "match"),
        ("0.53", 0.525 - 1e-12, "match"),
        ("0.85", 0.857, "rounding"),
        ("-0.85", -0.857, "rounding"),
        ("0.86", 0.8505, "rounding"),
        ("0.85", 0.86, "differs"),
        ("0.85", 0.8451, "match"),
        ("0.85", 0.84, "differs"),
        ("1", 0.9999, "differs"),
        ("1", 1 - 1e-12, "match"),
        ("2/3", 0.667, "differs"),
        ("15%", 0.1495, "match"),
        ("15%", 0.1449, "rounding"),
        ("15%", 0.14, "differs"),
        ("NA", NAN, "match"),
        ("NA", 0.0, "differs"),
        ("0.0", NAN, "differs"),
    ],
)
def test_judge(printed, computed, verdict):
    assert judge(printed, computed)[0] == verdict


def test_a_rounding_note_says_which_way():
    assert "cut off" in judge("0.85", 0.857)[1]
    assert "cut off" in judge("-0.85", -0.857)[1]
    assert "twice" in judge("0.86", 0.8505)[1]


# MER of the matrix is 1/4, its MAE 1/2; the corrected matrix has 1/4 and 1/4.
TABLE = """
id = "000-test"
paper = "000"
title = "t"
source = "s"
kind = "matrices"
metrics = ["mer", "mae"]
[[case]]
name = "A"
matrix = [[1, 0, 1], [0, 1, 0], [0, 0, 1]]
printed = ["0.25", "{mae}"]
"""
ERRATUM = '[[erratum]]\ncase = "A"\nmetrics = ["mae"]\nwhy = "a slip"\n'
CORRECTED = "matrix = [[1, 1, 0], [0, 1, 0], [0, 0, 1]]\n"


def verdict_of(mae, erratum=""):
    result = compare([parse_table(TABLE.format(mae=mae) + erratum)])
    row = result.frame.set_index("metric").loc["mae"]
    assert row["computed"] == 0.5
    assert result.ok == (row["verdict"] != "differs")
    return row["verdict"], row["note"]


def test_right_and_wrong_digits():
    assert verdict_of("0.50") == ("match", "")
    assert verdict_of("0.51")[0] == "differs"
    assert verdict_of("0.501")[0] == "differs"
    assert verdict_of("0.4")[0] == "differs"


def test_an_erratum_with_a_value_holds_only_if_the_value_is_computed():
    assert verdict_of("0.70", ERRATUM + 'value = "0.50"\n') == ("erratum", "a slip")
    assert verdict_of("0.70", ERRATUM + 'value = "0.60"\n')[0] == "differs"


def test_an_erratum_goes_before_rounding():
    (table,) = select(["000-table3"])
    erratum = Erratum("CM4", ("mae",), "a slip", None, "0.857")
    for errata, expected in (((), "rounding"), ((erratum,), "erratum")):
        frame = compare([replace(table, errata=errata)]).frame
        cell = frame[(frame["case"] == "CM4") & (frame["metric"] == "mae")]
        assert cell["verdict"].tolist() == [expected]


def test_an_erratum_with_a_matrix_holds_only_if_it_gives_the_printed_cell():
    verdict, note = verdict_of("0.25", ERRATUM + CORRECTED)
    assert verdict == "erratum"
    assert note == "a slip; the corrected matrix gives 0.25"
    assert verdict_of("0.26", ERRATUM + CORRECTED)[0] == "differs"


def test_an_erratum_with_a_matrix_has_to_explain_the_rest_of_the_row():
    all_wrong = "matrix = [[0, 1, 0], [1, 0, 0], [0, 1, 0]]\n"  # MAE 1, but MER 1 as well
    assert verdict_of("1.00", ERRATUM + all_wrong) == (
        "differs",
        "the corrected matrix gives 1 for mer",
    )


def test_an_erratum_with_matrix_and_value():
    assert verdict_of("0.70", ERRATUM + CORRECTED + 'value = "0.25"\n')[0] == "erratum"
    assert verdict_of("0.70", ERRATUM + CORRECTED + 'value = "0.50"\n')[0] == "differs"


def test_an_erratum_on_a_right_cell_is_an_error_of_the_data():
    verdict, note = verdict_of("0.50", ERRATUM + 'value = "0.50"\n')
    assert verdict == "differs"
    assert "the printed value is right" in note


EXACT = ("matrices", "proximity", "single-sample", "limits")


@pytest.mark.parametrize(
    "table", [table for table in tables() if table.kind in EXACT], ids=lambda table: table.id
)
def test_a_wrong_digit_anywhere_is_found(table):
    """Change the first cell that is not an erratum by two units of its last digit."""
    case, column, printed = next(
        cell for cell in table.cells() if table.erratum(cell[0].name, cell[1]) is None
    )
    value, unit = read_printed(printed)
    wrong = f"{value + 2 * (unit or 0.1):.4f}"
    cells = tuple(
        wrong if name == column else text
        for name, text in zip(table.columns, case.printed, strict=True)
    )
    cases = tuple(replace(c, printed=cells) if c is case else c for c in table.cases)
    result = compare([replace(table, cases=cases, errata=())])
    row = result.frame.query("case == @case.name and metric == @column")
    assert row["verdict"].tolist() == ["differs"]
    assert not result.ok


@pytest.mark.parametrize("power", [0.5, 1, 2])
def test_extrapolation_needs_no_order(power):
    values = [3 + 5 * k**-power for k in (10, 20, 40)]
    assert extrapolate(values) == pytest.approx((3, power))


@pytest.mark.parametrize("values", [[1, 1, 1], [1, 2, 3], [1, 2, 4], [1, 2, 1.5]])
def test_extrapolation_says_if_nothing_settles(values):
    assert extrapolate(values) == (values[-1], 0.0)


def test_a_paper_selects_its_tables():
    assert set(reproduce(["003"]).frame["table"]) == {"003-table1"}
    assert {table.paper for table in select(["000", "004"])} == {"000", "004"}


def test_a_table_selects_itself_and_its_parts():
    assert {table.id for table in select(["000-table1"])} == {"000-table1"}
    parts = {"002-appendix-a", "002-appendix-a-proximity"}
    assert {table.id for table in select(["002-appendix-a"])} == parts
    assert [table.id for table in select(["002-Section-3.1 "])] == ["002-section-3.1"]


def test_selectors_may_overlap_and_keep_the_order_of_ids():
    ids = [table.id for table in select(["000-table3", "000-table1", "000-table3"])]
    assert ids == ["000-table1", "000-table3"]


def test_no_selector_is_everything_that_can_be_compared():
    assert select() == select([]) == tables()
    assert set(EXACT) <= set(COMPARERS)


def test_kinds_without_a_comparer_are_left_out():
    reference = [table for table in tables() if table.kind == "reference-only"]
    result = compare([*reference, *select(["003"])])
    assert set(result.frame["table"]) == {"003-table1"}
    empty = compare(reference)
    assert empty.frame.empty
    assert empty.ok


@pytest.mark.parametrize(
    ("selector", "hint"),
    [("000-tabel1", "000-table1"), ("005", "'00"), ("table1", "-table1'"), ("xyz", "known: 000,")],
)
def test_an_unknown_selector_gets_a_suggestion(selector, hint):
    with pytest.raises(InputError, match=f"unknown paper or table '{selector}'") as caught:
        reproduce([selector])
    assert hint in str(caught.value)


def test_a_table_that_cannot_be_computed_says_why():
    with pytest.raises(InputError, match=r"004-table2 cannot be computed again: .*pictures"):
        reproduce(["004-table2"])
