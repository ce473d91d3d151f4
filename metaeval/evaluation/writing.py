"""An evaluation as text and as a folder of frames."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

import metaeval
from metaeval.evaluation.evaluating import Evaluation
from metaeval.files import PROVENANCE, whole_folder
from metaeval.reporting.plain import plain
from metaeval.reporting.tables import render

SUMMARY = "summary"


def sentences(evaluation: Evaluation) -> pd.DataFrame:
    """The recommendation as a frame."""
    return pd.DataFrame({"recommendation": evaluation.recommendation})


def views(evaluation: Evaluation) -> dict[str, pd.DataFrame]:
    """Everything that can be shown, by name."""
    own = {SUMMARY: evaluation.summary, "recommendation": sentences(evaluation)}
    return {**own, **evaluation.frames}


def text(evaluation: Evaluation, format: str, show: str = SUMMARY) -> str:
    """One view in one of the formats.

    The summary is more than a frame where the format allows it: a table is followed by the
    recommendation and the flags, JSON is an object that holds all three and the settings. CSV
    and LaTeX have the leaderboard under the recommended metric only.
    """
    frame = views(evaluation)[show]
    if show != SUMMARY or format in ("csv", "latex"):
        return render(frame, format)
    if format == "json":
        parts = {
            "leaderboard": json.loads(render(frame, "json")),
            "recommendation": list(evaluation.recommendation),
            "flags": json.loads(render(evaluation.flags, "json")),
            "settings": evaluation.settings,
        }
        return json.dumps(parts, indent=1) + "\n"
    said = "".join(f"- {plain(sentence)}\n" for sentence in evaluation.recommendation)
    flags = "".join(f"- {plain(message)}\n" for message in evaluation.flags["message"])
    return (
        render(frame, "table", title=_title(evaluation))
        + f"\nRecommendation\n{said}"
        + (f"\nFlags\n{flags}" if flags else "")
    )


def _title(evaluation: Evaluation) -> str:
    how = evaluation.settings
    made = " made at random" if how["random_partition"] else ""
    drawn = (
        f"{100 * how['level']:g} % intervals from {how['replicates']} resamples of items"
        if how["replicates"]
        else "no resamples, so no intervals and no tests"
    )
    return (
        f"{how['systems']} systems, {how['items']} items, {how['cases']} cases{made}; means over "
        f"cases; {drawn}"
    )


def write_folder(
    evaluation: Evaluation, out: Path, format: str = "csv", force: bool = False
) -> None:
    """All frames as CSV or JSON, with the settings, into a folder that appears when complete."""
    names = {f"{name}.{format}": frame for name, frame in views(evaluation).items()}
    about = {
        "metaeval": metaeval.__version__,
        "settings": evaluation.settings,
        "metric": evaluation.metric,
        "files": list(names),
    }
    with whole_folder(out, force) as folder:
        for name, frame in names.items():
            (folder / name).write_text(render(frame, format), encoding="utf-8")
        (folder / PROVENANCE).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
