"""Metrics as the command line names them: registered ones, and functions of files and modules.

Only here, and never for a name found in a data file: to load a function is to run its file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# path/file.py:function or package.module:function, then perhaps (parameter=value, ...)
OWN = re.compile(r"(?P<function>(?:.*\.py|[\w.]+):\w+)(?P<parameters>\(.*\))?", re.DOTALL)


def named(given: Sequence[str] | str | None) -> list[str] | None:
    """The metrics' registered names; names are repeated or joined by commas."""
    if given is None:
        return None
    from metaeval.measures.registry import split_names

    texts = [given] if isinstance(given, str) else given
    names = [name for text in texts for name in split_names(text)]
    # All of them before any registered name is looked up, which loads the plug-ins: the file
    # that was named goes before an installed metric of the same name.
    found = {name: OWN.fullmatch(name) for name in names}
    own = {
        name: _register(match["function"]) + (match["parameters"] or "")
        for name, match in found.items()
        if match
    }
    return [own.get(name, name) for name in names] or None


def _register(name: str) -> str:
    """The key of a loaded function; one that is not registered in its file is registered here."""
    from metaeval.errors import InputError
    from metaeval.measures.registry import definitions, metric, register, registered
    from metaeval.properties.loading import load, recognise

    function = load(name).function
    if (definition := registered(function)) is not None:
        return definition.key
    key = name.rpartition(":")[2]
    if key in definitions():
        raise InputError(f"{name}: there is a metric {key!r} already; rename the function")
    try:
        register(key, takes=recognise(function, name, {}))(function)
    except InputError as problem:
        raise InputError(f"{name}: {problem}") from None
    # Nobody said whether higher is better; a wrong guess would turn every ranking round.
    right, wrong = metric(key)([[[2, 0], [0, 2]], [[0, 2], [2, 0]]])
    if not right > wrong:
        raise InputError(
            f"{name}: a perfect output scores {right:g}, one with every item wrong {wrong:g}; "
            "if lower is better, say so in its file: @me.register(greater_is_better=False)"
        )
    return key
