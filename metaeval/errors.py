"""The one exception that means "your input is wrong", as opposed to a fault of metaeval."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MOST_SHOWN = 60  # names in a message


class InputError(ValueError):
    """Bad input, in one sentence: what is wrong, where, and what was expected."""


def unknown(kind: str, name: str, known: Iterable[str]) -> InputError:
    """An error for a name nobody knows, with the nearest known one as a suggestion."""
    names = sorted(known)
    # Comparing texts takes time squared in their length; nobody mistypes a thousand characters.
    alike = [n for n in names[:2000] if len(n) <= 100] if len(name) <= 100 else []
    near = difflib.get_close_matches(name, alike, n=1, cutoff=0.5)
    shown = ", ".join(names[:MOST_SHOWN]) + (", ..." if len(names) > MOST_SHOWN else "")
    hint = f"did you mean {near[0]!r}?" if near else f"known: {shown}"
    return InputError(f"unknown {kind} {name!r}; {hint}")
