"""Agreement of metrics on pairs of matrices, generated or given: what `metaeval agree` shows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metaeval.analysis.agreement import agreement, agreement_table
from metaeval.analysis.disagreements import disagreements
from metaeval.analysis.scores import Undefined
from metaeval.errors import InputError
from metaeval.inputs import read_matrices
from metaeval.measures.registry import metric, split_names
from metaeval.measures.scoring import Metrics, choose, score
from metaeval.stack import Stack
from metaeval.studies.run import by_setting, setting_matrices
from metaeval.studies.study import Setting
from metaeval.synthesis import parse_settings

# Simulation 2 of George et al. 2016, and matrices as small as the examples of Cardoso & Sousa 2011.
LEVELS: dict[str, Any] = {"accuracy": (0.6, 0.8), "largest": (0.5, 0.75)}
SMALL: dict[str, Any] = {"items": tuple(range(2, 11)), "classes": 3}


@dataclass(frozen=True, eq=False)
class Pairs:
    """Matrices to compare: row i of one stack with row i of the other."""

    setting: Setting
    first: Stack
    second: Stack


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
) -> list[Pairs]:
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


def generated(family: str, given: Mapping[str, Any], pairs: int, seed: int) -> list[Pairs]:
    """Pairs of matrices of a family, for every combination of its parameters' values."""
    found = []
    for number, setting in enumerate(settings_of(family, given)):
        sides = [setting_matrices(family, setting, pairs, seed, number, side) for side in (0, 1)]
        found.append(Pairs(setting, sides[0], sides[1]))
    return found


def from_files(paths: Sequence[Path]) -> list[Pairs]:
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
    return [Pairs(Setting(", ".join(map(str, paths)), {}), stacks[0], stacks[1])]


def agreement_view(
    pairs: Sequence[Pairs],
    metrics: Metrics = None,
    reference: str | None = None,
    *,
    long: bool = False,
    undefined: str = "zero",
    jobs: int = 1,
) -> tuple[pd.DataFrame, str]:
    """Agreement by setting: metric x metric, or with intervals, or with a reference metric."""
    treated = policy(undefined)
    lost: list[int] = []

    def work(part: Pairs) -> tuple[Setting, pd.DataFrame]:
        chosen = choose(metrics, part.first.shape[-1])
        if reference is not None and metric(reference) not in chosen:
            chosen.append(metric(reference))
        scores = [score(stack, chosen) for stack in (part.first, part.second)]
        lost.append(sum(int(frame.isna().to_numpy().sum()) for frame in scores))
        if reference is None and not long:
            return part.setting, agreement(scores[0], scores[1], undefined=treated)
        name = None if reference is None else next(m.name for m in chosen if m == metric(reference))
        return part.setting, agreement_table(scores[0], scores[1], name, undefined=treated)

    with ThreadPoolExecutor(jobs or None) as pool:
        frames = list(pool.map(work, pairs))
    frame = frames[0][1] if len(frames) == 1 else _without_constants(by_setting(frames))
    number = min(len(part.first) for part in pairs)
    # The widest interval of a share is that of one half.
    half = 1.96 * 0.5 / math.sqrt(number)
    words = f"Share of {number} pairs judged alike, 95 % intervals within {half:.3f}"
    return frame, f"{words}; {sum(lost)} undefined scores, policy: {undefined}"


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
        by_classes.setdefault(part.first.shape[-1], []).append(part)
    found = []
    for parts in by_classes.values():
        sides = [np.concatenate([getattr(p, side) for p in parts]) for side in ("first", "second")]
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
