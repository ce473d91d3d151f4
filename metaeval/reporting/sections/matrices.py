"""What a study of matrices found: its frames as tables."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from metaeval.reporting.notebook import frame_table
from metaeval.reporting.page import Block, Section
from metaeval.reporting.sections.context import Context

MOST_ROWS = 400


def matrices(context: Context) -> Section | None:
    """One table an analysis; long ones are cut on the page, not in the download."""
    frames = context.evidence.frames
    if not frames:
        return None
    return Section(
        id="study",
        title="What the study found",
        lead=f"{context.evidence.title}: {context.evidence.source}.",
        blocks=[_table(name, frame) for name, frame in frames.items()],
        papers=frozenset({"000", "001"}),
    )


def _table(name: str, frame: pd.DataFrame) -> Block:
    cut = f" The first {MOST_ROWS} of {len(frame):,} rows." if len(frame) > MOST_ROWS else ""
    note = f"{name.replace('-', ' ').capitalize()}.{cut}"
    return replace(frame_table(frame.head(MOST_ROWS), name, note), data=frame)
