"""metaeval agree, study and studies, end to end."""

import json

import numpy as np
import pytest

import generators
import metaeval as me
from metaeval.analysis.agreement import agreement
from metaeval.studies.agree import settings_of
from tests.studies.commands import metaeval, refused


def records(*arguments):
    done = metaeval(*arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def test_agree_by_accuracy_and_imbalance():
    words = ["-m", "amae", "-m", "kendall_tau_b", "--reference", "misclassification_cost"]
    found = records("agree", *words, "--pairs", "200")
    assert len(found) == 6 * 2
    levels = {(row["accuracy"], row["largest"]) for row in found}
    assert levels == {(a, s) for a in (0.6, 0.8) for s in (0.25, 0.5, 0.75)}
    assert all(row["low"] <= row["agreement"] <= row["high"] for row in found)
    balanced = [row for row in found if row["largest"] == 0.25 and row["metric"] == "amae"]
    assert [row["agreement"] for row in balanced] == [1, 1]
    assert records("agree", *words, "--pairs", "200", "--jobs", "2") == found
    assert records("agree", *words, "--pairs", "200", "--seed", "1") != found


def test_agree_metric_by_metric():
    words = ["--set", "accuracy=0.7", "--set", "largest=0.5", "--pairs", "100", "-m", "mae"]
    found = records("agree", *words, "-m", "oc", "-m", "amae")
    assert [row["metric"] for row in found] == ["mae", "oc", "amae"]
    assert found[0]["mae"] == 1
    long = records("agree", *words, "-m", "oc", "-m", "amae", "--long")
    assert [(row["metric"], row["other"]) for row in long] == [
        ("mae", "oc"),
        ("mae", "amae"),
        ("oc", "amae"),
    ]
    assert long[0]["agreement"] == found[1]["mae"]


def test_agree_prints_the_policy_and_the_width_of_intervals():
    done = metaeval("agree", "--family", "dispersed", "--pairs", "50", "-m", "pearson", "-m", "mae")
    title = " ".join(done.stdout.partition("┏")[0].split())
    assert "undefined scores, policy: zero" in title
    assert "intervals within 0.139" in title


def test_agree_on_given_matrices(tmp_path):
    stack = generators.matrices("dispersed", count=40, rng=np.random.SeedSequence(0))
    both, one, two = (tmp_path / name for name in ("both.json", "one.npy", "two.npz"))
    both.write_text(json.dumps(stack.tolist()))
    np.save(one, stack[0::2])
    np.savez(two, matrices=stack[1::2])
    names = ["mae", "cem_ord"]
    expected = agreement(me.score(stack[0::2], names), me.score(stack[1::2], names))
    words = ["-m", "mae", "-m", "cem_ord"]
    pairs = records("agree", both, *words)
    assert pairs == records("agree", one, two, *words)
    assert pairs[0]["cem_ord"] == expected.loc["mae", "cem_ord"]
    both.write_text(json.dumps(stack[:3].tolist()))
    assert "3 matrices are no pairs" in refused("agree", both)
    np.save(one, stack[:5])
    assert "compared one by one" in refused("agree", one, two)
    assert "one file or two" in refused("agree", one, two, both)
    assert "files are given" in refused("agree", one, two, "--family", "dispersed")


def test_the_most_telling_disagreements_can_be_pasted_back():
    found = records("agree", "--between", "mae,oc(beta=0.75, gamma=1)", "--pairs", "2000")
    sizes = [row["items"] for row in found]
    assert sizes == sorted(sizes)
    assert len(found) == 10
    mae, oc = me.metric("mae"), me.metric("oc", beta=0.75, gamma=1)
    for row in found:
        better, worse = json.loads(row["better"]), json.loads(row["worse"])
        assert mae(better) < mae(worse)
        assert oc(better) > oc(worse)
    assert len(records("agree", "--between", "mae,oc", "--top", "3", "--pairs", "500")) == 3


def test_no_disagreement_is_said_in_words():
    done = metaeval("agree", "--between", "mer,accuracy", "--pairs", "50")
    assert "never contradict each other" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--between", "mae"], "two metrics, as in mae,oc"),
        (["--between", "mae,omae"], "did you mean 'mae'"),
        (["-m", "omae"], "did you mean 'mae'"),
        (["--reference", "omae"], "did you mean 'mae'"),
        (["--undefined", "zeros"], "did you mean 'zero'"),
        (["--family", "fixed"], "unknown family"),
        (["--set", "accuracy"], "--set takes name=value"),
        (["--set", "accuracy=2"], "accuracy must be"),
        (["no-such-file.json"], "no such file"),
    ],
)
def test_agree_refuses(words, message):
    assert message in refused("agree", "--pairs", "10", *words)


def test_settings_from_words():
    given = {"accuracy": (0.6, 0.7), "mode": "overall,class-wise", "classes": 5}
    found = [dict(setting.parameters) for setting in settings_of("fixed_accuracy", given)]
    assert len(found) == 2 * 2 * 3
    assert {s["largest"] for s in found} == {0.2, 0.5, 0.75}
    assert {s["mode"] for s in found} == {"overall", "class-wise"}


def test_studies_lists_the_presets():
    found = records("studies")
    assert {row["study"] for row in found} >= {"quick", "paper-002-synthetic"}


def test_a_study_into_a_folder(tmp_path):
    out = tmp_path / "quick"
    words = ["study", "quick", "--replicates", "5", "--format", "json", "--out", out]
    done = metaeval(*words)
    assert done.returncode == 0, done.stderr
    assert "coverage.json" in done.stdout
    assert json.loads((out / "provenance.json").read_text())["study"]["replicates"] == 5
    assert "--force" in refused(*words)
    before = (out / "coverage.json").read_bytes()
    assert metaeval(*words, "--force", "--jobs", "2").returncode == 0
    assert (out / "coverage.json").read_bytes() == before
    assert metaeval(*words, "--force", "--seed", "9").returncode == 0
    assert (out / "coverage.json").read_bytes() != before


def test_a_wrong_study_names_its_line(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('title = "t"\nanalyses = ["coverage"]\n\nfamilys = ["random"]\n')
    message = refused("study", path, "--out", tmp_path / "out")
    assert "mine.toml, line 4" in message
    assert "did you mean 'families'" in message
    assert not (tmp_path / "out").exists()
    assert "unknown study" in refused("study", "quik", "--out", tmp_path / "out")
