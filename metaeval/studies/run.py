"""Running a study: generate or train, score, analyse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

import generators
from metaeval.labels import confusion
from metaeval.measures.scoring import choose, score
from metaeval.stack import Stack
from metaeval.studies.analyses import (
    MATRIX_ANALYSES,
    OUTPUT_ANALYSES,
    ScoredOutputs,
    ScoredSetting,
)
from metaeval.studies.classifiers.frames import CLASSIFIER_ANALYSES
from metaeval.studies.study import Classifiers, Matrices, Outputs, Setting, Study

Progress = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class StudyResult:
    """A study and its frames, one an analysis; of classifiers also their confusion matrices.

    The matrices have a name each, and are by the name of the data set.
    """

    study: Study
    frames: dict[str, pd.DataFrame]
    undefined: dict[str, int]
    matrices: dict[str, dict[str, Stack]] = field(default_factory=dict)

    def _repr_html_(self) -> str:
        from metaeval.reporting.notebook import frames_html

        return frames_html(self.frames, self.study.title)


def run_study(study: Study, jobs: int = 1, progress: Progress = lambda step: None) -> StudyResult:
    """All frames that a study asks for; the same for any number of jobs."""
    if isinstance(study.data, Classifiers):
        return _run_classifiers(study, study.data, jobs, progress)
    if isinstance(study.data, Outputs):
        progress("generating and scoring")
        data = score_outputs(study.data, _metrics(study), study.seed)
        frames = {}
        for name in study.analyses:
            progress(name)
            frames[name] = OUTPUT_ANALYSES[name](data, study, jobs)
        return StudyResult(study, frames, _undefined([data.scores]))
    progress("generating and scoring")
    settings = score_settings(study.data, _metrics(study), study.seed, jobs)
    frames = {}
    for name in study.analyses:
        progress(name)
        frames[name] = by_setting(
            [(found.setting, MATRIX_ANALYSES[name](found, study)) for found in settings]
        )
    scored = [f for found in settings for f in (found.first, found.second) if f is not None]
    return StudyResult(study, frames, _undefined(scored))


def _run_classifiers(study: Study, data: Classifiers, jobs: int, progress: Progress) -> StudyResult:
    from metaeval.studies.classifiers.fitting import fit_all
    from metaeval.studies.classifiers.selection import judge

    progress(f"training {data.size}, each once a fold and once a split")
    fitted = fit_all(data, study.seed, jobs)
    metrics = choose(_metrics(study), max(found.classes for found in fitted))
    judged = [judge(found, metrics, study.undefined) for found in fitted]
    frames = {}
    for name in study.analyses:
        progress(name)
        frames[name] = CLASSIFIER_ANALYSES[name](judged, study, jobs)
    matrices = {found.name: found.named_matrices() for found in fitted}
    return StudyResult(study, frames, _undefined([j.test_frame() for j in judged]), matrices)


def _metrics(study: Study) -> list[str] | None:
    """The metrics to score: those named and those of the reference, or None for all."""
    if study.metrics is None:
        return None
    return list(dict.fromkeys([*study.metrics, *study.reference]))


def _undefined(frames: Sequence[pd.DataFrame]) -> dict[str, int]:
    counts = sum((frame.isna().sum() for frame in frames[1:]), frames[0].isna().sum())
    return {str(name): int(count) for name, count in counts.items() if count}


def score_outputs(data: Outputs, metrics: Sequence[str] | None, seed: int) -> ScoredOutputs:
    """Generate every system's outputs and score them case by case."""
    root = np.random.SeedSequence(seed)
    classes = data.gold["classes"]
    gold = generators.gold(rng=root, **data.gold)
    counts = np.empty((len(gold), len(data.systems), classes, classes), dtype=np.int64)
    for place, (family, ratio) in enumerate(data.systems.values()):
        labels = generators.outputs(
            family,
            gold,
            classes=classes,
            ratio=ratio,
            rng=root,
            placement=data.placement,
            **data.parameters.get(family, {}),
        )
        counts[:, place] = confusion(gold, labels, classes)
    scores = score(counts, choose(metrics, classes))
    scores.index = pd.MultiIndex.from_product(
        [range(1, len(gold) + 1), list(data.systems)], names=["case", "system"]
    )
    return ScoredOutputs(scores, {name: family for name, (family, _) in data.systems.items()})


def setting_matrices(
    family: str, setting: Setting, count: int, seed: int, number: int = 0, side: int = 0
) -> Stack:
    """Matrices of one setting; each setting and each side of a pair has a stream of its own."""
    root = np.random.SeedSequence(seed, spawn_key=(number, side))
    return generators.matrices(family, count=count, rng=root, **setting.parameters)


def score_settings(
    data: Matrices, metrics: Sequence[str] | None, seed: int, jobs: int = 1
) -> list[ScoredSetting]:
    """Generate and score the matrices of every setting."""

    def work(number: int) -> ScoredSetting:
        setting = data.settings[number]
        sides = []
        for side in range(2 if data.pairs else 1):
            count = data.pairs or data.count
            stack = setting_matrices(data.family, setting, count, seed, number, side)
            sides.append(score(stack, choose(metrics, stack.shape[-1])))
        return ScoredSetting(setting, *sides)

    with ThreadPoolExecutor(jobs or None) as pool:
        return list(pool.map(work, range(len(data.settings))))


def by_setting(frames: Sequence[tuple[Setting, pd.DataFrame]]) -> pd.DataFrame:
    """Frames of several settings below each other; setting and parameters lead the index."""
    keys = list(dict.fromkeys(key for setting, _ in frames for key in setting.parameters))
    parts = []
    for setting, frame in frames:
        names = list(frame.index.names)
        flat = frame.reset_index()
        lead = {"setting": setting.name, **{k: setting.parameters.get(k) for k in keys}}
        lead = {k: str(v) if isinstance(v, (list, dict)) else v for k, v in lead.items()}
        parts.append(flat.assign(**lead)[[*lead, *flat.columns]].set_index([*lead, *names]))
    joined = pd.concat(parts)
    joined.attrs = dict(frames[0][1].attrs)
    return joined
