"""Agreement of metrics on pairs of matrices, generated or given: what `metaeval agree` shows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metaeval.analysis.disagreements import disagreements
from metaeval.analysis.scores import Undefined
from metaeval.errors import InputError
from metaeval.execution import Jobs
from metaeval.inputs import read_matrices
from metaeval.measures.registry import metric, split_names
from metaeval.measures.scoring import Metrics, choose
from metaeval.studies.run import by_setting
from metaeval.studies.streaming import Generated, Given, summarise
from metaeval.studies.study import Setting
from metaeval.synthesis import parse_settings

# Simulation 2 of George et al. 2016, and matrices as small as the examples of Cardoso & Sousa 2011.
LEVELS: dict[str, Any] = {"accuracy": (0.6, 0.8), "largest": (0.5, 0.75)}
SMALL: dict[str, Any] = {"items": tuple(range(2, 11)), "classes": 3}


Pairs = Generated | Given


def settings_of(family: str, given: Mapping[str, Any]) -> list[Setting]:
    """Every combination of the parameters' values; a tuple, or a text with commas, is several."""
    values = dict(given)
    if family == "fixed_accuracy":
        classes = values.get("classes", 4)
        balanced = (1 / classes,) if isinstance(classes, int) and classes > 1 else ()
        values = {**LEVELS, "largest": (*balanced, *LEVELS["largest"]), **values}
    lists = [_values(value) for value in values.values()]
    return [Setting(family, dict(zip(values, chosen, strict=True))) for chosen in product(*lists)]


def _values(value: Any) -> Sequence[Any]:
    if isinstance(value, tuple):
        return value
    if isinstance(value, str) and "," in value:
        return [part.strip() for part in value.split(",")]
    return [value]


def find_pairs(
    files: Sequence[Path] | None,
    family: str | None,
    settings: Sequence[str],
    pairs: int,
    seed: int,
    small: bool = False,
) -> Sequence[Pairs]:
    """The pairs that the command line means: from files, or of a family; small for reading."""
    if files:
        if family is not None or settings:
            raise InputError("--family and --set are for generated matrices; files are given")
        return from_files(files)
    given = parse_settings(settings)
    if family is None:
        family = "dispersed" if small else "fixed_accuracy"
        given = {**SMALL, **given} if small else given
    return generated(family, given, pairs, seed)


def generated(family: str, given: Mapping[str, Any], pairs: int, seed: int) -> Sequence[Pairs]:
    """Pairs of matrices of a family, for every combination of its parameters' values."""
    settings = enumerate(settings_of(family, given))
    return [Generated(family, setting, pairs, seed, number, True) for number, setting in settings]


def from_files(paths: Sequence[Path]) -> Sequence[Pairs]:
    """Row i of one file with row i of another, or the first matrix of one file with its second."""
    if len(paths) > 2:
        raise InputError(f"pairs come from one file or two; got {len(paths)}")
    stacks = [read_matrices(path).matrices for path in paths]
    if len(stacks) == 1:
        if len(stacks[0]) % 2:
            raise InputError(
                f"{paths[0]}: {len(stacks[0])} matrices are no pairs; the first is compared with "
                "the second, the third with the fourth"
            )
        stacks = [stacks[0][0::2], stacks[0][1::2]]
    if stacks[0].shape != stacks[1].shape:
        shapes = " and ".join(f"{len(s)} of {s.shape[-1]} classes" for s in stacks)
        raise InputError(f"{paths[0]} and {paths[-1]}: {shapes}; matrices are compared one by one")
    return [Given(Setting(", ".join(map(str, paths)), {}), stacks[0], stacks[1])]


def agreement_view(
    pairs: Sequence[Pairs],
    metrics: Metrics = None,
    reference: str | None = None,
    *,
    long: bool = False,
    undefined: str = "zero",
    jobs: Jobs = None,
) -> tuple[pd.DataFrame, str]:
    """Agreement by setting: metric x metric, or with intervals, or with a reference metric."""
    wanted = None if reference is None else metric(reference)
    chosen = [choose(metrics, source.classes) for source in pairs]
    for group in chosen:
        if wanted is not None and wanted not in group:
            group.append(wanted)
    found = summarise(pairs, chosen, policy(undefined), wanted, jobs)
    frames = []
    for part in found:
        if part.reference is not None:
            frame = part.counted.with_reference(part.reference)
        else:
            frame = part.counted.pairs() if long else part.counted.shares()
        frames.append((part.setting, frame))
    frame = frames[0][1] if len(frames) == 1 else _without_constants(by_setting(frames))
    number = min(part.count for part in pairs)
    # The widest interval of a share is that of one half.
    half = 1.96 * 0.5 / math.sqrt(number)
    words = f"Share of {number} pairs judged alike, 95 % intervals within {half:.3f}"
    lost = sum(sum(part.undefined.values()) for part in found)
    return frame, f"{words}; {lost} undefined scores, policy: {undefined}"


def _without_constants(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame without the leading index levels that are the same in every row."""
    levels = [str(n) for n in frame.index.names if n not in ("metric", "other")]
    same = [n for n in levels if frame.index.get_level_values(n).nunique(dropna=False) == 1]
    return frame.reset_index(same, drop=True) if same else frame


def disagreement_view(pairs: Sequence[Pairs], between: str, top: int) -> tuple[pd.DataFrame, str]:
    """The strongest contradictions of two metrics, smallest first, over all settings."""
    names = split_names(between)
    if len(names) != 2:
        raise InputError(f"--between takes two metrics, as in mae,oc; got {between!r}")
    first, second = (metric(name) for name in names)
    by_classes: dict[int, list[Pairs]] = {}
    for part in pairs:
        by_classes.setdefault(part.classes, []).append(part)
    found = []
    for parts in by_classes.values():
        both = [part.sides() for part in parts]
        sides = [np.concatenate(stacks) for stacks in zip(*both, strict=True)]
        found.append(disagreements(sides[0], sides[1], first, second, top))
    frame = pd.concat(found).sort_values(["items", "strength"], ascending=[True, False])
    title = f"{first.name} prefers the matrix 'better', {second.name} the matrix 'worse'"
    if frame.empty:
        title = f"{first.name} and {second.name} never contradict each other on these pairs"
    return frame.head(top).reset_index(drop=True), title


def policy(text: str) -> Undefined:
    """What undefined scores count as, from an option: a number or a word."""
    try:
        return float(text)
    except ValueError:
        return text
