"""The long layout: a row an item and system."""

import pandas as pd
import pytest

from metaeval.errors import InputError
from metaeval.evaluation.outputs import read_outputs
from tests.evaluation.tables import outputs_frame


def long_frame(wide):
    wide = wide.assign(item=[f"i{n}" for n in range(len(wide))])
    frame = wide.melt(["item", "case", "gold"], var_name="system", value_name="prediction")
    return frame.sample(frac=1, random_state=0).reset_index(drop=True)


def refused(frame, **options):
    with pytest.raises(InputError) as caught:
        read_outputs(frame, **options)
    return str(caught.value)


def test_long_and_wide_are_one(tmp_path):
    wide = outputs_frame()
    long = long_frame(wide)
    long.to_csv(tmp_path / "long.csv", index=False)
    expected = read_outputs(wide)
    for source in (long, tmp_path / "long.csv"):
        found = read_outputs(source, systems=["a", "b", "c", "d"], classes=[1, 2, 3, 4])
        order = [expected.cases.index(case) for case in found.cases]
        assert (found.counts == expected.counts[order]).all()


def test_gold_may_be_a_system():
    long = long_frame(outputs_frame())
    gold = long.drop_duplicates("item").assign(system="gold", prediction=lambda f: f["gold"])
    merged = pd.concat([long, gold]).drop(columns="gold").reset_index(drop=True)
    assert (read_outputs(merged).gold == read_outputs(long).gold).all()


def test_a_second_prediction_is_refused_with_its_place():
    long = long_frame(outputs_frame())
    twice = pd.concat([long, long.iloc[[3]]]).reset_index(drop=True)
    item, system = long.loc[3, ["item", "system"]]
    said = refused(twice)
    assert f"row {len(long)}, column 'prediction'" in said
    assert f"a second prediction of system {system!r} for item {item!r}" in said


def test_contradicting_gold_labels_are_refused():
    long = long_frame(outputs_frame())
    row = long.index[long["item"] == "i5"][1]
    long.loc[row, "gold"] = 5 - long.loc[row, "gold"]
    assert f"row {row}, column 'gold'" in refused(long)
    assert "item 'i5' had" in refused(long)


def test_a_missing_row_is_a_missing_prediction():
    long = long_frame(outputs_frame())
    gone = long[(long["item"] != "i7") | (long["system"] != "b")]
    assert "item 'i7', system 'b': no label" in refused(gone)
    assert read_outputs(gone, missing="drop").table.left_out == 1
    empty = long.copy()
    empty["prediction"] = empty["prediction"].where(
        gone.index.to_series().reindex(long.index).notna()
    )
    assert "column 'prediction' (item 'i7', system 'b'): no label" in refused(empty)


def test_the_layout_can_be_stated():
    long = long_frame(outputs_frame())
    assert "needs item, system and prediction" in refused(long.drop(columns="item"), layout="long")
    assert "stands there a second time" in refused(long, layout="wide")
    assert "unknown layout" in refused(long, layout="tall")
    renamed = long.rename(columns={"item": "id"})
    assert read_outputs(renamed, item="id").systems == read_outputs(long).systems
    long.loc[2, "system"] = None
    assert "row 2, column 'system': the cell is empty" in refused(long)
