"""The frames of a report as files."""

import io
import json
import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaeval.cells import as_csv, guarded, unguarded
from metaeval.errors import InputError
from metaeval.reporting.embed import embedded, flat
from metaeval.reporting.export import as_json, as_latex, beside, export
from tests.reporting.systems import FORMULA, HOSTILE, ODD


@given(st.text())
def test_guarding_can_be_undone_exactly(text):
    safe = guarded(text)
    assert safe[:1] not in tuple("=+-@\t\r\n＝＋－＠") or re.fullmatch(r"[+-][0-9.eE+-]+", safe)
    assert unguarded(safe) == text


def test_numbers_are_not_guarded():
    assert guarded(-1.5) == -1.5
    for text in ("-1", "+1.5", "-2e-3", "-.5", "-1."):
        assert guarded(text) == text
    for text in ("-1+1", "-1\n", "--1", "-e1", "-", "+1 ", "-1.5.2", "-٣"):
        assert guarded(text) == f"'{text}"
    assert "-1.5" in as_csv(pd.DataFrame({"x": [-1.5]}))


def test_csv_round_trip(report):
    frame = report.frames["systems"]
    back = pd.read_csv(io.StringIO(as_csv(flat(frame))))
    assert f"'{FORMULA}" in back["system"].tolist()
    assert [unguarded(name) for name in back["system"]] == [str(name) for name in frame.index]
    pd.testing.assert_frame_equal(
        back.drop(columns="system"), frame.reset_index(drop=True), check_names=False
    )


def test_json_holds_every_frame_of_the_page(report):
    found = json.loads(as_json(report.frames))
    assert list(found) == list(report.frames)
    assert HOSTILE in [row["system"] for row in found["systems"]]
    for name, frame in report.frames.items():
        assert len(found[name]) == len(frame)


def test_embedded_json_cannot_end_its_element():
    text = embedded(pd.DataFrame({"</script>": ["<!--", "\u2028", None]}))
    assert "<" not in text
    assert json.loads(text) == {"columns": ["</script>"], "rows": [["<!--"], ["\u2028"], [None]]}


def test_latex_is_escaped_and_balanced(report):
    text = as_latex(report.frames)
    assert HOSTILE not in text
    assert ODD not in text
    assert text.count(r"\begin{longtable}") == text.count(r"\end{longtable}") == len(report.frames)
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    assert text.isascii() or not re.search(r"[^\x00-\u024f]", text)
    for row in re.findall(r"\\midrule\n\\endhead.*?\\end\{longtable\}", text, re.DOTALL):
        lines = [line for line in row.splitlines() if line.endswith(r" \\")]
        assert len({line.count(" & ") for line in lines}) == 1


def test_latex_rows_do_not_run_into_the_line_before():
    frame = pd.DataFrame({"x": ["[1pt]", "*", "日本語", "ĸ", "x" * 10_000]})
    text = as_latex({"n": frame})
    assert "\n{[}1pt] " in text
    assert "\n{*} " in text
    assert "\n??? " in text
    assert "x" * 50 not in text


def test_files_stand_beside_the_page(report, tmp_path):
    page = tmp_path / "name.html"
    for format, name in (
        ("json", "name-tables.json"),
        ("latex", "name-tables.tex"),
        ("csv", "name-tables"),
    ):
        assert export(report.frames, page, format) == tmp_path / name == beside(page, format)
    written = {path.stem for path in (tmp_path / "name-tables").iterdir()}
    assert written == set(report.frames)
    with pytest.raises(InputError, match="exists already"):
        export(report.frames, page, "json")
    with pytest.raises(InputError, match="unknown format"):
        export(report.frames, page, "xlsx")
