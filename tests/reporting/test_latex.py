"""LaTeX of every command: escaped and balanced everywhere, compiled where pdflatex is installed."""

import re
import shutil
import subprocess

import pandas as pd
import pytest

from metaeval.reporting.export import as_latex
from metaeval.reporting.tables import escape_latex, render
from tests.cli.command import metaeval
from tests.evaluation.tables import outputs_frame
from tests.reporting.systems import FORMULA, HOSTILE, ODD

NAMES = [HOSTILE, FORMULA, ODD, "[2pt] 日本語 \\ ^ ~ ✓ łódź"]
FEW = ("-m", "mae", "-m", "accuracy", "-m", "cem_ord", "--replicates", "20")
VIEWS = ("summary", "leaderboard", "pairs", "swaps", "agreement", "flags", "confusion", "metrics")
COMMANDS = {
    "metrics": ("metrics",),
    "properties": ("properties",),
    "studies": ("studies",),
    "score": ("score", "{table}"),
    "check": ("check", "mae", "oc", "-p", "imbalance,symmetry,monotonicity"),
    "atlas": ("check", "--all", "-p", "identity,symmetry", "--max-items", "3", "--jobs", "1"),
    "agree": ("agree", "-m", "mae", "-m", "oc", "--pairs", "50"),
    "between": ("agree", "--between", "mae,oc", "--pairs", "50"),
    "reproduce": ("reproduce", "000", "002-appendix-b", "003", "004"),
    **{f"evaluate {view}": ("evaluate", "{table}", *FEW, "--show", view) for view in VIEWS},
    "recommendation": ("evaluate", "{table}", *FEW, "--show", "recommendation"),
}


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What every command prints as LaTeX."""
    table = tmp_path_factory.mktemp("latex") / "runs.csv"
    frame = outputs_frame()
    frame.columns = ["gold", "case", *NAMES]
    # Right more often than most, and as far off as can be otherwise: a sure swap.
    frame[NAMES[-1]] = frame["gold"].where(frame.index % 4 > 0, 5 - frame["gold"])
    frame.to_csv(table, index=False)
    found = {}
    for name, words in COMMANDS.items():
        arguments = [table if word == "{table}" else word for word in words]
        done = metaeval(*arguments, "--format", "latex")
        assert done.returncode == 0, done.stderr
        found[name] = done.stdout
    return found


def bare(text):
    """Without escaped characters, which mean nothing to LaTeX's own syntax."""
    return re.sub(r"\\[\\{}&%$#_]", "", text)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_escaped_and_balanced(name, printed):
    text = printed[name]
    lines = [line for line in text.splitlines() if not line.startswith("%")]
    assert lines[0].startswith(r"\begin{tabular}{")
    assert lines[-1] == r"\end{tabular}"
    assert [lines[1], lines[3], lines[-2]] == [r"\toprule", r"\midrule", r"\bottomrule"]
    width = len(lines[0].removeprefix(r"\begin{tabular}{").removesuffix("}"))
    for row in [lines[2], *lines[4:-2]]:
        assert row.endswith(r" \\")
        content = bare(row.removesuffix(r" \\"))
        assert content.count("&") == width - 1
        assert content.count("{") == content.count("}")
        assert content.count("$") % 2 == 0
        assert not re.search(r"[#%]", content)
        # Underscores and carets are for formulas, and no formula here has one.
        assert not re.search(r"[_^~]", content)
        assert not row.startswith(("[", "*"))
        assert not re.search(r"[^\x20-\x7e\xa0-\u017f]", content)


def test_hostile_names_are_there_as_text(printed):
    text = printed["evaluate summary"]
    assert r"\textless{}script\textgreater{}alert(1)\textless{}/script\textgreater{}" in text
    assert r"{[}2pt] ??? \textbackslash{} \textasciicircum{} \textasciitilde{}" in text
    assert "łódź" in text
    assert r"$\to$" in printed["evaluate swaps"]


def test_every_symbol_of_the_tables_has_a_form():
    assert escape_latex("✓ ✗ 3·2 4→2 ≤ – β") == (
        r"$\surd$ $\times$ 3$\cdot$2 4$\to$2 $\le$ -- $\beta$"
    )
    assert "?" not in escape_latex("✓✗·→−≈≤≥×–…βγτ")


def test_everything_compiles(printed, report, tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    tables = "\n\n".join(rf"{{\tiny {text}}}" for text in printed.values())
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs}\begin{document}"
    for name, text in {
        "commands": f"{head}\n{tables}\n\\end{{document}}\n",
        "report": as_latex(report.frames),
        "odd": as_latex({"[x]": pd.DataFrame({"x": NAMES, "\\y": ["%", "#", "~^", "$ß$"]})}),
    }.items():
        (tmp_path / f"{name}.tex").write_text(text, encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"]
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, check=False, encoding="latin-1"
        )
        assert done.returncode == 0, done.stdout[-2000:]


def test_a_title_is_a_comment():
    text = render(pd.DataFrame({"x": [1]}), "latex", title="50 %\n\\input{x}")
    assert text.splitlines()[0].startswith("% 50 %")
    assert "\n\\input" not in text
