"""metaeval and its peers on the same labels: microseconds a matrix, ratio, agreement of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from metaeval.benchmarking.machine import describe_machine
from metaeval.benchmarking.measure import SAMPLE, Tell, Work, by_peer, measured_rows
from metaeval.benchmarking.peer import Call, Peer
from metaeval.benchmarking.peers import known
from metaeval.benchmarking.sample import draw_labels
from metaeval.benchmarking.values import one_line, quietly
from metaeval.errors import InputError, unknown
from metaeval.measures.registry import metric as find_metric
from metaeval.measures.scoring import Metrics, choose

MOST_LABELS = 100_000_000  # about 3 GB


@dataclass(frozen=True, eq=False)
class Benchmark:
    """What was measured.

    `frame` has a row for every metric and peer that has it (`peer` is empty if none has), and
    `peers` a row a library. `skipped` says of everything that could not run why not.
    """

    frame: pd.DataFrame
    peers: pd.DataFrame
    skipped: dict[str, str]
    setting: dict[str, object]


def silent(stage: str, done: float, total: float) -> None:
    """No progress."""


def bench(
    metrics: Metrics = None,
    peers: Sequence[str | Peer] | None = None,
    *,
    classes: int = 5,
    items: int = 200,
    matrices: int = 20_000,
    seed: int = 0,
    tell: Tell = silent,
) -> Benchmark:
    """Time metaeval beside the peers that are installed, and compare their values.

    A peer that is missing or that fails is listed in `skipped` with the reason.
    """
    _check_sizes(classes=classes, items=items, matrices=matrices)
    chosen_peers = _choose_peers(peers)
    chosen = choose(metrics, classes)
    work = Work(*draw_labels(matrices, items, classes, seed), classes, seed)
    called = {peer.package: _calls(peer, work) for peer in chosen_peers}
    if metrics is None:  # and the parametrised ones that some peer has
        theirs = (find_metric(call.metric) for calls in called.values() for call in calls)
        chosen = list(dict.fromkeys([*chosen, *theirs]))
    frame = pd.DataFrame(measured_rows(chosen, called, work, tell))
    setting: dict[str, object] = {
        "classes": classes,
        "items": items,
        "matrices": matrices,
        "sample": min(SAMPLE, matrices),
        "seed": seed,
        **describe_machine(),
    }
    return Benchmark(frame, by_peer(frame, chosen_peers, work), work.skipped, setting)


def _check_sizes(**sizes: int) -> None:
    least = {"classes": 2, "items": 2, "matrices": 1}
    for name, value in sizes.items():
        if value < least[name]:
            raise InputError(f"{name} must be at least {least[name]}; got {value}")
    if sizes["items"] * sizes["matrices"] > MOST_LABELS:
        raise InputError(f"items x matrices must be at most {MOST_LABELS:,}: they lie in memory")


def _choose_peers(peers: Sequence[str | Peer] | None) -> list[Peer]:
    listed = known()
    found = []
    for peer in listed.values() if peers is None else peers:
        if isinstance(peer, str) and peer not in listed:
            raise unknown("peer", peer, listed)
        found.append(listed[peer] if isinstance(peer, str) else peer)
    return found


def _calls(peer: Peer, work: Work) -> Sequence[Call]:
    """The calls of a peer; if it cannot be imported, none, and the reason is kept."""
    try:
        with quietly():
            return peer.calls(work.classes)
    except ModuleNotFoundError as problem:
        work.skipped[peer.package] = f"not installed (no module {problem.name})"
    except Exception as problem:
        work.skipped[peer.package] = f"cannot be used: {one_line(problem)}"
    return []
