"""Colours by role: one name for the page's style sheet and for figures, in light and dark.

Figures are drawn in the light colours; `metaeval.reporting.figures.svg` turns each of them into
the class of its role, so that a figure follows the theme of the page around it.
"""

from __future__ import annotations

# The nine hues are those of Okabe and Ito, told apart by people with any kind of colour vision,
# darkened or exchanged where they would be too faint on white.
LIGHT = {
    "ink": "#1b2430",
    "muted": "#5d6975",
    "grid": "#dde2e6",
    "paper": "#fefefd",
    "c0": "#0a6eae",
    "c1": "#cf5300",
    "c2": "#00875f",
    "c3": "#b3558d",
    "c4": "#8a6a0f",
    "c5": "#2f9fd8",
    "c6": "#6b4fa0",
    "c7": "#a3262a",
    "c8": "#6f7b86",
}
DARK = {
    "ink": "#e6e9ec",
    "muted": "#9aa5b0",
    "grid": "#333b44",
    "paper": "#14191f",
    "c0": "#5cb3ec",
    "c1": "#f28a4b",
    "c2": "#3cc69a",
    "c3": "#e29ac5",
    "c4": "#d6b44c",
    "c5": "#9adcf9",
    "c6": "#b39ee6",
    "c7": "#f0797c",
    "c8": "#a7b1ba",
}
INK, MUTED, GRID, PAPER = (LIGHT[name] for name in ("ink", "muted", "grid", "paper"))
SERIES = tuple(LIGHT[f"c{i}"] for i in range(9))

# A metric has the colour of its family in every figure.
_FAMILIES = {
    "closeness": "c0",
    "distance": "c1",
    "path": "c2",
    "correlation": "c3",
    "chance-corrected": "c4",
    "nominal": "c5",
    "clustering": "c6",
    "cost": "c7",
    "quantification": "c8",
}


def family_role(family: str) -> str:
    """The role of a family of metrics; families that nobody foresaw are grey."""
    return _FAMILIES.get(family, "c8")


def family_colour(family: str) -> str:
    """The colour of a family of metrics."""
    return LIGHT[family_role(family)]
