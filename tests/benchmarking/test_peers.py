"""The values of every installed peer beside ours. Which of them differ where is written down."""

import pytest

import metaeval as me
from metaeval.benchmarking.peers import known
from metaeval.benchmarking.sample import draw_labels, edge_cases
from metaeval.benchmarking.values import compare

PEERS = known()
NEEDED = {"scikit-learn", "scipy", "krippendorff"}  # in the test extra
DIFFERS_ALWAYS = {("torchmetrics", "kendall_tau_a")}
DIFFERS_ON_EDGES = DIFFERS_ALWAYS | {
    ("dlordinal", "amae"),
    ("dlordinal", "min_sensitivity"),
    ("dlordinal", "mmae"),
    ("pycm", "macro_f1"),
    ("pycm", "macro_recall"),
    ("scikit-learn", "macro_f1"),
    ("scikit-learn", "mcc"),
    ("scikit-learn", "normalized_mutual_information"),
    ("scipy", "somers_d"),
    ("skordinal", "kendall_tau_b"),
    ("skordinal", "spearman"),
    ("torchmetrics", "macro_f1"),
    ("torchmetrics", "macro_recall"),
    ("torchmetrics", "mcc"),
    ("torchmetrics", "normalized_mutual_information"),
    ("torchmetrics", "spearman"),
}


def calls_of(package, classes):
    try:
        return PEERS[package].calls(classes)
    except ModuleNotFoundError:
        assert package not in NEEDED
        pytest.skip(f"{package} is not installed")


def differing(package, classes, pairs):
    """The metrics of a peer whose values differ from ours somewhere."""
    found = set()
    for call in calls_of(package, classes):
        result = compare(me.metric(call.metric), call, pairs, classes)
        if result.alike < 1:
            assert call.note, f"{package} {call.metric} differs and no note says why: {result}"
            found.add((package, call.metric))
    return found


def test_every_known_peer_is_here():
    assert set(PEERS) == NEEDED | {"dlordinal", "pycm", "skordinal", "torchmetrics"}


@pytest.mark.parametrize("package", PEERS)
@pytest.mark.parametrize("classes", [2, 3, 5, 9])
def test_equal_on_ordinary_labels(package, classes):
    pairs = list(zip(*draw_labels(20, 120, classes, seed=3), strict=True))
    differs = differing(package, classes, pairs)
    assert differs == {pair for pair in DIFFERS_ALWAYS if pair[0] == package}


@pytest.mark.parametrize("package", PEERS)
@pytest.mark.parametrize("classes", [3, 5])
def test_differs_on_edge_cases_only_where_it_is_known(package, classes):
    pairs = list(edge_cases(classes, seed=4))
    differs = differing(package, classes, pairs)
    assert differs == {pair for pair in DIFFERS_ON_EDGES if pair[0] == package}
