"""A study as data: what is generated or trained, how it is scored and analysed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from math import prod
from pathlib import Path
from typing import Any

import pandas as pd

from metaeval.analysis.scores import Undefined
from metaeval.errors import InputError, unknown
from metaeval.inputs import reading


@dataclass(frozen=True)
class Outputs:
    """Label outputs: every family at every error ratio is a system."""

    gold: Mapping[str, Any]
    families: tuple[str, ...]
    ratios: tuple[float, ...]
    placement: str = "bernoulli"
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def systems(self) -> dict[str, tuple[str, float]]:
        """Family and error ratio of each system, by the system's name."""
        return {f"{f}@{r:g}": (f, r) for f in self.families for r in self.ratios}

    @property
    def size(self) -> str:
        """How much is generated, in words."""
        return f"{len(self.systems)} systems x {self.gold['cases']} cases"


@dataclass(frozen=True)
class Setting:
    """One way to make matrices: a name, and parameters of the family."""

    name: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class Matrices:
    """Confusion matrices: `count` single ones, or `pairs` pairs, for each setting of a family."""

    family: str
    settings: tuple[Setting, ...]
    count: int = 0
    pairs: int = 0

    @property
    def size(self) -> str:
        """How much is generated, in words."""
        each = f"{self.pairs} pairs" if self.pairs else f"{self.count} matrices"
        return f"{len(self.settings)} settings x {each}"


@dataclass(frozen=True)
class Classifiers:
    """Classifiers trained on repeated splits; `grid` holds each method's parameter values."""

    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    grid: Mapping[str, Mapping[str, tuple[Any, ...]]]
    splits: int = 20
    train: float = 0.4
    folds: int = 5

    @property
    def size(self) -> str:
        """How much is trained, in words."""
        models = sum(prod(map(len, self.grid[method].values())) for method in self.methods)
        sets = f"{len(self.datasets)} data set{'s' * (len(self.datasets) > 1)}"
        return f"{sets} x {self.splits} splits x {models} models"


@dataclass(frozen=True)
class Study:
    """Everything that a study's results depend on; without `metrics`, all are meant."""

    name: str
    title: str
    data: Outputs | Matrices | Classifiers
    analyses: tuple[str, ...]
    metrics: tuple[str, ...] | None = None
    reference: tuple[str, ...] = ()
    undefined: Undefined = "zero"
    replicates: int = 1000
    level: float = 0.95
    seed: int = 0
    paper: str = ""
    source: str = ""

    def scored_with(self, metrics: Sequence[str] | None) -> Study:
        """The study with other metrics than its own, if some are given."""
        if metrics is None:
            return self
        undefined = self.undefined
        if isinstance(undefined, Mapping):
            scored = (*metrics, *self.reference)
            undefined = {name: policy for name, policy in undefined.items() if name in scored}
        return replace(self, metrics=tuple(metrics), undefined=undefined)


def presets() -> dict[str, str]:
    """The studies that come with metaeval: name to TOML."""
    folder = files(__package__).joinpath("presets")
    found = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return {
        name.removesuffix(".toml"): folder.joinpath(name).read_text(encoding="utf-8")
        for name in found
    }


def find_study(name: str) -> Study:
    """A preset by its name, or a study from a TOML file."""
    known = presets()
    if name in known:
        return parse_study(known[name], name)
    path = Path(name)
    if path.suffix.lower() != ".toml" and not path.exists():
        raise unknown("study (and there is no such .toml file)", name, known)
    with reading(path):
        content = path.read_text(encoding="utf-8-sig")
    return parse_study(content, path.stem, str(path))


def parse_study(content: str, name: str, place: str = "") -> Study:
    """A study from TOML; what is unknown or impossible is named with its line."""
    from metaeval.studies.checks import CheckError
    from metaeval.studies.locate import locate
    from metaeval.studies.schema import study_from

    place = place or f"study {name}"
    try:
        raw = tomllib.loads(content)
    except ValueError as problem:  # also a number of more digits than Python reads
        raise InputError(f"{place}: not TOML: {problem}") from None
    except RecursionError:
        raise InputError(f"{place}: nested too deeply to be a study") from None
    try:
        return study_from(raw, name, content)
    except CheckError as problem:
        lines = locate(content)
        path = problem.path
        while path and path not in lines:
            path = path[:-1]
        line = f", line {lines[path]}" if path else ""
        keys = ".".join(part for part in problem.path if isinstance(part, str))
        raise InputError(f"{place}{line}: {keys + ': ' if keys else ''}{problem}") from None


def studies() -> pd.DataFrame:
    """One row a preset: what it generates, how much of it, which analyses."""
    rows = {}
    for name, content in presets().items():
        study = parse_study(content, name)
        rows[name] = {
            "data": study.data.size,
            "metrics": str(len(study.metrics)) if study.metrics else "all",
            "analyses": ", ".join(study.analyses),
            "paper": study.paper,
            "title": study.title,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("study")
