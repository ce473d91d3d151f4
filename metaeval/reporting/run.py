"""What `metaeval report` does: evidence from a study or a file, the page, the files beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from metaeval.errors import InputError
from metaeval.execution import Jobs
from metaeval.reporting.evidence import Evidence, Settings
from metaeval.reporting.export import beside, export
from metaeval.reporting.gather import FEWEST_SYSTEMS, Progress, gather_given, gather_study
from metaeval.reporting.given import Given, read_given
from metaeval.reporting.report import Report, build
from metaeval.reporting.writing import is_report
from metaeval.studies.study import Outputs, Study, find_study

DEFAULT = "paper-002-synthetic"
FOLDER = Path("reports")


def run(
    study: str | None = None,
    data: Path | None = None,
    metrics: Sequence[str] | None = None,
    out: Path | None = None,
    formats: Sequence[str] = (),
    seed: int | None = None,
    jobs: Jobs = None,
    classes: str | None = None,
    gold: str = "gold",
    case: str = "case",
    force: bool = False,
    command: Sequence[str] = ("metaeval", "report"),
    progress: Progress = lambda *_: None,
) -> tuple[Report, list[Path]]:
    """Make a report; returns it with the files that were written."""
    path = _place(study, data, out)
    # An earlier report and its tables are replaced without asking. All else is said before the
    # work, not after it.
    force = force or is_report(path)
    for target in (path, *(beside(path, format) for format in formats)):
        if target.exists() and not force:
            raise InputError(f"{target}: exists already and is no report; --force overwrites it")
    given = None
    if data is not None:
        given = read_given(data, classes, gold, case, seed or 0)
    evidence = _evidence(study, given, metrics, seed, jobs, progress)
    report = build(evidence, command)
    report.write(path, force)
    return report, [path, *(export(report.frames, path, f, force) for f in formats)]


def _place(study: str | None, data: Path | None, out: Path | None) -> Path:
    if out is not None:
        return out
    name = Path(study).stem if study else data.stem if data else DEFAULT
    return FOLDER / f"{name}.html"


def _evidence(
    study: str | None,
    given: Given | None,
    metrics: Sequence[str] | None,
    seed: int | None,
    jobs: Jobs,
    progress: Progress,
) -> Evidence:
    enough = given is not None and len(given.systems) >= FEWEST_SYSTEMS
    if given is not None and study is None and enough:
        return gather_given(given, metrics, Settings(seed=seed or 0, jobs=jobs), progress)
    chosen = _chosen(find_study(study or DEFAULT), study, metrics, seed)
    evidence = gather_study(chosen, jobs, given, progress)
    if given is None or study is not None:
        return evidence
    few = f"{len(given.systems)} system{'s' * (len(given.systems) > 1)}"
    note = (
        f"{few} of `{given.name}` cannot tell metrics apart, so the metrics were judged on the "
        f"study `{chosen.name}` instead."
    )
    return replace(evidence, notes=[note])


def _chosen(
    study: Study, named: str | None, metrics: Sequence[str] | None, seed: int | None
) -> Study:
    """The study with the metrics and the seed that were asked for; by default all metrics."""
    if metrics:
        study = study.scored_with(metrics)
    elif named is None and isinstance(study.data, Outputs):
        study = replace(study, metrics=None)
    return study if seed is None else replace(study, seed=seed)
