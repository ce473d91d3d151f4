"""What a reader is warned of."""

import numpy as np
import pandas as pd

import metaeval as me
from metaeval.evaluation.flags import find_flags
from metaeval.evaluation.outputs import read_outputs
from metaeval.evaluation.scores import score_outputs
from tests.evaluation.tables import outputs_frame


def flags(frame, metrics=("mae",), missing="error", **options):
    outputs = read_outputs(frame, missing=missing, **options)
    scores = score_outputs(outputs, [me.metric(name) for name in metrics])
    found = find_flags(outputs, scores, missing)
    return {kind: part.to_dict("records") for kind, part in found.groupby("kind", sort=False)}


def test_a_clean_table_has_none():
    assert flags(outputs_frame(items=300)) == {}


def test_constant_systems():
    found = flags(outputs_frame().assign(e=3))
    (flag,) = found["constant"]
    assert flag["system"] == "e"
    assert flag["message"] == "'e' says 3 for every item"


def test_near_duplicates_are_more_than_995_in_a_thousand_alike():
    frame = outputs_frame(items=400)
    frame["e"] = frame["a"].to_numpy()
    frame.loc[0, "e"] = 5 - frame.loc[0, "e"]  # 399 of 400
    frame["f"] = frame["b"].to_numpy()
    frame.loc[[0, 1], "f"] = 5 - frame.loc[[0, 1], "f"]  # 398 of 400 is 99.5 %, not more
    (flag,) = flags(frame)["near-duplicate"]
    assert (flag["system"], flag["other"], flag["amount"]) == ("a", "e", 399)


def test_missing_predictions_are_counted_with_their_policy():
    frame = outputs_frame().astype({"a": float, "b": float})
    frame.loc[[1, 2], "a"] = np.nan
    frame.loc[2, "b"] = np.nan
    dropped = flags(frame, missing="drop")
    assert [(f["system"], f["amount"]) for f in dropped["missing"]] == [("a", 2), ("b", 1)]
    assert "left out for all systems" in dropped["missing"][0]["message"]
    assert dropped["left out"][0]["amount"] == 2
    wrong = flags(frame, missing="wrong")
    assert "left out" not in wrong
    assert "farthest from the gold label" in wrong["missing"][0]["message"]


def test_clipped_labels_are_counted():
    frame = outputs_frame().assign(e=[9] * 3 + [1] * 57)
    found = flags(frame, classes=[1, 2, 3, 4], clip=True)
    assert found["clipped"][0]["message"].startswith("3 labels of 'e' lay beyond the scale")


def test_classes_that_gold_lacks():
    frame = pd.DataFrame({"gold": [1, 2, 1, 1], "case": list("xxyy"), "a": [1, 3, 2, 1]})
    found = flags(frame)["absent class"]
    assert [f["message"] for f in found] == [
        "class 2 is not among the gold labels of 1 of 2 cases",
        "class 3 is not among the gold labels of any case",
    ]


def test_undefined_scores_are_counted_and_what_they_count_as_is_said():
    frame = pd.DataFrame({"gold": [1, 2, 1, 1], "case": list("xxyy"), "a": 1, "b": [1, 2, 1, 2]})
    (flag,) = flags(frame, ["kendall_tau_b"])["undefined"]
    assert flag["message"] == "kendall_tau_b is undefined in 3 of 4 scores, each counts as 0"
    (flag,) = flags(frame, ["cost_distance"])["undefined"]
    assert flag["message"].endswith("counts as 0, the best score there is")
