"""The figures: a row for every metric and peer, and a row for every peer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd

from metaeval.benchmarking.machine import version
from metaeval.benchmarking.peer import Call, Labels, Peer
from metaeval.benchmarking.sample import edge_cases
from metaeval.benchmarking.timing import best, best_loop
from metaeval.benchmarking.values import Comparison, compare, one_line, quietly
from metaeval.labels import confusion
from metaeval.measures.metric import Metric
from metaeval.measures.registry import metric as find_metric
from metaeval.measures.scoring import score_stack

SAMPLE = 100  # matrices whose values are compared, and the most that a peer loops over
MICRO = 1e6

Tell = Callable[[str, float, float], None]


@dataclass(frozen=True, eq=False)
class Work:
    """The labels, and what went wrong with them."""

    gold: Labels
    output: Labels
    classes: int
    seed: int
    skipped: dict[str, str] = field(default_factory=dict)

    def sample(self) -> list[tuple[Labels, Labels]]:
        """The matrices that peers see."""
        return list(zip(self.gold[:SAMPLE], self.output[:SAMPLE], strict=True))

    def count(self) -> Any:
        """All labels as a stack."""
        return confusion(self.gold, self.output, self.classes)

    def micros(self, metrics: Sequence[Metric]) -> float:
        """Microseconds a matrix from labels, all these metrics in one pass."""
        return best(lambda: score_stack(self.count(), metrics)) / len(self.gold) * MICRO


def measured_rows(
    chosen: Sequence[Metric], called: Mapping[str, Sequence[Call]], work: Work, tell: Tell
) -> Iterator[dict[str, object]]:
    """A row for every metric and peer that has it, or one of metaeval alone."""
    stack, sample = work.count(), work.sample()
    for done, metric in enumerate(chosen):
        tell(metric.name, done, len(chosen))
        own = {
            "metaeval_us": work.micros([metric]),
            "scoring_us": best(partial(score_stack, stack, [metric])) / len(stack) * MICRO,
            "loop_us": best_loop(partial(metric.from_labels, classes=work.classes), sample) * MICRO,
        }
        rows = [
            row
            for package, calls in called.items()
            for call in calls
            if find_metric(call.metric) == metric
            and (row := _beside(package, metric, call, work, own))
        ]
        yield from rows or [_row(metric, "", own)]


def _beside(
    package: str, metric: Metric, call: Call, work: Work, own: Mapping[str, float]
) -> dict[str, object] | None:
    """The row of one peer; nothing, and the reason kept, if it fails on plain labels."""
    sample = work.sample()
    try:
        with quietly():
            ready = [(call.form(gold), call.form(output)) for gold, output in sample]
            float(call.function(*ready[0]))
            seconds = best_loop(call.function, ready)
    except Exception as problem:
        work.skipped[f"{package}, {metric.name}"] = f"fails: {one_line(problem)}"
        return None
    plain = compare(metric, call, sample, work.classes)
    edge = compare(metric, call, list(edge_cases(work.classes, work.seed)), work.classes)
    # A difference that nobody has explained yet is shown, so that it can be looked into.
    example = plain.example or edge.example
    note = call.note or (f"unexplained: {example}" if example else "")
    return _row(metric, package, own, seconds * MICRO, plain, edge, note)


def _row(
    metric: Metric,
    package: str,
    own: Mapping[str, float],
    peer_us: float = math.nan,
    plain: Comparison | None = None,
    edge: Comparison | None = None,
    note: str = "",
) -> dict[str, object]:
    return {
        "metric": metric.name,
        "peer": package,
        "peer_us": peer_us,
        **own,
        "ratio": peer_us / own["metaeval_us"],
        "difference": plain.difference if plain else math.nan,
        "alike": plain.alike if plain else math.nan,
        "edge_alike": edge.alike if edge else math.nan,
        "note": note,
    }


def by_peer(frame: pd.DataFrame, peers: Sequence[Peer], work: Work) -> pd.DataFrame:
    """A row a library: all its metrics, in as many calls as it needs, beside ours in one pass."""
    rows = []
    for peer in peers:
        found = frame[frame["peer"] == peer.package]
        if found.empty:
            continue
        theirs = found["peer_us"].median() if peer.at_once else found["peer_us"].sum()
        together = work.micros([find_metric(name) for name in found["metric"]])
        rows.append(
            {
                "peer": peer.package,
                "version": version(peer.package),
                "metrics": len(found),
                "peer_us": theirs,
                "metaeval_us": together,
                "ratio": theirs / together,
                "median_ratio": found["ratio"].median(),
                "alike": found["alike"].mean(),
                "edge_alike": found["edge_alike"].mean(),
            }
        )
    return pd.DataFrame(rows)
