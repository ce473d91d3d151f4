"""The properties: one small file each (or a pair that shares its transformation).

Every module here is imported and every `Property` defined in it is known from then on; adding a
property means adding a file.
"""

from __future__ import annotations

import inspect
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules

from metaeval.errors import InputError, unknown
from metaeval.properties.base import Property


@lru_cache(maxsize=1)
def properties() -> dict[str, Property]:
    """All properties by name, in the order of the catalogue."""
    found = []
    for info in iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        found += [
            member()
            for _, member in inspect.getmembers(module, inspect.isclass)
            if issubclass(member, Property)
            and member.__module__ == module.__name__
            and not inspect.isabstract(member)
        ]
    return {p.name: p for p in sorted(found, key=lambda p: (p.place, p.name))}


def choose(names: str | list[str] | tuple[str, ...] | None) -> list[Property]:
    """The named properties in the order of the catalogue; all of them if none is named."""
    known = properties()
    if names is None:
        return list(known.values())
    wanted = [names] if isinstance(names, str) else list(names)
    if not wanted:
        raise InputError("no property is named; leave `properties` out to check all of them")
    for name in wanted:
        if name not in known:
            raise unknown("property", str(name), known)
    return [p for name, p in known.items() if name in wanted]
