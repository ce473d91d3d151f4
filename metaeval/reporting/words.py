"""Numbers and lists as people write them."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd


def number(value: object, digits: int = 3) -> str:
    """A rounded number with a true minus sign, a dash if there is none."""
    if value is None or pd.isna(value):  # type: ignore[call-overload]
        return "–"
    return f"{float(value):.{digits}f}".replace("-", "−")  # type: ignore[arg-type]


def percent(share: float) -> str:
    """A share in percent, without decimals."""
    return f"{100 * share:.0f} %"


def count(amount: int, thing: str, things: str = "") -> str:
    """1 item, 2 items."""
    return f"{amount:,} {thing if amount == 1 else things or thing + 's'}"


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th."""
    if place % 100 in (11, 12, 13):
        return f"{place}th"
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place % 10, 'th') }"


def names(found: Sequence[str], most: int = 99) -> str:
    """`a`, `b` and `c`; if there are more than `most`, so many and how many more."""
    quoted = [f"`{name}`" for name in found[:most]]
    if len(found) > most:
        quoted.append(f"{len(found) - most} more")
    return together(quoted)


def together(parts: Sequence[str]) -> str:
    """a, b and c."""
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + " and " + parts[-1]


def level(value: float) -> str:
    """A confidence level."""
    return f"{100 * value:g} %"


def sentence(text: str) -> str:
    """With a capital at the front and a full stop at the end; marked names stay as they are."""
    head = text if text.startswith("`") else text[:1].upper() + text[1:]
    return head if head.endswith((".", "!", "?")) else head + "."
