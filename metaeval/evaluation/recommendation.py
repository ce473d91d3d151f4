"""Which metric to report, and who wins: sentences computed from the numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pandas as pd

from metaeval.evaluation.outputs import Outputs
from metaeval.evaluation.qualities import QUALITIES
from metaeval.evaluation.significance import ALPHA
from metaeval.reporting.words import count, together

FEWEST_SYSTEMS = 3  # two make one pair, on which nearly every metric is right
USUAL = "cem_ord"  # the first choice of the reference study
_WORDS = {"coverage": "coverage", "robustness": "robustness", "power": "discriminative power"}


def best_metric(qualities: pd.DataFrame) -> str:
    """The metric with the best mean rank in coverage, robustness and discriminative power.

    Among metrics that see how far off an answer is and are defined on every case and system, if
    there are any; of equal ones that with the higher coverage, then the one named first.
    """
    candidates = qualities
    for wanted in (qualities["sees_order"], qualities["undefined"] == 0):
        if (wanted & qualities.index.isin(candidates.index)).any():
            candidates = candidates[wanted[candidates.index]]
    standing = pd.DataFrame(
        {
            "rank": candidates[list(QUALITIES)].rank(ascending=False).mean(axis=1).fillna(0),
            "coverage": -candidates["coverage"].fillna(0),
        }
    )
    return str(standing.sort_values(["rank", "coverage"], kind="stable").index[0])


def no_ground(qualities: pd.DataFrame, outputs: Outputs) -> str:
    """Why no metric can be recommended on these data; nothing if one can."""
    if len(outputs.systems) == 1:
        return "There is one system only: nothing to compare, and no metric to recommend."
    found = informative(outputs)
    if found < FEWEST_SYSTEMS:
        left = {0: "no system is", 1: "one system is", 2: "two systems are"}[found]
        return (
            f"No metric can be recommended: {left} left without constant and repeated outputs, "
            f"and it takes {FEWEST_SYSTEMS} to tell metrics apart."
        )
    if qualities[list(QUALITIES)].isna().all(axis=None):
        return "No metric can be recommended: nothing about them can be measured on these data."
    if len(outputs.cases) == 1:
        return (
            "No metric can be recommended: there is one test case only, so neither robustness nor "
            "discriminative power can be measured. Without a case column several are made at "
            "random."
        )
    return ""


def informative(outputs: Outputs) -> int:
    """Systems that metrics can be judged by: equal ones once, constant ones not at all."""
    varied = outputs.predictions[(outputs.predictions != outputs.predictions[:, :1]).any(axis=1)]
    return len({row.tobytes() for row in varied})


def shown_metric(qualities: pd.DataFrame, missing: str) -> str:
    """The best metric; without ground for one (`missing`), the usual one."""
    return USUAL if missing and USUAL in qualities.index else best_metric(qualities)


def recommend(
    chosen: str,
    qualities: pd.DataFrame,
    leaderboard: pd.DataFrame,
    groups: pd.DataFrame,
    pairs: pd.DataFrame,
    swaps: pd.DataFrame,
    missing: str = "",
) -> tuple[str, ...]:
    """Sentences on the chosen metric, the most important first.

    `missing` says why no metric can be recommended.
    """
    board = _under(leaderboard, chosen)
    if len(board) < 2:
        return (missing,)
    advice = (missing,) if missing else (_report(qualities, chosen), *_reference(qualities, chosen))
    return (
        *advice,
        *_undefined(qualities),
        _winner(leaderboard, chosen),
        *_lead(board, _under(groups, chosen), _under(pairs, chosen)),
        *_swapped(swaps),
    )


def _under(frame: pd.DataFrame, metric: str) -> pd.DataFrame:
    return cast(pd.DataFrame, frame.loc[metric])


def _report(qualities: pd.DataFrame, chosen: str) -> str:
    own = qualities[list(QUALITIES)].dropna(axis="columns", how="all")
    places = own.rank(ascending=False, method="min").loc[chosen]
    values = own.loc[chosen]
    parts = [f"{_WORDS[n]} {values[n]:.3f} (rank {places[n]:.0f})" for n in map(str, own)]
    undefined = int(qualities["undefined"][chosen])
    parts.append(count(undefined, "undefined score") if undefined else "no undefined score")
    seeing = bool(qualities["sees_order"][chosen])
    total = int(qualities["sees_order"].sum()) if seeing else len(qualities)
    verb = "sees" if total == 1 else "see"
    kind = f" that {verb} how far off an answer is" if seeing else ""
    return (
        f"Report {chosen}: of {count(total, 'metric')}{kind} it is the best balanced on these "
        f"data: {together(parts)}; ranks are among all {len(qualities)}."
    )


def _reference(qualities: pd.DataFrame, chosen: str) -> Iterator[str]:
    reference = qualities.attrs["reference"]
    if chosen in reference:
        yield (
            f"{chosen} belongs to the reference set of coverage ({', '.join(reference)}), which "
            "favours it there."
        )


def _undefined(qualities: pd.DataFrame) -> Iterator[str]:
    names = list(qualities.index[qualities["undefined"] > 0])
    if names:
        shown = names[:5] + ([f"{len(names) - 5} more"] if len(names) > 5 else [])
        what = "has" if len(names) == 1 else "have"
        yield (
            f"{together(shown)} {what} undefined scores here; rankings by them depend on what "
            "those count as, so they take no part in the swaps."
        )


def _winner(leaderboard: pd.DataFrame, chosen: str) -> str:
    first = leaderboard[leaderboard["rank"] == 1].reset_index()
    wins = first["system"].value_counts(sort=True)
    metrics = leaderboard.index.get_level_values("metric").nunique()
    best = list(first.loc[first["metric"] == chosen, "system"])
    words = f"{together(best)} {'leads' if len(best) == 1 else 'lead'} under {chosen}"
    rivals = [f"{system} under {n}" for system, n in wins.items() if system not in best]
    if not rivals:
        return f"{words}, and no metric puts another system first."
    shown = rivals[:4] + ([f"{len(rivals) - 4} other systems"] if len(rivals) > 4 else [])
    own = int(wins[best[0]])
    return f"{words} and under {own} of {metrics} metrics in all; first is also {together(shown)}."


def _lead(board: pd.DataFrame, groups: pd.DataFrame, pairs: pd.DataFrame) -> Iterator[str]:
    if pairs["p"].isna().all():
        return
    top = board.index[0]
    other = board.index[1]
    beaten = int(groups.loc[top, "beats"])
    p = float(pairs.loc[(top, other) if (top, other) in pairs.index else (other, top), "p"])
    words = "is significantly ahead of" if p < ALPHA else "is not significantly ahead of"
    yield (
        f"{top} {words} {other} (Holm-adjusted p = {p:.3g}) and beats {beaten} of "
        f"{count(len(board) - 1, 'other system')} significantly."
    )


def _swapped(swaps: pd.DataFrame) -> Iterator[str]:
    swapped, total = swaps.attrs["swapped"], swaps.attrs["pairs"]
    contrary = swaps.attrs["contrary"]
    if contrary:
        verb = "ranks" if len(contrary) == 1 else "rank"
        yield f"{together(contrary)} {verb} the systems against most other metrics."
    if not swapped:
        yield f"All metrics order all {count(total, 'pair')} of systems alike."
        return
    top = swaps.iloc[0]
    yield (
        f"In {swapped} of {count(total, 'pair')} of systems the choice of the metric decides who "
        f"is better; most strongly, {top['metric']} prefers {top['system']} and {top['against']} "
        f"prefers {top['other']}."
    )
