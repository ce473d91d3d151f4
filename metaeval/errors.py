"""The one exception that means "your input is wrong", as opposed to a fault of metaeval."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """Bad input, in one sentence: what is wrong, where, and what was expected."""


def unknown(kind: str, name: str, known: Iterable[str]) -> InputError:
    """An error for a name nobody knows, with the nearest known one as a suggestion."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else "known: " + ", ".join(names)
    return InputError(f"unknown {kind} {name!r}; {hint}")
