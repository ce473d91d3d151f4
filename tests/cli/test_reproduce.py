"""metaeval reproduce and the start of the command line, end to end."""

import json
import subprocess
import sys

from tests.cli.command import in_a_process, metaeval, refused


def test_one_table():
    done = metaeval("reproduce", "000-table1", "--format", "json")
    assert done.returncode == 0
    rows = json.loads(done.stdout)
    assert len(rows) == 28
    assert {row["verdict"] for row in rows} == {"match"}


def test_errata_are_shown_with_their_reason():
    done = metaeval("reproduce", "000-table4")
    assert done.returncode == 0
    assert "misprinted" in done.stdout
    assert "7 erratum" in done.stdout


def test_unknown_tables_are_refused():
    assert "did you mean '000-table1'" in refused("reproduce", "000-tabel1")


def test_help_has_an_example_for_every_command():
    top = metaeval("--help")
    assert top.returncode == 0
    for command in ("metrics", "score", "generate", "reproduce"):
        assert command in top.stdout
        assert "metaeval " + command in metaeval(command, "--help").stdout


def test_unknown_options_are_bad_usage():
    done = metaeval("score", "--nonsense")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_process_of_its_own_behaves_alike(tmp_path):
    inside, outside = metaeval("reproduce", "003"), in_a_process("reproduce", "003")
    assert outside.returncode == inside.returncode == 0
    assert outside.stdout == inside.stdout
    assert refused("score", tmp_path / "none.csv", run=in_a_process) == refused(
        "score", tmp_path / "none.csv"
    )


def test_a_reader_that_goes_away_is_no_error():
    command = f"{sys.executable} -m metaeval metrics --format json | head -c 10"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stderr == ""
