"""The known peers: every module in this folder holds one as `PEER`, so a new peer is a new file."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from metaeval.benchmarking.peer import Peer


def known() -> dict[str, Peer]:
    """All peers by package, installed or not; none of the libraries is imported yet."""
    modules = (
        import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)
    )
    return {module.PEER.package: module.PEER for module in modules}
