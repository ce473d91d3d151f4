"""The summary: a shortlist, and sentences put together from the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import pandas as pd

from metaeval.reporting.evidence import Evidence
from metaeval.reporting.examples import example_id, sizes
from metaeval.reporting.failures import failing
from metaeval.reporting.page import Block
from metaeval.reporting.palette import family_role
from metaeval.reporting.reasons import Fact, facts, like, verdict
from metaeval.reporting.standing import (
    DEMANDS,
    about,
    criterion_words,
    meets_demands,
    peers,
)
from metaeval.reporting.words import (
    count,
    names,
    number,
    ordinal,
    sentence,
    together,
)

# Metrics that people reach for by habit; the summary says what is known about each.
HABITS = (
    "accuracy",
    "macro_f1",
    "cohen_kappa",
    "quadratic_weighted_kappa",
    "mae",
    "mse",
    "spearman",
    "kendall_tau_b",
)


@dataclass(frozen=True)
class Failure:
    """A property that a metric fails, in words, with the counterexample to open."""

    property: str
    words: str
    example: str
    size: str


@dataclass(frozen=True)
class Choice:
    """A metric with the reasons for it and what it fails at."""

    metric: str
    role: str
    meaning: str
    better: str
    failures: Sequence[Failure]
    verdict: str = ""
    facts: Sequence[Fact] = ()
    remark: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Shortlist(Block):
    """The metrics to consider."""

    template = "shortlist.html"
    choices: Sequence[Choice]
    glossary: Sequence[tuple[str, str]] = ()

    def still(self) -> Self:
        """Counterexamples are named, not opened."""
        return replace(super().still(), choices=[_still(choice) for choice in self.choices])


@dataclass(frozen=True, kw_only=True, eq=False)
class Others(Block):
    """What is to be said about other metrics, one line each."""

    template = "others.html"
    title: str
    choices: Sequence[Choice]

    def still(self) -> Self:
        """Counterexamples are named, not opened."""
        return replace(super().still(), choices=[_still(choice) for choice in self.choices])


def _still(choice: Choice) -> Choice:
    return replace(choice, failures=[replace(f, example="") for f in choice.failures])


def headline(chosen: Sequence[str]) -> str:
    """The answer in one line."""
    return f"Consider {names(chosen)}."


def opening(evidence: Evidence, frame: pd.DataFrame, chosen: Sequence[str]) -> list[str]:
    """How the shortlist came about."""
    fit = meets_demands(frame)
    every, able = len(frame), int(fit.sum())
    demands = together([f"{words} (`{name}`)" for name, words in DEMANDS.items()])
    text = (
        f"{count(every, 'metric')} were compared on {evidence.source}. A metric for ordered "
        f"classes should first of all meet two demands: {demands}. {able} of {every} do, on every "
        "small matrix and on all larger ones that were tried"
    )
    rank = criterion_words(evidence)
    text += f"; they are ranked by {rank}"
    if evidence.coverage is not None:
        text += (
            ", which tells how well a lead under the metric foretells a lead under "
            f"{names(evidence.settings.reference)} all at once"
        )
    text += "."
    if "cluster" in frame:
        text += " Of metrics that rank the systems alike only the first is listed."
    missing = [metric for metric in chosen if not fit[metric]]
    if missing:
        text += (
            f" Too few meet them all, so {names(missing)} "
            f"{'fills' if len(missing) == 1 else 'fill'} the list."
        )
    return [text, *_passed_over(frame, chosen, rank)]


def _passed_over(frame: pd.DataFrame, chosen: Sequence[str], rank: str) -> list[str]:
    if frame["criterion"].isna().all():
        return []
    best = str(frame["criterion"].idxmax())
    row = about(frame, best)
    if best in chosen or not row["demands_failed"]:
        return []
    failed = names(row["demands_failed"])
    return [
        f"The highest {rank} of all has `{best}` ({number(row['criterion'])}), but it "
        f"is not listed: it fails {failed}."
    ]


def choice(evidence: Evidence, frame: pd.DataFrame, metric: str, chosen: Sequence[str]) -> Choice:
    """A metric of the shortlist with its reasons."""
    row = about(frame, metric)
    return Choice(
        metric=metric,
        role=family_role(str(row["family"])),
        meaning=str(row["meaning"]),
        better="higher is better" if row["greater_is_better"] else "lower is better",
        verdict=verdict(frame, metric, chosen),
        facts=facts(evidence, frame, metric),
        failures=_failures(evidence, metric, row["failed"]),
        remark=like(frame, metric),
    )


def _failures(evidence: Evidence, metric: str, failed: Sequence[str]) -> list[Failure]:
    return [
        Failure(name, failing(name), example_id(metric, name), sizes(evidence, metric, name))
        for name in failed
    ]


def remarks(evidence: Evidence, frame: pd.DataFrame, chosen: Sequence[str]) -> list[Choice]:
    """One line on each metric that people use by habit and that is not on the list."""
    found = []
    for metric in HABITS:
        if metric not in frame.index or metric in chosen:
            continue
        row = about(frame, metric)
        failed = list(row["demands_failed"])
        same = [name for name in peers(frame, metric) if name in chosen]
        text = [f"{criterion_words(evidence)} {number(row['criterion'])}, {_rank(frame, metric)}"]
        if not failed:
            text.append("meets the demands")
        if same:
            text.append(f"ranks systems like {names(same)}")
        found.append(
            Choice(
                metric=metric,
                role=family_role(str(row["family"])),
                meaning=str(row["meaning"]),
                better="",
                failures=_failures(evidence, metric, failed),
                remark=sentence("; ".join(text)),
            )
        )
    return found


def _rank(frame: pd.DataFrame, metric: str) -> str:
    rank = frame["criterion"].round(10).rank(ascending=False, method="min")[metric]
    return "not ranked" if pd.isna(rank) else f"{ordinal(int(rank))} of {len(frame)}"
