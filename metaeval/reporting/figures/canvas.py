"""Drawing: one point of matplotlib is one pixel of the page, and the style is the house's."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from metaeval.reporting.figures.svg import clean
from metaeval.reporting.palette import GRID, INK, MUTED
from metaeval.reporting.plain import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FONT = 12.0
SMALL = 11.0
LONGEST = 30  # characters of a name in a figure; the page has it in full

_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",  # text stays text: smaller, searchable, in the page's font
    "svg.hashsalt": "metaeval",  # same data, same bytes
    "text.parse_math": False,  # a system may be called $x$
    "font.size": FONT,
    "axes.labelsize": FONT,
    "axes.titlesize": FONT,
    "axes.titleweight": "normal",
    "axes.titlelocation": "left",
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": INK,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "lines.linewidth": 1.6,
    "lines.solid_capstyle": "round",
    "legend.frameon": False,
}


def draw(
    name: str,
    size: tuple[float, float],
    paint: Callable[[Figure], Sequence[str] | None],
    alt: str,
) -> str:
    """SVG of what `paint` puts on a figure of so many pixels.

    `paint` may return titles for the cells of the figure's mesh.
    """
    import matplotlib
    from matplotlib.figure import Figure

    style: Any = _STYLE  # matplotlib types every key by its name
    with matplotlib.rc_context(style), warnings.catch_warnings():
        # The browser has glyphs that the font which matplotlib measures with has not.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure = Figure(figsize=(size[0] / 72, size[1] / 72))
        titles = paint(figure) or ()
        target = io.StringIO()
        figure.savefig(target, format="svg", transparent=True, metadata={"Date": None})
    return clean(target.getvalue(), name, plain(alt), [plain(title) for title in titles])


def short(name: object, longest: int = LONGEST) -> str:
    """A name that fits into a figure."""
    text = plain(name)
    return text if len(text) <= longest else text[: longest - 1] + "…"


def room(names: Iterable[object], most: float) -> float:
    """Pixels beside an axis for names of its rows, at most so many."""
    longest = max((len(short(name)) for name in names), default=0)
    return min(most, 16 + 7.4 * longest)


def spread(places: Sequence[float], gap: float) -> list[float]:
    """The places moved apart as little as needed for labels of height `gap`, order kept."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    groups: list[list[int]] = [[i] for i in order]
    centre = [places[i] for i in order]
    at = 0
    while at + 1 < len(groups):
        reach = gap * (len(groups[at]) + len(groups[at + 1])) / 2
        if centre[at + 1] - centre[at] >= reach - 1e-9:
            at += 1
            continue
        merged = groups[at] + groups[at + 1]
        wanted = [places[i] - gap * (k - (len(merged) - 1) / 2) for k, i in enumerate(merged)]
        groups[at : at + 2] = [merged]
        centre[at : at + 2] = [sum(wanted) / len(wanted)]
        at = max(at - 1, 0)
    found = [0.0] * len(places)
    for group, middle in zip(groups, centre, strict=True):
        for k, i in enumerate(group):
            found[i] = middle + gap * (k - (len(group) - 1) / 2)
    return found
