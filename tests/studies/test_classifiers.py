"""Studies of trained classifiers: Algorithm 1 against a literal one, costs, files, complaints."""

import json
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import metaeval as me
from metaeval.errors import InputError
from metaeval.studies.classifiers import fitting
from metaeval.studies.classifiers.costs import selection_cost, selection_cost_by_data
from metaeval.studies.classifiers.datasets import DATASETS
from metaeval.studies.classifiers.frank_hall import FrankHall
from metaeval.studies.classifiers.methods import METHODS, candidates
from metaeval.studies.classifiers.published import printed_cells
from metaeval.studies.classifiers.selection import Judged, best, judge, mean_of_folds
from metaeval.studies.run import run_study
from metaeval.studies.store import write_result
from metaeval.studies.study import parse_study
from tests.cli import command
from tests.studies.commands import metaeval, refused

# The synthetic set and scikit-learn's own classifiers: skordinal is not needed.
SMALL = """\
title = "small"
metrics = ["accuracy", "mae", "amae", "kendall_tau_b", "cem_ord"]
analyses = ["selection-cost", "selection-cost-by-data", "performance", "choices", "agreement",
    "scores", "coverage"]
replicates = 5
[classifiers]
datasets = ["synthetic"]
methods = ["knn", "svm"]
splits = 2
[grid.svm]
C = [0.1, 10.0]
"""


@pytest.fixture(scope="module")
def small():
    return parse_study(SMALL, "small")


@pytest.fixture(scope="module")
def result(small):
    return run_study(small)


def pipeline(method):
    model = KNeighborsClassifier() if method == "knn" else SVC(kernel="linear")
    return make_pipeline(StandardScaler(), model)


def literal_grid(study, method):
    """The grid in scikit-learn's words; of two parameters, the last varies fastest in both."""
    values = {
        key: [None if v == "none" else v for v in found]
        for key, found in study.data.grid[method].items()
    }
    return {f"{pipeline(method).steps[-1][0]}__{key}": found for key, found in values.items()}


@pytest.mark.parametrize("method", ["knn", "svm"])
@pytest.mark.parametrize("name", ["accuracy", "mae", "amae", "cem_ord"])
def test_algorithm_1_taken_literally(small, result, method, name):
    """A grid search for each split and metric, on the same folds, must choose and score alike."""
    alike = 0
    data = DATASETS["synthetic"](0)
    units = [
        unit
        for unit in fitting._units(small.data, "synthetic", data, 0)
        if unit.candidates[0].method == method
    ]
    found = result.frames["choices"].sort_index().xs(("synthetic", method, name))
    for (_, row), unit in zip(found.iterrows(), units, strict=True):
        assert len(unit.train) == 160
        assert set(unit.train) | set(unit.test) == set(range(400))
        search = GridSearchCV(
            pipeline(method),
            literal_grid(small, method),
            scoring=me.make_scorer(name, classes=range(5)),
            cv=PredefinedSplit(np.arange(160) % 5),
        ).fit(data.x[unit.train], data.y[unit.train])
        predicted = search.predict(data.x[unit.test])
        # Within 1e-10 candidates count as equal; the literal means must then be as good.
        listed = [candidate.name for candidate in unit.candidates]
        means = search.cv_results_["mean_test_score"]
        assert means[listed.index(row["candidate"])] == pytest.approx(means.max(), abs=1e-10)
        if listed[search.best_index_] == row["candidate"]:
            alike += 1
            expected = me.metric(name).from_labels(data.y[unit.test], predicted, range(5))
            assert row[name] == pytest.approx(expected, abs=1e-12)
    assert alike


def test_choosing_under_more_metrics_costs_no_more_fits(small, monkeypatch):
    calls = []
    predict = fitting._predict
    monkeypatch.setattr(fitting, "_predict", lambda *a: calls.append(a) or predict(*a))
    run_study(replace(small, analyses=("selection-cost",)), jobs=1)
    models = 6 + 2 * 2
    assert len(calls) == models * (5 + 1) * 2


def test_jobs_and_other_methods_change_nothing(small, result, tmp_path):
    write_result(result, tmp_path / "one")
    write_result(run_study(small, jobs=2), tmp_path / "two")
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert "matrices-synthetic.json" in files
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    alone = replace(small.data, methods=("knn",), grid={"knn": small.data.grid["knn"]})
    knn = run_study(replace(small, data=alone, analyses=("choices",))).frames["choices"]
    both = result.frames["choices"].loc[["synthetic"]].query("method == 'knn'")
    pd.testing.assert_frame_equal(knn, both, check_exact=True)
    other = run_study(replace(small, seed=1, analyses=("scores",))).frames["scores"]
    assert not other.equals(result.frames["scores"])


def test_the_frames_fit_together(result):
    frames = result.frames
    choices, performance = frames["choices"].sort_index(), frames["performance"].sort_index()
    own = choices.xs(("synthetic", "svm", "mae"))["mae"]
    assert performance.loc[("synthetic", "svm", "mae"), "mean"] == pytest.approx(own.mean())
    assert performance.loc[("synthetic", "svm", "mae"), "sd"] == pytest.approx(own.std())
    scores = frames["scores"].xs("synthetic")
    for split, row in choices.xs(("synthetic", "any", "cem_ord")).iterrows():
        expected = scores.loc[(split, row["candidate"])]
        assert row["cem_ord"] == expected["cem_ord"]
    overall = frames["selection-cost"]
    parts = frames["selection-cost-by-data"].drop("any", level="method")
    mean = parts["cost"].groupby(level=["chosen_by", "judged_by"]).mean()
    pd.testing.assert_series_equal(overall["cost"].sort_index(), mean.sort_index())
    diagonal = overall[overall.index.get_level_values(0) == overall.index.get_level_values(1)]
    assert (diagonal["cost"] == 0).all()
    assert (diagonal["same_choice"] == 1).all()
    assert frames["agreement"]["pairs"].unique() == [2 * 10 * 9 / 2]
    # What coverage is measured against is scored too, but it was not asked to choose.
    assert "mutual_information" in frames["scores"]
    assert "mutual_information" not in overall.index.get_level_values(0)


def by_hand(validated, test):
    """Two candidates of one method, two splits, judged by accuracy and mae."""
    metrics = [me.metric("accuracy"), me.metric("mae")]
    models = candidates("knn", {"n_neighbors": (3, 1)})
    fitted = fitting.Fitted("d", 3, 2, models, *np.zeros((4, 1), dtype=int))
    values = np.array(test, float)
    counted = values * [[[1]], [[-1]]]
    return Judged(fitted, metrics, np.array(validated, float), values, counted)


def test_costs_by_hand(small):
    validated = [[[0.5, 0.6], [0.7, 0.6]], [[-0.5, -0.7], [-0.4, -0.6]]]
    test = [[[0.5, 0.7], [0.8, 0.6]], [[0.4, 0.6], [0.5, 0.6]]]
    data = by_hand(validated, test)
    # Accuracy chooses the second, then the first candidate; mae the first both times.
    np.testing.assert_array_equal(data.chosen([0, 1]), [[1, 0], [0, 0]])
    for frame in (
        selection_cost([data], small, 1),
        selection_cost_by_data([data], small, 1).xs(("d", "knn")),
    ):
        row = frame.loc[("accuracy", "mae")]
        assert row["cost"] == pytest.approx((0.2 + 0.0) / 2)
        assert row["se"] == pytest.approx(0.1)
        assert row["worth"] == pytest.approx((0.1 + 0.05) / 2)
        assert row["lost"] == pytest.approx(0.1 / 0.075)
        assert row["same_choice"] == 0.5
        row = frame.loc[("mae", "accuracy")]
        assert row["cost"] == pytest.approx((0.2 + 0.0) / 2)
        assert row["low"] < row["cost"] < row["high"]


@pytest.mark.parametrize(("policy", "expected"), [("zero", 0), (-0.5, -0.5), ("drop", np.nan)])
def test_an_undefined_score_counts_as_the_study_says(small, policy, expected):
    """A constant output has no rank correlation; a metric that chooses it must pay for that."""
    [fitted] = fitting.fit_all(small.data, 0)
    names = ["accuracy", "kendall_tau_b"]
    metrics = [me.metric(name) for name in names]
    judged = judge(fitted, metrics, {"kendall_tau_b": policy})
    constant = (fitted.test_predicted == fitted.test_predicted[..., :1]).all(axis=-1)
    assert constant.any()
    assert np.isnan(judged.test[1][constant]).all()
    np.testing.assert_array_equal(judged.counted[1][constant], expected)
    np.testing.assert_array_equal(judged.counted[1][~constant], judged.test[1][~constant])
    # Undefined in cross-validation is never chosen, whatever it counts as later.
    assert not np.isnan(np.take_along_axis(judged.test, judged.chosen([0, 1])[..., None], -1)).any()


def test_an_undefined_cost_takes_no_part(small):
    validated = [[[0.5, 0.6], [0.7, 0.6]], [[-0.5, -0.7], [-0.4, -0.6]]]
    test = [[[0.5, np.nan], [0.8, 0.6]], [[0.4, 0.6], [0.5, 0.6]]]
    frame = selection_cost([by_hand(validated, test)], small, 1)
    assert frame.loc[("mae", "accuracy"), "splits"] == 1
    assert frame.loc[("mae", "accuracy"), "cost"] == 0
    assert np.isnan(frame.loc[("mae", "accuracy"), "se"])
    assert frame.loc[("accuracy", "mae"), "splits"] == 2


def test_undefined_folds():
    nan = np.nan
    # The first fold tells nothing; the second candidate fails on the last.
    means = mean_of_folds(np.array([[nan, nan, nan], [0.2, 0.9, 0.4], [0.4, nan, 0.2]]))
    np.testing.assert_allclose(means, [0.3, nan, 0.3])
    assert best(means) == 0
    assert best(np.array([nan, 0.1, 0.2])) == 2
    assert best(np.array([nan, nan])) == 0
    assert best(np.array([0.1 + 0.2, 0.3, 0.2])) == 0
    assert best(np.array([0.3, 0.1 + 0.2, 0.2])) == 0


def test_frank_and_hall_counts_the_thresholds():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(150, 2))
    y = np.array([0, 2, 5])[np.digitize(x[:, 0] + 0.2 * x[:, 1], [-0.5, 0.5])]
    found = FrankHall(C=1.0, class_weight="balanced").fit(x, y).predict(x)
    above = [
        SVC(kernel="linear", C=1.0, class_weight="balanced").fit(x, y > lower).predict(x)
        for lower in (0, 2)
    ]
    np.testing.assert_array_equal(found, np.array([0, 2, 5])[above[0].astype(int) + above[1]])
    assert (found == y).mean() > 0.9


def test_a_training_part_of_one_class_has_one_answer():
    x, y = np.zeros((4, 1)), np.full(4, 2)
    [candidate] = candidates("svm", {"C": (1.0,)})
    np.testing.assert_array_equal(fitting._predict(candidate, 0, x, y, x[:2]), [2, 2])


def test_what_papers_print_fits_the_names_of_this_room():
    cells = list(printed_cells())
    assert {cell.dataset for cell in cells} <= set(DATASETS)
    assert {cell.method for cell in cells} <= set(METHODS)
    assert len(cells) == 4 * 3 + 3 * 13
    oc = [c for c in cells if (c.dataset, c.method) == ("LEV", "frank-hall")]
    assert [(c.value, c.deviation) for c in oc] == [("0.46", "0.02")]
    assert oc[0].means(me.metric("oc(beta=0.75)"))
    assert not oc[0].means(me.metric("uoc"))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_learns(method):
    if method in ("ordinal-svm", "svor", "logistic-at"):
        pytest.importorskip("skordinal")
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 3))
    y = np.digitize(x[:, 0], [-0.6, 0.6]) + 1  # class 0 is absent
    for candidate in candidates(method, METHODS[method].grid):
        found = fitting._predict(candidate, 0, x, y, x)
        assert set(found) <= {1, 2, 3}
        if candidate == candidates(method, METHODS[method].grid)[-1]:
            assert (found == y).mean() > 0.85
        again = fitting._predict(candidate, 0, x, y, x)
        np.testing.assert_array_equal(found, again)


@pytest.mark.parametrize(
    ("name", "shape", "sizes"),
    [
        ("ESL", (488, 4), [2, 12, 38, 100, 116, 135, 62, 19, 4]),
        ("SWD", (1000, 10), [32, 352, 399, 217]),
        ("LEV", (1000, 4), [93, 280, 403, 197, 27]),
        ("ERA", (1000, 4), [92, 142, 181, 172, 158, 118, 88, 31, 18]),
        ("balance-scale", (625, 4), [288, 49, 288]),
        ("synthetic", (400, 2), None),
    ],
)
def test_data_sets(name, shape, sizes):
    if name != "synthetic":
        pytest.importorskip("skordinal")
    data = DATASETS[name](0)
    assert data.x.shape == shape
    assert np.isfinite(data.x).all()
    assert len(np.bincount(data.y)) == data.classes
    assert sizes is None or np.bincount(data.y).tolist() == sizes


def test_the_command_prints_tables_and_its_matrices_can_be_scored(tmp_path):
    pytest.importorskip("skordinal")
    study = tmp_path / "mine.toml"
    text = SMALL.replace('["synthetic"]', '["balance-scale"]')
    text = text.replace('["knn", "svm"]', '["knn", "svm", "ordinal-svm"]')
    text = text.replace('"cem_ord"]', '"cem_ord", "oc"]').replace('"choices"', '"published"')
    study.write_text(text)
    done = metaeval("study", study, "--out", tmp_path / "out", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    shown = " ".join(done.stdout.split())
    assert "Lower is better" in shown
    assert "Cardoso & Sousa 2011, Table 6" in shown
    assert "0.13 (0.01)" in shown
    stored = pd.read_csv(tmp_path / "out" / "scores.csv")
    file = tmp_path / "out" / "matrices-balance-scale.json"
    assert len(json.loads(file.read_text())) == len(stored) == 2 * 14
    scored = command.metaeval("score", file, "-m", "mae", "--format", "json")
    scored = json.loads(scored.stdout)
    np.testing.assert_array_equal([row["mae"] for row in scored], stored["mae"])
    assert scored[0]["matrix"] == f"split 1, {stored['system'][0]}"
    agreed = metaeval("agree", file, "-m", "mae", "-m", "oc", "--format", "json")
    assert agreed.returncode == 0
    found = json.loads((tmp_path / "out" / "provenance.json").read_text())
    assert {"scikit-learn", "skordinal"} < set(found["versions"])
    assert found["study"]["data"]["grid"]["svm"]["C"] == [0.1, 10.0]
    # An earlier result, matrices included, is replaced when asked.
    assert "--force" in refused("study", study, "--out", tmp_path / "out")
    again = metaeval("study", study, "--out", tmp_path / "out", "--force", "--seed", "1")
    assert again.returncode == 0


def test_without_the_packages_one_sentence_says_what_to_install(small, tmp_path, monkeypatch):
    for name in [n for n in sys.modules if n.partition(".")[0] == "skordinal"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "skordinal", None)
    with pytest.raises(InputError, match=r"skordinal: pip install 'metaeval\[sklearn\]'"):
        run_study(parse_study(SMALL.replace('"synthetic"', '"ESL"'), "x"))
    methods = replace(small.data, methods=("svor",), grid={"svor": METHODS["svor"].grid})
    with pytest.raises(InputError, match="needs the package skordinal"):
        run_study(replace(small, data=methods))
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    with pytest.raises(InputError, match="needs the package sklearn"):
        run_study(small)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('["synthetic"]', '["ELS"]', 7, "did you mean 'ESL'"),
        ('"svm"]', '"svn"]', 8, "did you mean 'svm'"),
        ("splits = 2", "splits = 0", 9, "at least 1"),
        ("splits = 2", "train = 1.5", 9, "from 0.01 to 0.99"),
        ("[grid.svm]\nC", "[grid.svm]\nc", 11, "unknown parameter 'c'"),
        ("[grid.svm]", "[grid.svor]", 10, "unknown method of this study 'svor'"),
        ("C = [0.1, 10.0]", "C = 0.1", 11, "expected a list"),
        ('"coverage"]', '"values"]', 4, "unknown analysis for this kind of data"),
        ("replicates = 5", "ratios = [0.5]", 5, "belongs to a study of outputs"),
        ("[grid.svm]\nC = [0.1, 10.0]", "[[setting]]\nname = 'x'", 10, "of matrices"),
        ("methods = ", "# methods = ", 6, "the key 'methods' is missing"),
    ],
)
def test_complaints_about_the_file(old, new, line, words):
    assert old in SMALL
    with pytest.raises(InputError) as problem:
        parse_study(SMALL.replace(old, new), "x", "x.toml")
    assert words in str(problem.value)
    assert f"x.toml, line {line}" in str(problem.value)


def test_values_that_only_the_learner_knows_are_wrong(small):
    for grid, words in [({"C": (-1.0,)}, "svm C=-1 on synthetic"), ({"C": ("x",)}, "svm C=x")]:
        data = replace(small.data, methods=("svm",), grid={"svm": grid})
        with pytest.raises(InputError, match=words) as problem:
            run_study(replace(small, data=data))
        assert "\n" not in str(problem.value)
    with pytest.raises(InputError, match="too few"):
        run_study(replace(small, data=replace(small.data, folds=200)))


def test_what_is_trained_is_neither_generated_nor_reported(tmp_path):
    assert "trained, not generated" in command.refused(
        "generate", "study", "classifiers", "--out", tmp_path / "x"
    )
    assert "metaeval study classifiers" in command.refused(
        "report", "--study", "classifiers", "--out", tmp_path / "x.html"
    )
    assert not list(tmp_path.iterdir())


def test_the_judged_matrices_are_those_of_the_predictions(small):
    [fitted] = fitting.fit_all(small.data, 0)
    judged = judge(fitted, [me.metric("mae")])
    np.testing.assert_array_equal(judged.counted, -judged.test)
    expected = np.abs(fitted.test_predicted - fitted.test_gold[:, None].astype(int)).mean(axis=-1)
    np.testing.assert_allclose(judged.test[0], expected)
    errors = np.abs(fitted.predicted - fitted.gold[:, None].astype(int))
    folds = [errors[..., np.arange(160) % 5 == fold].mean(axis=-1) for fold in range(5)]
    np.testing.assert_allclose(judged.validated[0], -np.mean(folds, axis=0))
