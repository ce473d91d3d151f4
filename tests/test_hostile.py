"""Names that mean harm, in every format: shown as text, run by nothing, and read back exactly."""

import csv
import io
import json
import pty
import re
import subprocess
import sys
import unicodedata
from html.parser import HTMLParser
from os import close, read

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metaeval as me
from metaeval.cells import as_csv
from metaeval.evaluation.reading import read_raw
from metaeval.files import write_frame
from tests.cli.command import metaeval, refused

NAMES = [
    "<img src=x onerror=alert(1)>",
    '"><script>alert(2)</script>',
    "' onmouseover='alert(3)",
    "</script><!--",
    "javascript:alert(4)",
    "{{7*7}}{% raw %}",
    r"\input{/etc/passwd} $x_1$ % & # ~ ^ { }",
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J",
    "two\nlines\rand three",
    "\u202eright to left\u2066\u200f",
    '=cmd|"/C calc"!A0',
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "'=quoted",
    "-1",
    "x" * 10_000,
]
CLASSES = ["<b>low</b>", "=mid", "\x1b[1mhigh"]
CASES = ["<i>one</i>", "=two", "\x1b[2Jthree"]
ORDER = ",".join(CLASSES)
FEW = ["-m", "mae", "-m", "cem_ord", "--classes", ORDER]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, 60)
    columns = {"gold": gold}
    for number, name in enumerate(NAMES):
        keep = rng.random(60) < 0.2 + 0.04 * number
        columns[name] = np.where(keep, gold, rng.integers(0, 3, 60))
    frame = pd.DataFrame(columns).map(lambda code: CLASSES[code])
    frame.insert(1, "case", [CASES[n % 3] for n in range(60)])
    path = tmp_path_factory.mktemp("hostile") / "<t>.csv"
    write_frame(frame, path)
    return path


def harmful(text):
    """Characters that command a terminal or reorder a line."""
    return {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c != "\n"}


VIEWS = ["summary", "leaderboard", "pairs", "confusion", "swaps", "flags", "scores"]
EVERY = [["score"], *(["evaluate", "--replicates", "3", "--show", view] for view in VIEWS)]


@pytest.mark.parametrize("words", EVERY, ids=lambda words: words[-1])
def test_the_terminal_gets_no_commands(table, words):
    for form in ("table", "latex", "json"):
        done = metaeval(words[0], table, *words[1:], *FEW, "--format", form)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        assert harmful(done.stdout) == set(), form


@pytest.mark.parametrize("words", EVERY, ids=lambda words: words[-1])
def test_no_cell_of_a_csv_is_a_formula(table, words):
    text = metaeval(words[0], table, *words[1:], *FEW, "--format", "csv").stdout
    for row in csv.reader(io.StringIO(text, newline="")):
        for cell in row:
            number = re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", cell)
            assert number or cell[:1] not in tuple("=+-@\t\r\n"), cell


def test_csv_gives_every_name_back(table, tmp_path):
    out = tmp_path / "scores.csv"
    out.write_text(metaeval("score", table, *FEW, "--format", "csv").stdout, newline="")
    raw = read_raw(out)
    cells = raw.columns["system"].cells().tolist()
    assert list(dict.fromkeys(cells)) == NAMES
    assert list(dict.fromkeys(raw.columns["case"].cells())) == CASES


def test_json_gives_every_name_back(table):
    rows = json.loads(metaeval("score", table, *FEW, "--format", "json").stdout)
    assert list(dict.fromkeys(row["system"] for row in rows)) == NAMES


TEXT = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=12)
RISKY = st.sampled_from(["=1", "'", "''=", "-1", "+x", "\t", '"', "\r\n", ",", "-", "\x00", "＝1"])


@settings(max_examples=200)
@given(cells=st.lists(st.one_of(TEXT, RISKY), min_size=1, max_size=6), suffix=st.sampled_from("ct"))
def test_what_is_written_is_read_back_exactly(tmp_path_factory, cells, suffix):
    path = tmp_path_factory.mktemp("cells") / f"t.{suffix}sv"
    frame = pd.DataFrame({"number": -1.5, "=text": cells})
    write_frame(frame, path)
    raw = read_raw(path)
    assert list(raw.columns) == ["number", "=text"]
    assert raw.columns["=text"].cells().tolist() == cells
    assert set(raw.columns["number"].values) == {"-1.5"}


def test_numbers_stay_numbers():
    frame = pd.DataFrame({"-1": [-0.5, np.nan], "text": ["-3", "-3-3"], "mixed": [-2, "=x"]})
    assert as_csv(frame) == "-1,text,mixed\n-0.5,-3,-2\n,'-3-3,'=x\n"


def test_latex_has_no_commands_of_others(table):
    text = metaeval("score", table, *FEW, "--format", "latex").stdout
    own = {"begin", "end", "toprule", "midrule", "bottomrule", "usepackage"}
    own |= {f"text{name}" for name in ("backslash", "asciitilde", "asciicircum", "less")}
    own |= {"textgreater", "textbar"}
    assert set(re.findall(r"\\([A-Za-z]+)", text)) <= own
    body = text.partition(r"\midrule")[2]
    assert not re.search(r"(?<!\\)[$#_%]", body)
    assert len({line.count(" & ") for line in body.splitlines() if line.endswith(r" \\")}) == 1


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts, self._script = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self._script = dict(attributes) if tag == "script" else None

    def handle_endtag(self, tag):
        self._script = None

    def handle_data(self, data):
        if self._script and self._script.get("type") == "application/json":
            self.scripts.append(data)


def check_page(text):
    read = Tags(text)
    for tag, attributes in read.tags:
        assert tag not in ("img", "iframe", "object", "embed", "i", "base"), attributes
        assert not [name for name in attributes if name.startswith("on")], attributes
        for name in ("href", "src", "action", "xlink:href"):
            assert (attributes.get(name) or "#").startswith(("#", "data:")), attributes
    assert harmful(text) == set()
    assert "49" not in re.findall(r"(\d+)\{% raw", text)  # no template of theirs is filled in
    for script in read.scripts:
        json.loads(script)
    return read


def test_the_page_shows_names_as_text(table, tmp_path):
    page = tmp_path / "page.html"
    done = metaeval("evaluate", table, *FEW, "--replicates", "3", "--out", page)
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    read = check_page(text)
    assert "&lt;img src=x onerror=alert(1)&gt;" in text
    assert any("onerror" in script for script in read.scripts)


def test_a_function_with_a_name_that_means_harm():
    def function(matrix):
        return float(np.trace(matrix) / matrix.sum())

    function.__name__ = NAMES[1]
    report = me.check(function, ["imbalance"], max_items=4, max_classes=3, samples=0, jobs=1)
    check_page(report._repr_html_())


def test_a_folder_of_frames_has_safe_names(table, tmp_path):
    out = tmp_path / "out"
    assert metaeval("evaluate", table, *FEW, "--replicates", "3", "--out", out).returncode == 0
    assert all(re.fullmatch(r"[a-z]+\.(csv|json)", path.name) for path in out.iterdir())
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("label", [CLASSES[2], "a\nb", "\u202ex", "y" * 100_000])
def test_complaints_are_one_plain_line(tmp_path, label):
    path = tmp_path / "t.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["gold", label], ["1", "1"], ["2", label]])
    said = refused("score", path)
    assert harmful(said) == set()
    assert len(said) < 1_500


def test_csv_on_a_terminal_is_plain(table):
    main, side = pty.openpty()
    command = [sys.executable, "-m", "metaeval", "score", str(table), *FEW, "-f", "csv"]
    with subprocess.Popen(command, stdout=side, stderr=subprocess.PIPE) as process:
        close(side)
        shown = b""
        while True:
            try:
                part = read(main, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        assert process.wait() == 0, process.stderr.read()
    close(main)
    text = shown.decode("utf-8").replace("\r\n", "\n")
    assert "img src=x" in text
    assert harmful(text) == set()
