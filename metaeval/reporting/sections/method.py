"""Method and provenance: enough to make the page again, and whom to cite."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import metaeval
from metaeval.reporting.page import Block, Definitions, Papers, Section
from metaeval.reporting.sections.context import Context
from metaeval.reporting.words import level, names
from metaeval.studies.published import papers

_PACKAGES = ("numpy", "scipy", "pandas", "matplotlib", "seaborn", "jinja2")


def method(context: Context, command: Sequence[str], used: frozenset[str]) -> Section:
    """`used` are the papers that the other sections rest on."""
    evidence = context.evidence
    settings = evidence.settings
    entries: list[tuple[str, str]] = [
        *made_by(command),
        ("seed", str(settings.seed)),
        ("looked at", evidence.source),
        *((key, spell(value)) for key, value in evidence.parameters.items() if value),
        ("metrics", names(evidence.names)),
    ]
    if evidence.coverage is not None:
        entries += [
            ("reference metrics", names(settings.reference)),
            ("bootstrap", f"{settings.replicates:,} resamples, {level(settings.level)} intervals"),
            ("undefined scores", _undefined(settings.undefined)),
        ]
    entries += [
        (
            "properties",
            "all matrices up to the sizes given there, then random ones of up to 500 items and "
            "11 classes, shrunk where they break a property",
        ),
        (
            "shortlist",
            "fewest demands failed, then the ranking's value; at most one metric of a group that "
            "ranks systems alike",
        ),
    ]
    return provenance(entries, used)


def provenance(entries: Sequence[tuple[str, str]], used: frozenset[str] = frozenset()) -> Section:
    """The last section of every page: how it was made, with what, and the papers used."""
    cited = [paper for key, paper in papers().items() if key in used]
    blocks: list[Block] = [Definitions(entries=[*entries, ("versions", _versions())])]
    if cited:
        blocks.append(Papers(papers=cited))
    return Section(
        id="method",
        title="Method and provenance",
        lead=(
            "The same command gives the same page, byte for byte; the number of workers changes "
            "no result."
        ),
        blocks=blocks,
    )


def made_by(command: Sequence[str]) -> list[tuple[str, str]]:
    """The entry about the command, if there was one."""
    return [("command", f"`{shlex.join(command)}`")] if command else []


def _undefined(policy: Any) -> str:
    if isinstance(policy, Mapping):
        special = ", ".join(f"those of `{name}` as {spell(p)}" for name, p in policy.items())
        return f"count as 0{'; ' + special if special else ''}"
    words = {"zero": "count as 0", "worst": "count as the metric's worst score"}
    return words.get(str(policy), f"count as {spell(policy)}")


def spell(value: Any) -> str:
    """A setting as people write it."""
    if isinstance(value, Mapping):
        return "; ".join(f"{k} {spell(v)}" for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(spell, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _versions() -> str:
    found = {"metaeval": metaeval.__version__, "Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return ", ".join(f"{name} {text}" for name, text in found.items())
