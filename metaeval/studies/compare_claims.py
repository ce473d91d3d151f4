"""Paper 002's Table 2: which properties metrics are said to have, beside what the search finds.

The computed value of a cell is 1 if the property holds on all matrices searched and 0 if it is
violated. A claim that a counterexample refutes is an ``erratum``, with the smallest one in the
note; a denial that no counterexample supports is ``unexplained``, because a search has bounds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from metaeval.studies.published import Table
from metaeval.studies.reproduce import Cell, comparer

_VALUES = {"holds": 1.0, "violated": 0.0}


@comparer("claims")
def compare_claims(table: Table) -> Iterator[Cell]:
    """Every tick and dash of the table."""
    from metaeval.properties import audit

    claims: dict[str, dict[str, bool]] = {}
    for case, column, printed in table.cells():
        claims.setdefault(case.name, {})[column] = printed == "yes"
    for row in audit(claims, jobs=1).to_dict("records"):
        refuted = row["claimed"] and row["found"] == "violated"
        verdict = "match" if row["agrees"] else "erratum" if refuted else "unexplained"
        parts = (row["found"], row["counterexample"], row["sizes"])
        yield Cell(
            case=row["metric"],
            metric=row["property"],
            published="yes" if row["claimed"] else "no",
            computed=_VALUES.get(row["found"], math.nan),
            verdict=verdict,
            note=": ".join(str(part) for part in parts if part),
        )
