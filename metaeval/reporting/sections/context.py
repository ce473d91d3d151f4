"""What every section is made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from metaeval.reporting.evidence import Evidence
from metaeval.reporting.standing import meets_demands, shortlist, standings


@dataclass(frozen=True, eq=False)
class Context:
    """The evidence, where each metric stands, and the shortlist."""

    evidence: Evidence
    standing: pd.DataFrame
    chosen: tuple[str, ...]

    @property
    def families(self) -> pd.Series[Any]:
        """The family of each metric."""
        return self.standing["family"]

    @property
    def fit(self) -> pd.Series[bool]:
        """Whether a metric meets the demands."""
        return meets_demands(self.standing)

    @property
    def by_rank(self) -> list[str]:
        """All metrics, the shortlist first."""
        return list(dict.fromkeys([*self.chosen, *map(str, self.standing.index)]))


def context_of(evidence: Evidence) -> Context:
    """Rank the metrics."""
    frame = standings(evidence)
    wanted = frame[frame.index.isin(list(evidence.asked))] if evidence.asked else frame
    return Context(evidence, frame, tuple(shortlist(wanted)))
