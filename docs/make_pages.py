"""Writes metrics.md and properties.md: `make docs`, or `python docs/make_pages.py`.

What is said about a metric or a property comes from where it is defined; which metrics hold which
properties comes from reports/property-atlas.csv, which `make reports` writes.
"""

# ruff: noqa: E501  (a row of a Markdown table is one line)

from __future__ import annotations

from pathlib import Path

import pandas as pd

from metaeval.catalogue import metrics
from metaeval.files import whole_file
from metaeval.measures.registry import definitions
from metaeval.properties import properties
from metaeval.properties.effort import EFFORTS
from metaeval.properties.scores import TOLERANCE
from metaeval.reporting.words import together

HERE = Path(__file__).parent
ATLAS = HERE.parent / "reports" / "property-atlas.csv"
NOTE = "<!-- Made by `make docs` from the registry and the property atlas; do not edit. -->"

FAMILIES = {
    "nominal": "They see right and wrong, not how far wrong.",
    "chance-corrected": "Agreement beyond what the class sizes alone would give.",
    "distance": "Every class step costs the same, whatever lies between the classes.",
    "correlation": "Do gold and output put the items in the same order?",
    "clustering": "What the output tells about gold, whatever its classes are called.",
    "quantification": "Are the class sizes right, whoever is in them?",
    "path": "The cheapest order-preserving path over the confusion matrix.",
    "closeness": "Classes are near if few gold items lie between them.",
    "cost": "Errors into rare classes cost more, and distance counts.",
}

LETTERS = r"""
| letter | meaning |
|---|---|
| $`K`$, $`N`$ | number of classes of the scale, numbered 1 to $`K`$; number of items |
| $`n_{rc}`$ | items of gold class $`r`$ that were given class $`c`$ |
| $`n_{r\cdot}`$, $`n_{\cdot c}`$ | gold size of class $`r`$ (row sum), predicted size of class $`c`$ (column sum) |
| $`P`$, $`K'`$ | the gold classes present, those with $`n_{r\cdot} > 0`$; their number |
| $`C`$, $`D`$ | pairs of items that gold and output order alike; that they order in opposite ways |
| $`T_g`$, $`T_p`$ | pairs of items with different gold classes; with different predicted classes |
| $`a_{rc}`$ | items that gold and output order alike against an item of cell $`(r, c)`$: all $`n_{ij}`$ with $`i>r, j>c`$ or $`i<r, j<c`$ |
| $`\pi`$ | a path of cells from $`(1, 1)`$ to $`(K, K)`$, each step one down, one right, or both |
| $`S`$, $`d(S)`$ | a connected set of cells with $`(1, 1)`$ and $`(K, K)`$ (neighbours touch, also at corners); its pairs of cells in opposite order |
""".strip()

PROPERTY_LETTERS = r"""
| letter | meaning |
|---|---|
| $`m(A)`$ | score of the confusion matrix $`A = (a_{rc})`$, gold classes in rows, with the sign that makes higher better |
| $`m(y, p)`$ | the same score, for label vectors $`y`$ (gold) and $`p`$ (output) |
| $`d(a, b)`$ | natural score of an error metric for two label vectors |
| $`a_{r\cdot}`$, $`a_{\cdot c}`$, $`N`$ | row sums (gold sizes), column sums (predicted sizes), all items |
| $`A^{+j}`$ | $`A`$ with an empty class put in after class $`j`$ (0: before the first) |
| $`E_{rc}`$ | one item in cell $`(r, c)`$ and nothing else |
| $`G`$ | a perfect output: gold sizes $`g_1, \dots, g_K`$ on the diagonal |
| $`\ell_K`$, $`u_K`$ | the lowest and the highest score that the metric declares for $`K`$ classes |
| $`\sigma`$ | a permutation of the items |
""".strip()


def atlas() -> pd.DataFrame:
    """Index metric, a column a property: ✓, ✗ items·classes, –."""
    found = pd.read_csv(ATLAS, index_col="metric", dtype=str)
    for names, known, kind in (
        ([k for k, d in definitions().items() if d.builtin], found.index, "metric"),
        (list(properties().index), found.columns, "property"),
    ):
        missing = [name for name in names if name not in known]
        if missing:
            raise SystemExit(f"{ATLAS.name} lacks the {kind} {missing[0]!r}; run `make reports`")
    return found


def metrics_page() -> str:
    """The catalogue of metrics."""
    frame = metrics()
    frame = frame[[definitions()[key].builtin for key in frame.index]]
    found = atlas()
    spend = EFFORTS[0]
    lines = [
        "# Metrics",
        NOTE,
        f"{len(frame)} metrics, as `metaeval metrics` lists them; `metaeval metrics mae` shows one. "
        "A metric is a function of a confusion matrix with gold classes in rows. Where it is not "
        "defined it is NaN, and `me.metric(...).why_undefined(matrix)` says why.",
        "Held and violated [properties](properties.md) were found by trying every matrix up to "
        "the [default bounds](properties.md#default-bounds), mostly 7 items and 4 classes "
        f"(slow `oc_general`: 5 items), and {spend.samples} random ones of up to "
        f"{spend.largest.items} items and {spend.largest.classes} classes. So *holds* means that "
        "no counterexample exists up to the bounds and none was met beyond; *violated* is final. "
        "`3·2` is the size of the smallest counterexample found: 3 items, 2 classes.",
        " · ".join(f"[{key}](#{key})" for key in frame.index),
        "## Letters",
        LETTERS,
        "A term with $`0 \\log 0`$ or with an absent gold class as its divisor counts 0.",
    ]
    for family, rows in frame.groupby("family", sort=False):
        lines += [f"## {str(family).capitalize()}", *filter(None, [FAMILIES.get(str(family))])]
        for key, row in rows.iterrows():
            lines += _metric(str(key), row, found.loc[str(key)])
    return "\n\n".join(lines) + "\n"


def _metric(key: str, row: pd.Series, cells: pd.Series) -> list[str]:
    better = "higher" if row["greater_is_better"] else "lower"
    facts = [f"{better} is better", f"from {row['low']} to {row['high']}"]
    if row["parameters"]:
        facts.append(f"parameters `{row['parameters']}`")
    if row["premises"]:
        facts.append(f"defined for {row['premises']}")
    if row["max_classes"]:
        facts.append(f"at most {row['max_classes']} classes")
    held, broken = _outcomes(cells)
    return [
        f"### `{key}`",
        f"{_capital(row['meaning'])}; {'; '.join(facts)}. {row['paper']} {row['year']}, "
        f"{row['equation']}.",
        _math(row["formula"]),
        f"Holds: {', '.join(held) or 'none'}.  \nViolated: {', '.join(broken) or 'none'}.",
    ]


def properties_page() -> str:
    """The catalogue of properties."""
    frame, found = properties(), atlas()
    spend = EFFORTS[0]
    lines = [
        "# Properties",
        NOTE,
        f"{len(frame)} formal properties that a metric can have, as `metaeval properties` lists "
        "them. `metaeval check METRIC` tries each on all small confusion matrices, smallest "
        "first, so the first violation is a smallest counterexample; then on "
        f"{spend.samples} random ones of up to {spend.largest.items} items and "
        f"{spend.largest.classes} classes. Scores that differ by at most {TOLERANCE:g} (times "
        "the larger of 1 and their magnitudes) count as the same. Beside a metric, `3·2` means "
        "that its smallest counterexample has 3 items and 2 classes.",
        "None of them is a must: which matter depends on the task. A metric for ordered classes "
        "should at least reward a step towards gold (`monotonicity`) and give its best score to "
        "nothing but the perfect output (`identity`).",
        "## Letters",
        PROPERTY_LETTERS,
        "## Default bounds",
        "How far every matrix is looked at. Functions that are not vectorised are slower, so "
        "they get smaller bounds; the check says so. `--max-items`, `--max-classes` and "
        "`--budget` change them.",
        "\n".join(
            [
                "| property | items | classes |",
                "|---|---|---|",
                *(
                    f"| [`{name}`](#{name}) | {row['max_items']} | {row['max_classes']} |"
                    for name, row in frame.iterrows()
                ),
            ]
        ),
    ]
    for name, row in frame.iterrows():
        lines += _property(str(name), row, found[str(name)])
    return "\n\n".join(lines) + "\n"


def _property(name: str, row: pd.Series, cells: pd.Series) -> list[str]:
    premise = "" if row["premise"] == "none" else f" Premise: {row['premise']}."
    held, broken = _outcomes(cells)
    of = f"Violated by {len(broken)} of {len(held) + len(broken)} metrics"
    if not broken:
        listed = "No metric violates it."
    elif len(broken) > len(held):
        listed = f"{of}, all but {together(held)}." if held else f"{of}."
    else:
        listed = f"{of}: {', '.join(broken)}."
    return [
        f"## `{name}`",
        f"{_capital(row['statement'])}.{premise} {_capital(row['reference'])}.",
        _math(row["formal"]),
        listed,
    ]


def _outcomes(cells: pd.Series) -> tuple[list[str], list[str]]:
    """Names that hold, and those that do not, with the size of the counterexample."""
    held = [f"`{name}`" for name, cell in cells.items() if cell == "✓"]
    broken = [f"`{name}` {cell[1:]}" for name, cell in cells.items() if cell[0] in "✗?!"]
    return held, [" ".join(text.split()) for text in broken]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _math(formula: str) -> str:
    return f"```math\n{formula}\n```"


PAGES = {"metrics.md": metrics_page, "properties.md": properties_page}


if __name__ == "__main__":
    for page, make in PAGES.items():
        with whole_file(HERE / page, force=True) as temporary:
            temporary.write_text(make(), encoding="utf-8")
