"""Which metrics say the same."""

from __future__ import annotations

from metaeval.reporting.figures.tree import CUT, agreement_map
from metaeval.reporting.page import Section
from metaeval.reporting.sections.context import Context
from metaeval.reporting.words import count, names


def agreement(context: Context) -> Section | None:
    """The heatmap with its dendrogram, and the groups in words."""
    evidence = context.evidence
    if evidence.pairs is None or evidence.clusters is None:
        return None
    groups = evidence.clusters.frame.groupby("cluster").groups
    shared = [[str(m) for m in members] for members in groups.values() if len(members) > 1]
    largest = max(shared, key=len, default=[])
    text = (
        f"At a τ-b of {1 - CUT:g} the {len(evidence.names)} metrics fall into "
        f"{count(len(groups), 'group')}"
    )
    if largest:
        text += f"; the largest has {len(largest)} members, among them {names(largest, 4)}"
    text += "."
    least = evidence.pairs["agreement"].idxmin() if "agreement" in evidence.pairs else None
    if isinstance(least, tuple):
        share = 100 * float(evidence.pairs["agreement"].min())
        total = int(evidence.pairs["pairs"].max())
        text += (
            f" Over {total:,} pairs of outputs, `{least[0]}` and `{least[1]}` agree least on "
            f"which is better: in {share:.0f} %."
        )
    return Section(
        id="agreement",
        title="Which metrics agree",
        lead="Metrics of one group rank the systems alike, so one of them is enough. " + text,
        blocks=[agreement_map(evidence.pairs, evidence.clusters, context.families, context.chosen)],
        papers=frozenset({"001"}),
    )
