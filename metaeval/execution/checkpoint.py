"""Finished units in a folder, so that the same command continues where it ended.

A unit is stored whole or not at all, as plain arrays; a file that was damaged is computed again.
What the units belong to stands in the manifest: another study is refused, not mixed in.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import metaeval
from metaeval.errors import InputError

MANIFEST = "manifest.json"
UNFINISHED = ".unfinished"


class Checkpoint:
    """The folder of one study; its jobs are numbered in the order in which they are run."""

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        """Open a folder for what `identity` says, plain data; refuse that of another study."""
        self.folder = folder
        self.jobs = 0
        versions = {"metaeval": metaeval.__version__, "numpy": np.__version__}
        wanted = json.loads(json.dumps({**identity, "versions": versions}, default=str))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            manifest = folder / MANIFEST
            if not manifest.exists():
                if any(not name.endswith(UNFINISHED) for name in os.listdir(folder)):
                    raise InputError(f"{folder}: is no checkpoint, but holds other files")
                write_whole(manifest, (json.dumps(wanted, indent=1) + "\n").encode())
            found = json.loads(manifest.read_bytes())
        except InputError:
            raise
        except OSError as problem:
            raise InputError(f"{folder}: cannot be written: {problem.strerror}") from None
        except ValueError:
            raise InputError(f"{folder / MANIFEST}: is not the manifest of a checkpoint") from None
        if found != wanted:
            raise InputError(f"{folder}: belongs to another study: {_difference(found, wanted)}")

    def job(self, name: str) -> Job:
        """The units of the next job."""
        self.jobs += 1
        return Job(self.folder / f"{self.jobs:03d}-{name.replace(' ', '-')}")


class Job:
    """The stored units of one job."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(exist_ok=True)
            for left in folder.glob(f"*{UNFINISHED}"):
                left.unlink()
        except OSError as problem:
            raise self._unwritable(problem) from None
        self.stored = sum(1 for _ in folder.glob("*.npz"))

    def get(self, number: int) -> Any:
        """The result of a unit, or None if it has to be computed."""
        path = self._path(number)
        try:
            with np.load(path, allow_pickle=False) as found:
                arrays = {name: found[name] for name in found.files}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
            return None
        if list(arrays) == ["array"]:
            return arrays["array"]
        return arrays or None

    def put(self, number: int, result: Any) -> None:
        """Store what came out of a unit: an array, or arrays by name."""
        import io

        arrays = result if isinstance(result, dict) else {"array": np.asarray(result)}
        content = io.BytesIO()
        np.savez(content, **arrays)
        try:
            write_whole(self._path(number), content.getbuffer())
        except OSError as problem:
            raise self._unwritable(problem) from None
        self.stored += 1

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:07d}.npz"

    def _unwritable(self, problem: OSError) -> InputError:
        return InputError(
            f"{self.folder}: cannot be written: {problem.strerror}; what was stored is kept, and "
            "the same command continues from there"
        )


def write_whole(path: Path, content: Any) -> None:
    """Bytes into a file that appears when it is complete."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}{UNFINISHED}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _difference(found: Any, wanted: Mapping[str, Any]) -> str:
    if not isinstance(found, dict):
        return "its manifest names none"
    for key in dict.fromkeys([*wanted, *found]):
        one, other = found.get(key), wanted.get(key)
        if one != other:
            if isinstance(one, dict) and isinstance(other, dict):
                return f"{key}: {_difference(one, other)}"
            return f"{key} is {_short(one)} there and {_short(other)} here"
    return "its manifest differs"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def digest(path: Path) -> str:
    """What a file holds, as a short text."""
    from metaeval.inputs import reading

    with reading(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]
