"""Data in parts: the numbers of a one-shot computation, in memory for one part."""

import json
import sys

import numpy as np
import pandas as pd
import pytest

import generators
import metaeval as me
from metaeval.analysis.agreement import agreement, agreement_table
from metaeval.errors import InputError
from metaeval.execution import Execution
from metaeval.measures.scoring import choose
from metaeval.streaming import score_file
from metaeval.studies.streaming import Generated, summarise
from metaeval.studies.study import Setting
from tests.cli.command import metaeval, refused
from tests.execution.processes import Command

METRICS = ["mae", "kendall_tau_b", "spearman", "cohen_kappa", "accuracy"]
SETTING = Setting("small", {"items": 5, "classes": 5})


@pytest.mark.parametrize("undefined", ["zero", "worst", "drop", 0.25, {"spearman": "worst"}])
def test_agreement_in_parts_is_agreement_at_once(undefined):
    pairs = 50_000  # three parts of 20,970 pairs
    source = Generated("dispersed", SETTING, pairs, 3, pairs=True)
    whole = [me.score(side, METRICS) for side in source.sides()]
    for jobs in (1, Execution(2, "threads")):
        chosen = choose(METRICS)
        (found,) = summarise([source], [chosen], undefined, me.metric("mae"), jobs)
        pd.testing.assert_frame_equal(
            found.counted.shares(), agreement(*whole, undefined=undefined), check_exact=True
        )
        pd.testing.assert_frame_equal(
            found.counted.pairs(), agreement_table(*whole, undefined=undefined), check_exact=True
        )
        pd.testing.assert_frame_equal(
            found.counted.with_reference(0),
            agreement_table(*whole, "mae", undefined=undefined),
            check_exact=True,
        )
        both = pd.concat(whole)
        assert found.undefined == both.isna().sum().to_dict()
        np.testing.assert_allclose(found.mean, both.mean(), rtol=1e-12)
        spread = np.sqrt(found.squares / (found.number - 1))
        np.testing.assert_allclose(spread, both.std(), rtol=1e-10)


def test_counts_by_hand():
    """An oracle that knows no matrix products: pair by pair."""
    stacks = [
        generators.matrices(
            "dispersed", count=300, rng=np.random.SeedSequence(i), **SETTING.parameters
        )
        for i in (1, 2)
    ]
    one, two = (me.score(stack, METRICS) for stack in stacks)
    found = agreement_table(one, two, "mae", undefined="drop")
    for name in METRICS[1:]:
        alike = judged = 0
        for row in range(300):
            values = [frame[metric][row] for metric in ("mae", name) for frame in (one, two)]
            if np.isnan(values).any():
                continue
            judged += 1
            alike += (values[0] <= values[1] + 1e-12) == (values[2] >= values[3] - 1e-12)
        assert found.loc[name, "pairs"] == judged
        assert found.loc[name, "agreement"] == alike / judged


def test_memory_does_not_grow_with_the_number_of_pairs(tmp_path):
    (tmp_path / "peak.py").write_text(
        "import resource, sys\n"
        "from metaeval.execution import Execution\n"
        "from metaeval.studies.agree import agreement_view, generated\n"
        "levels = {'accuracy': 0.6, 'largest': 0.5}\n"
        "pairs = generated('fixed_accuracy', levels, int(sys.argv[1]), 0)\n"
        "agreement_view(pairs, ['mae', 'amae'], jobs=Execution(2, memory=1 << 28))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    peaks = []
    for pairs in (140_000, 1_000_000):
        code, out, err = Command(pairs, cwd=tmp_path, module="peak").end()
        assert code == 0, err
        peaks.append(int(out) / 1024)
    assert peaks[1] - peaks[0] < 40, peaks  # all pairs at once would be 256 MB


@pytest.fixture(scope="module")
def matrices(tmp_path_factory):
    path = tmp_path_factory.mktemp("matrices") / "m.npy"
    stack = generators.matrices(
        "dispersed", count=25_000, rng=np.random.SeedSequence(1), **SETTING.parameters
    )
    np.save(path, stack.astype(np.int16))
    return path


def read(path):
    if path.suffix == ".npy":
        return np.load(path)
    if path.suffix == ".parquet":
        frame = pd.read_parquet(path)
    elif path.suffix == ".jsonl":
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        frame = pd.DataFrame(rows).astype(float)
    else:
        separator = "\t" if path.suffix == ".tsv" else ","
        frame = pd.read_csv(path, sep=separator)
    assert (frame["matrix"] == np.arange(len(frame))).all()
    return frame.drop(columns="matrix").to_numpy(dtype=np.float64)


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet", "npy"])
def test_scores_in_parts_are_scores_at_once(kind, matrices, tmp_path):
    expected = me.score(np.load(matrices), METRICS, jobs=1)
    written = []
    for jobs, backend in ((1, "auto"), (2, "threads"), (2, "processes")):
        out = tmp_path / f"{backend}.{kind}"
        assert score_file(matrices, out, METRICS, how=Execution(jobs, backend)) == 25_000
        np.testing.assert_array_equal(read(out), expected.to_numpy())
        written.append(out.read_bytes())
    assert len(set(written)) == 1


def test_labels_and_named_matrices_keep_their_names(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("gold,case,a,b\n1,q1,1,2\n2,q1,2,2\n3,q2,3,1\n5,q2,4,5\n")
    named = tmp_path / "m.json"
    named.write_text('{"x": [[4,1],[0,5]], "y": [[1,1],[0,5]]}')
    for path in (table, named):
        shown = metaeval("score", path, "-m", "mae", "-m", "spearman", "-f", "csv").stdout
        out = tmp_path / f"{path.stem}.out.csv"
        assert metaeval("score", path, "-m", "mae", "-m", "spearman", "-o", out).returncode == 0
        assert out.read_text() == shown
        assert "exists already" in refused("score", path, "-m", "mae", "-o", out)
        assert metaeval("score", path, "-m", "mae", "-o", out, "--force").returncode == 0


def test_what_cannot_be_scored_is_refused_and_nothing_is_left(matrices, tmp_path):
    out = tmp_path / "s.csv"
    assert "unknown kind of file" in refused("score", matrices, "-o", tmp_path / "s.docx")
    stack = np.load(matrices)
    stack[22_000, 1, 1] = -1
    np.save(tmp_path / "bad.npy", stack)
    said = refused("score", tmp_path / "bad.npy", "-m", "mae", "-o", out, "--jobs", "2")
    assert "matrix 22000, row 1, column 1 holds -1" in said
    (tmp_path / "cut.npy").write_bytes(matrices.read_bytes()[:9_000])
    assert "truncated" in refused("score", tmp_path / "cut.npy", "-o", out)
    np.save(tmp_path / "flat.npy", np.ones((5, 3, 4)))
    assert "square" in refused("score", tmp_path / "flat.npy", "-o", out)
    assert {path.name for path in tmp_path.iterdir()} == {"bad.npy", "cut.npy", "flat.npy"}
    with pytest.raises(InputError, match="no such file"):
        score_file(tmp_path / "none.npy", out)


def test_matrices_are_generated_in_parts(tmp_path):
    command = ["generate", "dispersed", "--items", "5", "--classes", "3", "--count", "70000"]
    expected = generators.matrices(
        "dispersed", count=70_000, rng=np.random.SeedSequence(4), items=5, classes=3
    )
    for name in ("m.npy", "m.npz", "n.npy"):
        more = ["--backend", "processes", "--jobs", "2"] if name == "n.npy" else []
        assert metaeval(*command, "--seed", "4", "-o", tmp_path / name, *more).returncode == 0
    np.testing.assert_array_equal(np.load(tmp_path / "m.npy"), expected)
    np.testing.assert_array_equal(np.load(tmp_path / "m.npz")["matrices"], expected)
    assert (tmp_path / "n.npy").read_bytes() == (tmp_path / "m.npy").read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
def test_bars_are_shown_on_a_terminal_only(tmp_path):
    import os
    import pty
    import subprocess

    from tests.execution.processes import ROOT, SLOW

    (tmp_path / "slow.py").write_text(SLOW)
    command = [sys.executable, "-m", "metaeval", "agree", "-m", "slow.py:slow", "--pairs", "7168"]
    command += ["--set", "accuracy=0.6", "--set", "largest=0.5", "-f", "csv", "--jobs", "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    for more, shown in (([], True), (["--quiet"], False)):
        ours, theirs = pty.openpty()
        running = subprocess.Popen(
            [*command, *more], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=theirs
        )
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 4096):
                text += part
        except OSError:
            pass  # the other end is closed
        os.close(ours)
        out = running.communicate()[0]
        assert running.returncode == 0
        assert out.startswith(b"metric,")
        assert (b"scoring pairs" in text and b"/s" in text) is shown, text
        if not shown:
            assert text == b""
