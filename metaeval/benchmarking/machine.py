"""What the figures were measured on: without it they mean nothing."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path


def describe_machine() -> dict[str, object]:
    """Processor, cores, system, Python and numpy, and how busy the machine is right now."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def version(package: str) -> str:
    """The installed version of a package, or nothing."""
    try:
        return installed_version(package)
    except PackageNotFoundError:
        return ""


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor())


def machine_line(now: Mapping[str, object]) -> str:
    """A description in one line."""
    busy = "" if now["load"] is None else f", load {now['load']}"
    return (
        f"{now['processor']}, {now['cores']} cores{busy}, {now['system']}, "
        f"Python {now['python']}, numpy {now['numpy']}"
    )
