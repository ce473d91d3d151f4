"""Checking metrics: every property, first exhaustively, then at random beyond."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from numbers import Integral, Real
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metaeval.errors import InputError
from metaeval.execution import Execution, Jobs, run, settle
from metaeval.measures.metric import Metric
from metaeval.measures.registry import definitions
from metaeval.measures.registry import metric as registered_metric
from metaeval.properties import catalogue
from metaeval.properties.base import Property
from metaeval.properties.effort import bounds_for, effort
from metaeval.properties.findings import Finding, conclude, not_applicable
from metaeval.properties.report import PropertyReport
from metaeval.properties.resolve import Checkable, resolve
from metaeval.properties.sampling import sample
from metaeval.properties.search import Tally, search
from metaeval.properties.storing import pack, unpack
from metaeval.properties.tables import Scorer

Names = str | Sequence[str] | None


def check(
    metric: Checkable,
    properties: Names = None,
    max_items: int | None = None,
    max_classes: int | None = None,
    seed: int = 0,
    budget: float | None = None,
    jobs: Jobs = None,
    takes: str | None = None,
    lower_is_better: bool | None = None,
    arguments: Mapping[str, Any] | None = None,
    time_limit: float | None = None,
    samples: int | None = None,
) -> PropertyReport:
    """Check a metric's formal properties on all small matrices, then on random larger ones.

    `metric` is a registered name, a `Metric`, a function f(y_true, y_pred) of class indices or
    f(matrix), or the name of one, "package.module:function" or "path/file.py:function";
    `arguments` are passed to it by keyword. Functions are called in `jobs` worker processes, each
    call for at most `time_limit` seconds.

    All matrices with at most `max_items` items and `max_classes` classes are searched, smallest
    first. With a `budget` of seconds the number of items grows until the time is used up (each
    property gets its share of what is left). Then `samples` random objects of up to 500 items and
    11 classes are tried; a violation among them is shrunk.
    """
    jobs = jobs.jobs if isinstance(jobs, Execution) else jobs
    chosen = catalogue.choose(properties if properties is None else _names(properties))
    for name, value, least in (
        ("max_items", max_items, 1),
        ("max_classes", max_classes, 2),
        ("samples", samples, 0),
        ("seed", seed, 0),
        ("jobs", jobs, 0),
    ):
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if value is not None and not (whole and value >= least):
            raise InputError(f"{name} must be a whole number of at least {least}; got {value!r}")
    if budget is not None and not (isinstance(budget, Real) and budget > 0):
        raise InputError(f"budget must be a positive number of seconds; got {budget!r}")
    subject = resolve(
        metric,
        takes=takes,
        lower_is_better=lower_is_better,
        arguments=arguments,
        jobs=jobs,
        time_limit=time_limit,
    )
    with closing(subject):
        scorer = Scorer(subject)
        end = None if budget is None else monotonic() + budget
        findings = []
        for done, property in enumerate(chosen):
            deadline = None
            if end is not None:
                deadline = monotonic() + max(0.0, end - monotonic()) / (len(chosen) - done)
            findings.append(
                _examine(property, scorer, max_items, max_classes, seed, deadline, samples)
            )
    return PropertyReport(tuple(findings))


def _examine(
    property: Property,
    scorer: Scorer,
    max_items: int | None,
    max_classes: int | None,
    seed: int,
    deadline: float | None,
    samples: int | None,
) -> Finding:
    subject = scorer.subject
    reason = property.applies(subject)
    if reason is not None:
        return not_applicable(property, subject, reason)
    bounds = bounds_for(property, subject, max_items, max_classes)
    if bounds.classes < property.fewest_classes:
        needed = property.fewest_classes + property.added_classes
        reason = f"it needs {needed} classes and the search is limited to fewer"
        return not_applicable(property, subject, reason)
    endless = deadline is not None and max_items is None
    searched, sampled = search(property, scorer, bounds, deadline, endless), Tally()
    spend = effort(subject)
    number = spend.samples if samples is None else samples
    if searched.violation is None and property.sampled and number:
        sampled = sample(property, scorer, bounds, spend, seed, number)
    default = max_items is None and max_classes is None and not endless
    note = spend.words if default and bounds != property.bounds else ""
    finding = conclude(property, subject, bounds, searched, sampled, note)
    if property.ordered and finding.outcome == "violated" and (hint := subject.hint()):
        return replace(finding, note=hint)
    return finding


def check_all(
    metrics: Sequence[Checkable] | None = None,
    properties: Names = None,
    jobs: Jobs = None,
    **options: Any,
) -> PropertyReport:
    """Check several metrics, all registered ones if none is given: the atlas.

    Registered metrics are spread over `jobs` processes; a plain function has its own workers.
    """
    wanted = list(definitions()) if metrics is None else list(metrics)
    subjects = [_looked_up(metric) for metric in wanted]
    apart = [isinstance(m, Metric) and m.definition.builtin for m in subjects]
    how = settle(jobs)
    options |= {"properties": properties}
    found: dict[int, tuple[Finding, ...]] = {}
    for own in (True, False):
        places = [place for place, builtin in enumerate(apart) if builtin is own]
        chosen = [subjects[place] for place in places]
        if own:
            units: list[Any] = [m.name for m in chosen if isinstance(m, Metric)]
            work, then = partial(_findings, **options), how
        else:
            units = chosen
            work = partial(_findings, jobs=how.jobs, **options)
            then = replace(how, backend="serial", scheduler=None)
        done = run(work, units, then, name="checking properties", kind="python")
        found |= dict(zip(places, map(unpack, done), strict=True))
    return PropertyReport(tuple(f for place in sorted(found) for f in found[place]))


def _findings(metric: Checkable, **options: Any) -> NDArray[np.uint8]:
    return pack(check(metric, **options).findings)


def _looked_up(metric: Checkable) -> Checkable:
    """A registered metric by its name; everything else as it is."""
    if isinstance(metric, str) and ":" not in metric:
        return registered_metric(metric)
    return metric


def _names(properties: str | Sequence[str]) -> list[str]:
    return [properties] if isinstance(properties, str) else list(properties)
