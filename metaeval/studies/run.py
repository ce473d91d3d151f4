"""Running a study: generate or train, score, analyse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

import generators
from metaeval.batch import Array
from metaeval.execution import Jobs, Kind, run
from metaeval.labels import confusion
from metaeval.measures.metric import Metric
from metaeval.measures.registry import metric
from metaeval.measures.scoring import CALLS_A_UNIT, Part, Parts, choose, is_plain, score_stack
from metaeval.stack import Stack
from metaeval.studies.analyses import MATRIX_ANALYSES, OUTPUT_ANALYSES, ScoredOutputs
from metaeval.studies.classifiers.frames import CLASSIFIER_ANALYSES
from metaeval.studies.streaming import Generated, Summary, summarise
from metaeval.studies.study import Classifiers, Matrices, Outputs, Setting, Study

Progress = Callable[[str], None]

MATRICES_A_UNIT = 1 << 15  # of outputs: a study of a hundred test cases is one unit


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


def run_study(
    study: Study, jobs: Jobs = None, progress: Progress = lambda step: None
) -> StudyResult:
    """All frames that a study asks for; the same for any number of jobs."""
    if isinstance(study.data, Classifiers):
        return _run_classifiers(study, study.data, jobs, progress)
    if isinstance(study.data, Outputs):
        progress("generating and scoring")
        data = score_outputs(study.data, _metrics(study), study.seed, jobs)
        frames = {}
        for name in study.analyses:
            progress(name)
            frames[name] = OUTPUT_ANALYSES[name](data, study, jobs)
        return StudyResult(study, frames, _some(data.scores.isna().sum().to_dict()))
    progress("generating and scoring")
    settings = summarise_settings(study, study.data, jobs)
    frames = {}
    for name in study.analyses:
        progress(name)
        frames[name] = by_setting(
            [(found.setting, MATRIX_ANALYSES[name](found, study)) for found in settings]
        )
    undefined: Counter[str] = Counter()
    for found in settings:
        undefined.update(found.undefined)
    return StudyResult(study, frames, _some(undefined))


def _run_classifiers(
    study: Study, data: Classifiers, jobs: Jobs, progress: Progress
) -> StudyResult:
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
    undefined: Counter[str] = Counter()
    for one in judged:
        undefined.update(_some(one.test_frame().isna().sum().to_dict()))
    return StudyResult(study, frames, _some(undefined), matrices)


def _metrics(study: Study) -> list[str] | None:
    """The metrics to score: those named and those of the reference, or None for all."""
    if study.metrics is None:
        return None
    return list(dict.fromkeys([*study.metrics, *study.reference]))


def _some(counts: Mapping[Any, int]) -> dict[str, int]:
    return {str(name): int(count) for name, count in counts.items() if count}


def score_outputs(
    data: Outputs, metrics: Sequence[str] | None, seed: int, jobs: Jobs = None
) -> ScoredOutputs:
    """Generate every system's outputs and score them, some test cases at a time."""
    classes = data.gold["classes"]
    gold = generators.gold(rng=np.random.SeedSequence(seed), **data.gold)
    chosen = choose(metrics, classes)
    plain = any(is_plain(scored) for scored in chosen)
    length = max(1, (CALLS_A_UNIT if plain else MATRICES_A_UNIT) // len(data.systems))
    cases = Parts(gold, length)
    size = 8 * length * len(data.systems) * (classes**2 + len(chosen))
    work = _CaseScores(data, chosen, seed)
    kind: Kind = "foreign" if plain else "python"
    found = run(work, cases, jobs, name="scoring outputs", kind=kind, size=size)
    scores = np.concatenate(list(found), axis=1)
    index = pd.MultiIndex.from_product(
        [range(1, len(gold) + 1), list(data.systems)], names=["case", "system"]
    )
    frame = pd.DataFrame(scores.T, index=index, columns=[scored.name for scored in chosen])
    return ScoredOutputs(frame, {name: family for name, (family, _) in data.systems.items()})


@dataclass(frozen=True, eq=False)
class _CaseScores:
    """Scores (metrics, cases x systems) of some test cases, wherever they are made."""

    data: Outputs
    metrics: Sequence[Metric]
    seed: int

    def __call__(self, part: Part) -> Array:
        gold = part.matrices  # rows of labels here
        classes = self.data.gold["classes"]
        shape = (len(gold), len(self.data.systems), classes, classes)
        counts = np.empty(shape, dtype=np.int64)
        for place, (family, ratio) in enumerate(self.data.systems.values()):
            labels = generators.outputs(
                family,
                gold,
                classes=classes,
                ratio=ratio,
                rng=np.random.SeedSequence(self.seed),
                placement=self.data.placement,
                start=part.start,
                **self.data.parameters.get(family, {}),
            )
            counts[:, place] = confusion(gold, labels, classes)
        return score_stack(counts, self.metrics)


def setting_matrices(
    family: str, setting: Setting, count: int, seed: int, number: int = 0, side: int = 0
) -> Stack:
    """Matrices of one setting; each setting and each side of a pair has a stream of its own."""
    return Generated(family, setting, count, seed, number).side(side)


def summarise_settings(study: Study, data: Matrices, jobs: Jobs = None) -> list[Summary]:
    """Generate and score the matrices of every setting, and keep what the analyses need."""
    count = data.pairs or data.count
    sources = [
        Generated(data.family, setting, count, study.seed, number, data.pairs > 0)
        for number, setting in enumerate(data.settings)
    ]
    metrics = [choose(_metrics(study), source.classes) for source in sources]
    reference = metric(study.reference[0]) if study.reference else None
    return summarise(sources, metrics, study.undefined, reference, jobs)


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
