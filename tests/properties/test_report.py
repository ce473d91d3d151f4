"""The report: frame, counterexamples, Python lines, drawings and HTML."""

import contextlib
import io
import math
import re

import pytest

from metaeval.errors import InputError
from metaeval.properties import check, check_all, properties
from tests.properties import metrics

STABLE = [
    "metric", "property", "outcome", "cases", "max_items", "max_classes",
    "before", "after", "score_before", "score_after",
]  # fmt: skip


@pytest.fixture(scope="module")
def report():
    return check_all(["kendall_tau_b", "oc", "mae"])


def run(line, **names):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(line, names)
    return [float(word) for word in out.getvalue().split()]


def test_columns(report):
    assert list(report.frame.columns[:10]) == STABLE
    assert len(report.frame) == 3 * len(properties())
    assert set(report.frame["outcome"]) <= {"holds", "violated", "undefined", "not-applicable"}


def test_every_python_line_gives_both_scores_again(report):
    assert len(report.counterexamples) > 15
    for example in report.counterexamples:
        expected = [example.score_before]
        if example.score_after is not None:
            expected.append(example.score_after)
        assert run(example.python) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("name", ["imbalance", "constant-baseline", "class-size-invariance"])
def test_python_lines_of_functions(name):
    report = check(metrics.mae, name, lower_is_better=True, max_items=4, jobs=1)
    example = report.counterexample(name)
    assert run(example.python) == pytest.approx([example.score_before, example.score_after])
    nameless = check(lambda matrix: float(matrix[0, 0]), "symmetry", max_items=3, jobs=1)
    assert nameless.outcome("symmetry") == "holds"
    nameless = check(lambda matrix: float(matrix[0, 1]), "symmetry", max_items=3, jobs=1)
    example = nameless.counterexample("symmetry")
    scores = run(example.python, metric=lambda matrix: float(matrix[0, 1]))
    assert scores == [example.score_before, example.score_after]


def test_labels_belong_to_the_matrices(report):
    import metaeval as me

    for example in report.counterexamples:
        for panel in example.panels:
            matrix = me.confusion(*panel.labels, len(panel.matrix))
            assert matrix.tolist() == [list(row) for row in panel.matrix]


def test_sentences_are_sentences(report):
    for example in report.counterexamples:
        assert "should" in example.why
        assert "\n" not in example.why


def test_frames_hold_nested_lists(report):
    violated = report.frame[report.frame["outcome"] == "violated"].iloc[0]
    assert isinstance(violated["before"], list)
    assert isinstance(violated["before"][0], list)
    holds = report.frame[report.frame["outcome"] == "holds"].iloc[0]
    assert holds["before"] is None
    assert math.isnan(holds["score_before"])


def test_the_atlas(report):
    assert list(report.atlas.index) == ["kendall_tau_b", "oc", "mae"]
    assert report.atlas.loc["kendall_tau_b", "imbalance"] == "✗ 4·3"
    assert report.atlas.loc["mae", "monotonicity"] == "✓"
    assert report.atlas.loc["kendall_tau_b", "triangle-inequality"] == "–"


def test_asking_for_what_is_not_there(report):
    with pytest.raises(InputError, match="several metrics"):
        report.counterexample("imbalance")
    with pytest.raises(InputError, match="unknown property"):
        report.counterexample("imbalanced", "mae")
    with pytest.raises(InputError, match="unknown metric"):
        report.counterexample("imbalance", "maee")


def test_a_drawing_shows_everything(report):
    text = str(report.counterexample("imbalance", "kendall_tau_b"))
    for part in ("[1]  [1]    0", "(0, 0, 1, 2)", "(0, 1, 1, 2)", "0.8", "0.894427", "print("):
        assert part in text
    inserted = str(report.counterexample("ordinal-invariance", "mae"))
    assert "[0]  [0]  [0]" in inserted
    triangle = report.counterexample("triangle-inequality", "oc")
    assert len(triangle.after) == 2
    assert "from b to c" in str(triangle)


def test_html_is_escaped_and_complete():
    def metric(matrix):
        return float(matrix[0, 1])

    metric.__name__ = "<script>alert(1)</script>"
    page = check(metric, ["symmetry", "identity"], max_items=2, jobs=1)._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert len(re.findall(r'<td class="[^"]*(gained|lost)', page)) == 4
    assert "http" not in page


def test_html_of_many_metrics_is_an_atlas():
    many = check_all(["mae", "oc", "accuracy", "cem_ord"], ["imbalance", "symmetry"], max_items=4)
    page = many._repr_html_()
    assert '<span aria-label="violated: 4 items, 3 classes">4·3</span>' in page
    assert "<code>oc</code> violates imbalance: 4 items, 3 classes" in page
    assert "searched" not in page
    assert "<button" not in page  # there is no script that it could ask


def test_required_properties(report):
    failures = report.failures(["monotonicity"])
    assert [(f.metric, f.outcome) for f in failures] == [
        ("kendall_tau_b", "violated"),
        ("oc", "violated"),
    ]


def test_the_list_of_properties():
    frame = properties()
    assert frame.index.is_unique
    assert frame["short"].is_unique
    assert (frame["statement"].str.len() > 20).all()
    assert frame.loc["monotonicity", "premise"] == "no gold class is empty"
