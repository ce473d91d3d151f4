"""The reasons for a metric: its numbers, how they compare, and what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from metaeval.reporting.evidence import Evidence
from metaeval.reporting.standing import CRITERIA, about, peers
from metaeval.reporting.words import level, names, number, ordinal, percent, sentence, together


@dataclass(frozen=True)
class Fact:
    """A number with what it is and how it compares."""

    label: str
    value: str
    note: str


def verdict(frame: pd.DataFrame, metric: str, chosen: Sequence[str]) -> str:
    """What it is strong and weak in, compared with all metrics and with the shortlist."""
    every = len(frame)
    known = [name for name in CRITERIA if name in frame]
    strong, weak = [], []
    for name in known:
        rank = int(about(frame, metric)[f"{name}_rank"])
        words = f"{CRITERIA[name]} ({ordinal(rank)} of {every})"
        if rank <= every / 4:
            strong.append(words)
        elif rank > 3 * every / 4:
            weak.append(words)
    parts = []
    if strong:
        parts.append(f"strong in {together(strong)}")
    if weak:
        parts.append(f"weak in {together(weak)}")
    if not parts and known:
        parts.append("neither among the best nor among the worst quarter in anything measured")
    text = sentence(", ".join(parts)) if parts else ""
    best = [CRITERIA[name] for name in known if _leads(frame, chosen, metric, name)]
    if best and len(chosen) > 1:
        what = "every criterion" if len(best) == len(known) > 1 else together(best)
        text += f" Of the {len(chosen)} listed it is best in {what}."
    return text.strip()


def _leads(frame: pd.DataFrame, chosen: Sequence[str], metric: str, name: str) -> bool:
    among = frame.loc[list(chosen), name]
    return bool(among[metric] >= among.max() - 1e-9)


def facts(evidence: Evidence, frame: pd.DataFrame, metric: str) -> list[Fact]:
    row = about(frame, metric)
    found = []
    if "coverage" in frame:
        note = _interval(evidence, frame, metric)
        found.append(
            Fact(
                "Coverage", number(row["coverage"]), _notes(note, _place(frame, metric, "coverage"))
            )
        )
        if evidence.left_out is not None:
            lost = evidence.left_out["coverage"].xs(metric, level="metric").astype(float)
            family = str(lost.idxmin()).replace("_", " ")
            found.append(Fact("lowest", number(lost.min()), f"with {family} errors left out"))
    elif "agreement-with-reference" in evidence.frames and not pd.isna(row["criterion"]):
        note = f"with {evidence.settings.reference[0]}, mean over the settings"
        found.append(Fact("Agreement", number(row["criterion"]), note))
    if "robustness" in frame:
        found.append(
            Fact("Robustness", number(row["robustness"]), _place(frame, metric, "robustness"))
        )
    if "power" in frame:
        found.append(Fact("Power", percent(row["power"]), _place(frame, metric, "power")))
    median = f"{frame['held'].median():.0f}"
    found.append(Fact("Properties", f"{row['held']}/{row['checked']}", f"median metric: {median}"))
    if row.get("undefined", 0):
        share = row["undefined"] / row["scored"]
        found.append(
            Fact("Undefined", percent(share), f"{row['undefined']:,} of {row['scored']:,} outputs")
        )
    return found


def _notes(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _interval(evidence: Evidence, frame: pd.DataFrame, metric: str) -> str:
    if "coverage_low" not in frame:
        return ""
    low, high = (number(frame.loc[metric, f"coverage_{end}"]) for end in ("low", "high"))
    return f"{low} to {high}"


def _place(frame: pd.DataFrame, metric: str, name: str) -> str:
    """Where it stands among all metrics."""
    row = about(frame, metric)
    rank, every = int(row[f"{name}_rank"]), int(frame[name].notna().sum())
    alike = row[f"{name}_alike"] and rank > 1
    return f"{ordinal(rank)} of {every}" + (", ≈ best" if alike else "")


def like(frame: pd.DataFrame, metric: str) -> str:
    """Which other metrics say the same."""
    if "cluster" not in frame:
        return ""
    found = peers(frame, metric)
    if not found:
        return "No other metric ranks systems like it."
    return f"Ranks systems like {names(found, 4)}."


def glossary(evidence: Evidence, frame: pd.DataFrame) -> list[tuple[str, str]]:
    """What the numbers of the shortlist are."""
    found = []
    if "coverage" in frame:
        reference = names(evidence.settings.reference)
        found.append(
            (
                "Coverage",
                f"how well a lead under the metric foretells a lead under {reference} "
                "all at once; 1 is best. "
                f"{level(evidence.settings.level)} interval over test cases",
            )
        )
    if "robustness" in frame:
        found.append(
            (
                "Robustness",
                "how well the system rankings of any two test cases correlate; 1 is best",
            )
        )
    if "power" in frame:
        found.append(("Power", "share of the pairs of systems whose difference is significant"))
    found.append(("Properties", "formal properties held, of those that apply to the metric"))
    if "coverage" in frame:
        found.append(("≈ best", "cannot be told from the best metric (adjusted p of 0.05 or more)"))
    return found
