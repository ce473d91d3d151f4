"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import ctypes
import glob
import json
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

from metaeval.errors import InputError

PROVENANCE = "provenance.json"


@contextmanager
def whole_file(path: Path, force: bool = False) -> Iterator[Path]:
    """A temporary path beside `path` to write to; it takes the place of `path` at the end.

    If anything goes wrong, nothing is left behind and an existing file stays as it was.
    """
    _refuse_folder(path)
    if path.exists() and not force:
        raise InputError(f"{path}: exists already; --force overwrites it")
    sweep(path)
    try:
        handle, name = tempfile.mkstemp(
            prefix=_prefix(path, os.getpid()), suffix=path.suffix, dir=path.parent
        )
    except OSError as problem:
        raise InputError(f"{path}: cannot be written: {problem.strerror or problem}") from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        # mkstemp makes private files; a result is as readable as the user's other files.
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(path)
    except OSError as problem:
        raise InputError(f"{path}: cannot be written: {problem.strerror or problem}") from None
    finally:
        temporary.unlink(missing_ok=True)


def _prefix(path: Path, process: int | str) -> str:
    """How the names of temporary files beside `path` begin: they say whose they are."""
    host = f"{crc32(platform.node().encode()):08x}"
    return f".{path.name[:60]}.{host}-{process}-"


def sweep(path: Path) -> None:
    """Remove what a killed process of this machine left beside `path`.

    Was it killed between moving an old folder away and the new one in, the old one comes back.
    """
    found = glob.escape(_prefix(path, "")[:-1]) + "*"
    for left in path.parent.glob(found):
        process = left.name.removeprefix(_prefix(path, "")[:-1]).partition("-")[0]
        if not process.isdigit() or _alive(int(process)):
            continue
        with contextlib.suppress(OSError):
            if not left.is_dir():
                left.unlink()
                continue
            if (left / "old").exists() and not path.exists():
                (left / "old").rename(path)
            shutil.rmtree(left, ignore_errors=True)


def _alive(process: int) -> bool:
    if os.name == "nt":  # where asking would be a signal
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it exists and is somebody else's
        return True
    return True


def _exchange(one: Path, other: Path) -> bool:
    """Swap two folders at once, where the system can; at no moment is one of them missing."""
    try:
        swap = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    done: int = swap(here, os.fsencode(one), here, os.fsencode(other), exchange)
    return done == 0


def _refuse_folder(path: Path) -> None:
    if path.is_dir():
        raise InputError(f"{path}: this is a folder; expected the name of a file")


def by_suffix(path: Path, writers: dict[str, Callable[[Path], Any]]) -> Callable[[Path], Any]:
    """The writer for a file name, or one sentence about the suffixes that there are."""
    _refuse_folder(path)
    suffix = path.suffix.lower()
    if suffix not in writers:
        raise InputError(f"{path}: unknown kind of file {suffix!r}; one of {', '.join(writers)}")
    return writers[suffix]


def write_frame(frame: Any, path: Path, force: bool = False) -> None:
    """A frame without its index as .csv, .tsv, .json (records), .jsonl or .parquet."""
    from metaeval.cells import as_csv

    write = by_suffix(
        path,
        {
            ".csv": lambda p: p.write_text(as_csv(frame), encoding="utf-8"),
            ".tsv": lambda p: p.write_text(as_csv(frame, "\t"), encoding="utf-8"),
            ".json": lambda p: frame.to_json(p, orient="records", indent=1),
            ".jsonl": lambda p: frame.to_json(p, orient="records", lines=True),
            ".parquet": lambda p: write_parquet(frame, p),
        },
    )
    with whole_file(path, force) as temporary:
        write(temporary)


def write_parquet(frame: Any, path: Path) -> None:
    """A frame as Parquet, which needs an optional package."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise InputError(
            f"{path.name}: writing Parquet needs pyarrow: pip install 'metaeval[parquet]'"
        ) from None
    frame.to_parquet(path, index=False)


def write_json(value: Any, path: Path, force: bool = False) -> None:
    """Plain data as indented JSON."""
    with whole_file(path, force) as temporary:
        temporary.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


@contextmanager
def whole_folder(out: Path, force: bool = False) -> Iterator[Path]:
    """A temporary folder beside `out` to fill; it takes the place of `out` at the end.

    An existing folder is replaced only with `force`, and only if it holds nothing but what its
    own `provenance.json` lists under "files".
    """
    check_free(out, force)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        # A name of our own beside the target: renaming must not cross file systems.
        work = Path(tempfile.mkdtemp(prefix=_prefix(out, os.getpid()), dir=out.parent))
    except OSError as problem:
        raise InputError(f"{out}: cannot be written: {problem.strerror or problem}") from None
    new, old = work / "new", work / "old"
    try:
        new.mkdir()
        yield new
        if not out.exists():
            new.rename(out)
        elif not _exchange(new, out):
            out.rename(old)
            new.rename(out)
    except OSError as problem:
        raise InputError(f"{out}: cannot be written: {problem.strerror or problem}") from None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def check_free(out: Path, force: bool) -> None:
    """Complain if results cannot go to a folder; worth asking before the work as well."""
    sweep(out)
    if not out.exists():
        return
    if not out.is_dir():
        raise InputError(f"{out}: is a file; expected the name of a folder")
    found = {entry.name for entry in out.iterdir()}
    if found and not force:
        raise InputError(f"{out}: exists already; --force overwrites it")
    others = sorted(found - _own_files(out))
    if others:
        raise InputError(f"{out}: holds {others[0]!r}, which is no file of an earlier result")


def _own_files(out: Path) -> set[str]:
    try:
        listed = json.loads((out / PROVENANCE).read_text(encoding="utf-8"))["files"]
        return {PROVENANCE, *listed}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
