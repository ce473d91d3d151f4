"""From a study or a user's systems to the evidence, step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from metaeval.errors import InputError
from metaeval.execution import Jobs
from metaeval.measures.registry import metric
from metaeval.measures.scoring import choose, score
from metaeval.reporting.behaviour import decline, shown, single, tridiagonal
from metaeval.reporting.evidence import Evidence, Settings
from metaeval.reporting.given import Given
from metaeval.studies.study import Classifiers, Matrices, Outputs, Study

# Told before every step: its name, and how much is done of how much.
Progress = Callable[[str, float, float], None]

FEWEST_SYSTEMS = 3  # two systems make one pair, on which nearly every metric is right
PAIRS = 20_000  # of outputs, for the share of pairs that two metrics judge alike
METRICS_A_STEP = 8
# Resamples with a family left out: enough for intervals, and as many coverages each as families.
LEFT_OUT_REPLICATES = 200


@dataclass(eq=False)
class Work:
    """Steps with their rough share of the time, and what they have found."""

    found: dict[str, Any] = field(default_factory=dict)
    steps: list[tuple[str, float, Callable[[], None]]] = field(default_factory=list)

    def add(self, label: str, cost: float, name: str, make: Callable[[], Any]) -> None:
        """A step that finds one thing."""
        self.steps.append((label, cost, lambda: self.found.update({name: make()})))

    def run(self, progress: Progress, rest: float) -> None:
        """Do all steps; `rest` is what comes after them."""
        total = sum(cost for _, cost, _ in self.steps) + rest
        done = 0.0
        for label, cost, step in self.steps:
            progress(label, done, total)
            step()
            done += cost
        progress("drawing the page", done, total)


def gather_study(
    study: Study,
    jobs: Jobs = None,
    given: Given | None = None,
    progress: Progress = lambda *_: None,
) -> Evidence:
    """Run a study with everything that a report shows, whatever analyses the study names."""
    from metaeval.studies.run import score_outputs

    data = study.data
    if isinstance(data, Classifiers):
        raise InputError(
            f"a report shows generated data or a file; {study.name} trains classifiers: "
            f"metaeval study {study.name} --out FOLDER prints and stores its tables"
        )
    if isinstance(data, Matrices):
        return _gather_matrices(study, data, jobs, given, progress)
    chosen = _names(study.metrics, study.reference, int(data.gold["classes"]))
    settings = _settings(study, chosen, jobs)
    scored = score_outputs(data, chosen, study.seed, jobs)
    work = Work()
    _analyse(work, scored.scores, settings, scored.families)
    _check(work, chosen, settings)
    work.run(progress, rest=5)
    return Evidence(
        title=study.title,
        source=_words(data),
        parameters=_parameters(study),
        settings=settings,
        metrics=_about(chosen),
        scores=scored.scores,
        decline=decline(scored.scores, data.systems),
        given=given,
        asked=_asked(study.metrics),
        **_finish(work.found, chosen),
    )


def gather_given(
    given: Given,
    metrics: Sequence[str] | None = None,
    settings: Settings | None = None,
    progress: Progress = lambda *_: None,
) -> Evidence:
    """Judge metrics on the systems that a user brings."""
    settings = settings or Settings()
    chosen = _names(metrics, settings.reference, len(given.classes))
    scores = score(given.counts, choose(chosen), settings.jobs)
    scores.index = given.index
    work = Work()
    if len(given.systems) >= FEWEST_SYSTEMS:
        _analyse(work, scores, settings, None)
    _check(work, chosen, settings)
    work.run(progress, rest=5)
    return Evidence(
        title=given.name,
        source=given.words,
        parameters={
            "file": given.name,
            "systems": len(given.systems),
            "cases": len(given.cases),
            "classes": ", ".join(map(str, given.classes)),
        },
        settings=settings,
        metrics=_about(chosen),
        scores=scores,
        given=given,
        asked=_asked(metrics),
        **_finish(work.found, chosen),
    )


def _gather_matrices(
    study: Study, data: Matrices, jobs: Jobs, given: Given | None, progress: Progress
) -> Evidence:
    from metaeval.studies.run import run_study

    chosen = _names(study.metrics, study.reference, None)
    settings = _settings(study, chosen, jobs)
    work = Work()
    work.add("generating and scoring", 5, "frames", lambda: run_study(study, jobs).frames)
    _check(work, chosen, settings)
    work.run(progress, rest=5)
    return Evidence(
        title=study.title,
        source=f"{data.size} of the family {data.family}",
        parameters=_parameters(study),
        settings=settings,
        metrics=_about(chosen),
        given=given,
        asked=_asked(study.metrics),
        **_finish(work.found, chosen),
    )


def _names(
    metrics: Sequence[str] | None, reference: Sequence[str], classes: int | None
) -> list[str]:
    """Full names: all that can score so many classes, or the given ones and the reference."""
    wanted = None if metrics is None else list(dict.fromkeys([*metrics, *reference]))
    return list(dict.fromkeys(m.name for m in choose(wanted, classes)))


def _asked(metrics: Sequence[str] | None) -> list[str]:
    return [m.name for m in choose(list(metrics))] if metrics else []


def _settings(study: Study, chosen: Sequence[str], jobs: Jobs) -> Settings:
    undefined = study.undefined
    if isinstance(undefined, Mapping):
        undefined = {name: policy for name, policy in undefined.items() if name in chosen}
    found = Settings(study.reference, undefined, study.replicates, study.level, study.seed, jobs)
    return found if study.reference else replace(found, reference=Settings().reference)


def _analyse(
    work: Work, scores: pd.DataFrame, settings: Settings, families: Mapping[Any, str] | None
) -> None:
    from metaeval.analysis.coverage import coverage
    from metaeval.analysis.discrimination import discriminative_power
    from metaeval.analysis.rank_correlation import metric_clusters
    from metaeval.analysis.robustness import robustness
    from metaeval.analysis.split_half import split_half

    options, reference = settings.uncertainty, settings.reference
    work.add("coverage", 3, "coverage", lambda: coverage(scores, reference, **options))
    if families is not None and len(set(families.values())) > 1:
        work.add(
            "coverage with one family left out at a time",
            2,
            "left_out",
            lambda: _left_out(scores, families, settings),
        )
    if scores.index.get_level_values(0).nunique() > 1:
        work.add("robustness", 6, "robustness", lambda: robustness(scores, **options))
        work.add(
            "discriminative power", 0.5, "power", lambda: discriminative_power(scores, **options)
        )
        work.add("split-half", 2, "consistency", lambda: split_half(scores, **options))
    if scores.shape[1] > 1:
        policy = settings.undefined
        work.add("clusters", 0.2, "clusters", lambda: metric_clusters(scores, undefined=policy))
        work.add("agreement", 0.8, "pairs", lambda: _pairs(scores, settings))


def _left_out(
    scores: pd.DataFrame, families: Mapping[Any, str], settings: Settings
) -> pd.DataFrame:
    """Coverage by family that is left out and metric, with intervals over test cases."""
    from metaeval.analysis.coverage import coverage_by_family

    options = {**settings.uncertainty, "replicates": min(settings.replicates, LEFT_OUT_REPLICATES)}
    found = coverage_by_family(scores, families, settings.reference, systems=False, **options)
    limits = [name for name in ("low", "high") if name in found]
    return pd.DataFrame(found.drop(index="", level="left_out")[["coverage", *limits]])


def _pairs(scores: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """tau-b between any two metrics' rankings, and how often they prefer the same output."""
    from metaeval.analysis.agreement import agreement_table
    from metaeval.analysis.rank_correlation import rank_correlation

    frame = rank_correlation(scores, undefined=settings.undefined, replicates=0)
    systems = scores.index.get_level_values(1).nunique()
    cases = len(scores) // systems
    first, second = np.triu_indices(systems, 1)
    every = len(first) * cases
    rng = np.random.default_rng(settings.seed)
    picked = np.arange(every) if every <= PAIRS else np.sort(rng.choice(every, PAIRS, False))
    case, pair = picked // len(first), picked % len(first)
    one, other = (scores.iloc[case * systems + side[pair]] for side in (first, second))
    alike = agreement_table(one, other, undefined=settings.undefined, level=settings.level)
    return frame.join(alike[["agreement", "low", "high", "pairs"]])


def _check(work: Work, chosen: Sequence[str], settings: Settings) -> None:
    """The properties, some metrics at a time so that progress can be told."""
    from metaeval.properties.checking import check_all

    for start in range(0, len(chosen), METRICS_A_STEP):
        part = list(chosen[start : start + METRICS_A_STEP])

        def step(part: list[str] = part) -> None:
            found = check_all(part, jobs=settings.jobs, seed=settings.seed)
            before = work.found.get("properties")
            work.found["properties"] = found if before is None else before + found

        work.steps.append(("properties of all small matrices", 0.3 * len(part), step))


def _finish(found: Mapping[str, Any], chosen: Sequence[str]) -> dict[str, Any]:
    curves = shown(chosen)
    # Too few systems or cases can leave a quality without a value for any metric; then there is
    # nothing to rank by it.
    ground = {
        name: value
        for name, value in found.items()
        if not (isinstance(value, pd.DataFrame) and name in value and value[name].isna().all())
    }
    return {**ground, "tridiagonal": tridiagonal(curves), "single": single(curves)}


def _about(chosen: Sequence[str]) -> pd.DataFrame:
    rows = {}
    for name in chosen:
        definition = metric(name).definition
        rows[name] = {
            "key": definition.key,
            "family": definition.family,
            "meaning": definition.meaning,
            "greater_is_better": definition.greater_is_better,
            "premises": "; ".join(premise.name for premise in definition.premises),
            "paper": f"{definition.paper} {definition.year or ''}".strip(),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("metric")


def _words(data: Outputs) -> str:
    gold = data.gold
    return (
        f"{len(data.systems)} synthetic systems ({len(data.families)} kinds of errors at "
        f"{len(data.ratios)} error ratios) on {gold['cases']} test cases of {gold['items']} items "
        f"in {gold['classes']} classes"
    )


def _parameters(study: Study) -> dict[str, Any]:
    from dataclasses import asdict

    found = asdict(study)
    for key in ("source", "title", "analyses", "metrics", "reference", "undefined", "replicates"):
        found.pop(key, None)
    found.pop("level")
    found.pop("seed")
    data = found.pop("data")
    return {"study": found.pop("name"), **{k: v for k, v in found.items() if v}, **data}
