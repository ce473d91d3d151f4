"""Studies from TOML: what is read, and every complaint with its line."""

import pytest

from metaeval.errors import InputError
from metaeval.studies.study import Matrices, Outputs, find_study, parse_study, presets, studies

OUTPUTS = """\
title = "t"
families = ["random", "majority"]
ratios = [0.1, 0.5]
metrics = ["mae", "oc(beta=0.75)"]
analyses = ["coverage"]
seed = 3
[gold]
cases = 4
classes = 5
[parameters.majority]
label = 2
"""
MATRICES = """\
title = "t"
metrics = ["mae"]
reference = ["mer"]
analyses = ["agreement-with-reference"]
[matrices]
family = "fixed_accuracy"
pairs = 10
[[setting]]
name = "one"
items = 40
vary = { accuracy = [0.6, 0.8], largest = [0.25, 0.5] }
[[setting]]
mode = "class-wise"
"""


def complaint(content):
    with pytest.raises(InputError) as caught:
        parse_study(content, "x", "x.toml")
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_outputs():
    study = parse_study(OUTPUTS, "x")
    assert isinstance(study.data, Outputs)
    assert list(study.data.systems) == ["random@0.1", "random@0.5", "majority@0.1", "majority@0.5"]
    assert study.data.gold == {"cases": 4, "items": 200, "classes": 5, "mean": 3, "sd": (1, 3)}
    assert study.metrics == ("mae", "oc(beta=0.75)")
    assert study.reference == ("accuracy", "kendall_tau_a", "mutual_information")
    assert (study.seed, study.undefined, study.replicates) == (3, "zero", 1000)


def test_matrices():
    study = parse_study(MATRICES, "x")
    assert isinstance(study.data, Matrices)
    assert [s.name for s in study.data.settings] == ["one"] * 4 + [""]
    assert dict(study.data.settings[1].parameters) == {"items": 40, "accuracy": 0.6, "largest": 0.5}
    assert dict(study.data.settings[4].parameters) == {"mode": "class-wise"}
    assert study.data.pairs == 10


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('title = "t"\n', "", None, "the key 'title' is missing"),
        ("seed = 3", "sead = 3", 6, "did you mean 'seed'"),
        ("seed = 3", "seed = -3", 6, "seed: expected a whole number of at least 0, got -3"),
        ("seed = 3", "seed = true", 6, "whole number"),
        ("seed = 3", "seed = 3\nreplicates = 0.5", 7, "replicates: expected a whole number"),
        ("seed = 3", "seed = 3\nlevel = 95", 7, "from 0.5 to 0.9999, got 95"),
        ("seed = 3", 'seed = 3\nundefined = "zeros"', 7, "did you mean 'zero'"),
        ("seed = 3", "seed = 3\nundefined = { mae = 1, \n ome = 2 }", 7, "not TOML"),
        ("seed = 3", "seed = 3\nundefined = { omae = 2 }", 7, "did you mean 'mae'"),
        ("seed = 3", "seed = 3\nundefined = { mse = 2 }", 7, "unknown metric of this study"),
        ("[0.1, 0.5]", "[\n 0.1,\n 1.5,\n]", 5, "ratios: expected a number from 0 to 1, got 1.5"),
        ("[0.1, 0.5]", "[0.1, 0.1]", 3, "0.1 stands there twice"),
        ("[0.1, 0.5]", "[]", 3, "at least one entry"),
        ('"random", ', '"radom", ', 2, "did you mean 'random'"),
        ('"random", ', '"tridiagonal", ', 2, "unknown family of outputs"),
        ('"mae", ', '\n"omae", ', 5, "did you mean 'mae'"),
        ("beta=0.75", "beat=0.75", 4, "oc has no parameter 'beat'"),
        ('["coverage"]', '["agreement"]', 5, "unknown analysis for this kind of data"),
        ('["coverage"]', '["covrage"]', 5, "did you mean 'coverage'"),
        ("cases = 4", "cases = 0", 8, "gold.cases: expected a whole number of at least 1"),
        ("cases = 4", "case = 4", 8, "did you mean 'cases'"),
        ("cases = 4", "cases = 4\nsd = [1, 2, 3]", 9, "gold.sd: expected a number, or a pair"),
        ("cases = 4", "cases = 4\nsd = -1", 9, "gold.sd"),
        ("label = 2", "label = 7", 11, "parameters.majority.label: majority: label must be"),
        ("label = 2", "lable = 2", 11, "did you mean 'label'"),
        ("parameters.majority", "parameters.proximity", 10, "unknown family of this study"),
        ("[gold]", "[[gold]]", 7, "gold: expected a table"),
        ("seed = 3", 'placement = "exakt"', 6, "did you mean 'exact'"),
        ("seed = 3", "setting = [{ items = 2 }]", 6, "belongs to a study of matrices"),
        ('["random", "majority"]', '"random"', 2, "expected a list"),
        ('families = ["random", "majority"]\n', "", None, "the key 'families' is missing"),
        ("cases = 4", "cases = = 4", 8, "not TOML"),
    ],
)
def test_complaints_about_outputs(old, new, line, words):
    assert old in OUTPUTS
    message = complaint(OUTPUTS.replace(old, new))
    assert words in message
    assert message.startswith("x.toml")
    if line is not None:
        assert f"line {line}" in message


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("accuracy = [0.6, 0.8]", "accuracy = [0.6,\n 1.8]", 12, "accuracy must be"),
        ("accuracy = [0.6, 0.8]", "acuracy = [0.6]", 11, "no parameter 'acuracy'"),
        ("accuracy = [0.6, 0.8]", "accuracy = 0.6", 11, "setting.vary.accuracy: expected a list"),
        ("accuracy = [0.6, 0.8]", "items = [40]", 11, "one value in the setting and several here"),
        ('mode = "class-wise"', 'mode = "classwise"', 13, "mode must be one of"),
        ("items = 40", "items = 0", 10, "items must be"),
        ('name = "one"', "name = 1", 9, "setting.name: expected a text"),
        ("pairs = 10", "pairs = 10\ncount = 2", 5, "either 'pairs' or 'count'"),
        ("pairs = 10", "", 5, "either 'pairs' or 'count'"),
        ("pairs = 10", "pairs = 0", 7, "at least 1"),
        ('family = "fixed_accuracy"\n', "", 5, "the key 'family' is missing"),
        ("fixed_accuracy", "fixd_accuracy", 6, "did you mean 'fixed_accuracy'"),
        ('["mer"]', '["mer", "mae"]', 3, "one reference metric"),
        ('reference = ["mer"]\n', "", None, "needs the key 'reference'"),
        ('title = "t"', 'title = "t"\nratios = [0.5]', 2, "belongs to a study of outputs"),
    ],
)
def test_complaints_about_matrices(old, new, line, words):
    assert old in MATRICES
    message = complaint(MATRICES.replace(old, new))
    assert words in message
    if line is not None:
        assert f"x.toml, line {line}:" in message


def test_agreement_needs_pairs():
    message = complaint(MATRICES.replace("pairs = 10", "count = 10"))
    assert "line 4" in message
    assert "needs pairs" in message


def test_presets():
    frame = studies()
    expected = {
        "classifiers",
        "paper-000-tridiagonal",
        "paper-001-simulations",
        "paper-002-synthetic",
        "paper-004-classifiers",
        "quick",
        "single-sample",
    }
    assert set(frame.index) == set(presets()) == expected
    assert frame.loc["paper-002-synthetic", "data"] == "50 systems x 100 cases"
    assert frame.loc["paper-001-simulations", "data"] == "24 settings x 10000 pairs"
    assert frame.loc["classifiers", "data"] == "6 data sets x 20 splits x 40 models"


def test_a_study_is_found_by_name_or_file(tmp_path):
    assert find_study("quick").name == "quick"
    path = tmp_path / "mine.toml"
    path.write_text(OUTPUTS, encoding="utf-8")
    assert find_study(str(path)).name == "mine"
    with pytest.raises(InputError, match="did you mean 'quick'"):
        find_study("quik")
    with pytest.raises(InputError, match="no such file"):
        find_study(str(tmp_path / "other.toml"))
    path.write_text("seed = -1", encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.toml"):
        find_study(str(path))
