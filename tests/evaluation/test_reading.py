"""Messy tables: what is accepted, what is refused, and with which words."""

import json

import numpy as np
import pandas as pd
import pytest

from metaeval.errors import InputError
from metaeval.evaluation.outputs import read_outputs

WIDE = "item,case,gold,a,b\ni1,q1,1,1,2\ni2,q1,2,2,2\ni3,q2,3,3,1\ni4,q2,5,4,5\n"


def write(tmp_path, text, name="t.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(source, **options):
    with pytest.raises(InputError) as caught:
        read_outputs(source, **{"partitions": 1, **options})
    return str(caught.value)


def labels(source, **options):
    """What a reader sees in the end: labels by column, not codes."""
    found = read_outputs(source, **{"partitions": 1, **options})
    columns = {"gold": found.gold, **dict(zip(found.systems, found.predictions, strict=True))}
    return {n: [found.classes[c] for c in codes] for n, codes in columns.items()}


EXPECTED = {"gold": [1, 2, 3, 5], "a": [1, 2, 3, 4], "b": [2, 2, 1, 5]}


@pytest.mark.parametrize(
    "text",
    [
        WIDE,
        "\ufeff" + WIDE,
        WIDE.replace("\n", "\r\n"),
        WIDE.replace("\n", "\n\n"),
        WIDE.replace("1,1,2", '"1"," 1 ",2.0'),
        WIDE.replace("i3", '"i3, with ""quotes"""'),
        WIDE.replace("1,1,2", " 1,1.0, 2 "),
        WIDE.replace("gold,a,b", " gold , a,b "),
        WIDE.rstrip("\n"),
    ],
    ids=["plain", "bom", "crlf", "blank", "quotes", "quoted comma", "spaces", "header", "no end"],
)
def test_one_table_written_in_many_ways(tmp_path, text):
    assert labels(write(tmp_path, text)) == EXPECTED


def test_kinds_of_files_and_frames(tmp_path):
    frame = pd.read_csv(write(tmp_path, WIDE))
    frame.to_csv(tmp_path / "t.tsv", sep="\t", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    for source in ("t.tsv", "t.parquet", "t.jsonl"):
        assert labels(tmp_path / source) == EXPECTED, source
    assert labels(str(tmp_path / "t.csv")) == EXPECTED
    assert labels(frame) == EXPECTED
    assert labels(frame.astype({"a": "category", "b": str})) == EXPECTED


def test_mixed_numbers_and_texts_are_one_label():
    frame = pd.DataFrame({"gold": [1, 2, 3], "a": ["1", 2.0, " 3 "], "b": [1.0, "2.0", np.int8(3)]})
    assert labels(frame) == {"gold": [1, 2, 3], "a": [1, 2, 3], "b": [1, 2, 3]}
    text = {"gold": ["low", 1, 2], "a": ["low ", "1", 2.0]}
    assert labels(pd.DataFrame(text), classes="low,1,2")["a"] == ["low", "1", "2"]


def test_half_points_make_a_scale_of_half_steps():
    frame = pd.DataFrame({"gold": [1, 2, 3], "a": [1, 1.5, 3]})
    found = read_outputs(frame, partitions=1)
    assert found.classes == (1.0, 1.5, 2.0, 2.5, 3.0)


def test_the_scale_spans_the_whole_table_even_if_a_case_lacks_a_class(tmp_path):
    found = read_outputs(write(tmp_path, WIDE))
    assert found.classes == (1, 2, 3, 4, 5)
    assert found.counts.shape == (2, 2, 5, 5)
    assert found.cases == ("q1", "q2")


def test_labels_outside_the_scale(tmp_path):
    path = write(tmp_path, WIDE)
    assert refused(path, classes="1,2,3,4").endswith(
        "line 5, column 'gold': label '5'; expected one of 1, 2, 3, 4"
    )
    text = WIDE.replace("3,3,1", "3,9,-1")
    path = write(tmp_path, text)
    assert "line 4, column 'a': label '9'" in refused(path, classes="1,2,3,4,5")
    found = read_outputs(path, classes="1,2,3,4,5", clip=True)
    assert found.predictions[:, 2].tolist() == [4, 0]
    assert found.table.clipped == {"gold": 0, "a": 1, "b": 1}
    assert "column 'a': label '2.5'" in refused(
        write(tmp_path, WIDE.replace("2,2,2", "2,2.5,2")), classes="1,2,3,4,5", clip=True
    )
    assert "--classes" in refused(path, clip=True)
    assert "--classes" in refused(path, clip=True, classes="a,b")
    gold = WIDE.replace("2,2,2", "7,2,2")
    assert "column 'gold'" in refused(write(tmp_path, gold), classes="1,2,3,4,5", clip=True)


def test_words_need_an_order(tmp_path):
    path = write(tmp_path, "gold,a\nneg,pos\npos,neg\n")
    assert "line 2, column 'gold': label 'neg' is not a number" in refused(path)
    assert labels(path, classes=["neg", "pos"])["a"] == ["pos", "neg"]


def test_duplicated_items_are_named(tmp_path):
    path = write(tmp_path, WIDE.replace("i4", "i2"))
    assert "line 5, column 'item': item 'i2' stands there a second time" in refused(path)
    renamed = write(tmp_path, WIDE.replace("i4", "i2").replace("item", "id"))
    assert "column 'id': item 'i2'" in refused(renamed, item="id")


@pytest.mark.parametrize("empty", ["", " ", "NA", "nan", "null", "None"])
def test_missing_predictions(tmp_path, empty):
    path = write(tmp_path, WIDE.replace("2,2,2", f"2,{empty},2"))
    assert "line 3, column 'a': no label; expected one of 1, 2" in refused(path)
    dropped = read_outputs(path, missing="drop")
    assert dropped.table.left_out == 1
    assert dropped.gold.tolist() == [0, 2, 4]
    assert dropped.groups.tolist() == [0, 1, 1]
    wrong = read_outputs(path, missing="wrong")
    assert wrong.predictions[0].tolist() == [0, 4, 2, 3]  # 5 is farthest from 2
    assert wrong.table.missing == {"gold": 0, "a": 1, "b": 0}


def test_the_farthest_class_of_the_middle_one_is_the_highest():
    frame = pd.DataFrame({"gold": [1, 2, 3], "a": [None, None, None], "b": [1, 2, 3]})
    assert labels(frame, missing="wrong")["a"] == [3, 3, 1]
    assert "every item lacks a label" in refused(frame, missing="drop")


def test_items_without_gold_are_left_out_under_either_policy():
    frame = pd.DataFrame({"gold": [1, None, 3], "a": [1, 2, 3]})
    assert "row 1, column 'gold': no label" in refused(frame)
    for policy in ("drop", "wrong"):
        assert labels(frame, missing=policy)["a"] == [1, 3]
    assert "unknown policy" in refused(frame, missing="dorp")


def test_chosen_systems(tmp_path):
    path = write(tmp_path, WIDE.replace("i1", "free text"))
    assert list(labels(path, systems=["b"])) == ["gold", "b"]
    assert "unknown system 'c'" in refused(path, systems=["c"])
    assert "unknown column 'quesy'" in refused(path, case="quesy")
    assert "named twice" in refused(path, systems=["a", "a"])


def test_cases_of_text_keep_their_spelling(tmp_path):
    path = write(tmp_path, "case,gold,a\n01,1,1\n1,2,2\n")
    assert read_outputs(path).cases == ("01", "1")
    empty = write(tmp_path, "case,gold,a\n01,1,1\n,2,2\n")
    assert "line 3, column 'case': no case given" in refused(empty)


def test_random_partition_is_even_and_seeded():
    frame = pd.DataFrame({"gold": [1, 2] * 51, "a": 1})
    first = read_outputs(frame, partitions=10)
    assert sorted(np.bincount(first.groups)) == [10] * 8 + [11] * 2
    assert first.partition
    np.testing.assert_array_equal(first.groups, read_outputs(frame, partitions=10).groups)
    assert (first.groups != read_outputs(frame, partitions=10, seed=1).groups).any()
    assert "cannot be parted into 200 cases" in refused(frame, partitions=200)


def test_short_rows_are_refused_even_where_labels_may_be_missing(tmp_path):
    path = write(tmp_path, WIDE.replace("3,3,1", "3,3"))
    assert "line 4: 4 cells; the header has 5" in refused(path, missing="drop")
    both = WIDE.replace("3,3,1", "3,3").replace("2,2,2", "2,2,2,2")
    assert "line 3: 6 cells; the header has 5" in refused(write(tmp_path, both), missing="drop")


def test_lines_are_counted_as_editors_do(tmp_path):
    text = 'gold,a,note\n1,1,"two\nlines"\n\n2,x,\n'
    path = write(tmp_path, text)
    assert "line 5, column 'a'" in refused(path, systems=["a"])


def test_records_may_lack_keys(tmp_path):
    records = [{"gold": 1, "a": 1}, {"gold": 2, "a": 2, "b": 1}, {"gold": 2, "b": 2}]
    path = write(tmp_path, "\n".join(map(json.dumps, records)), "t.jsonl")
    assert "line 3, column 'a': no label" in refused(path, systems=["a"])
    assert labels(path, missing="drop") == {"gold": [2], "a": [2], "b": [1]}
    listed = write(tmp_path, '{"gold": 1, "a": [1]}', "t.jsonl")
    assert "column 'a': holds lists" in refused(listed)
