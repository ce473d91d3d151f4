"""From whatever a user calls a metric to the subject of a check."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from metaeval.errors import InputError
from metaeval.measures.metric import Metric
from metaeval.measures.registry import metric as registered_metric
from metaeval.measures.registry import registered
from metaeval.properties.loading import describe, load, recognise
from metaeval.properties.subject import Code, Subject, Takes, VectorSubject, metric_code

# A registered key, a Metric, a function, "package.module:function" or "path/file.py:function".
Checkable = str | Metric | Callable[..., Any]


def resolve(
    metric: Checkable,
    *,
    takes: str | None = None,
    lower_is_better: bool | None = None,
    arguments: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    time_limit: float | None = None,
) -> Subject:
    """The metric as a subject, ready to be scored."""
    if takes is not None and takes not in get_args(Takes):
        raise InputError(f"takes must be 'labels' or 'matrix'; got {takes!r}")
    greater = None if lower_is_better is None else not lower_is_better
    options: dict[str, Any] = {"jobs": jobs}
    if time_limit is not None:
        if not time_limit > 0:
            raise InputError(f"the time limit must be a positive number; got {time_limit!r}")
        options["time_limit"] = time_limit
    stated = dict(arguments or {})
    if isinstance(metric, Metric) or (isinstance(metric, str) and ":" not in metric):
        _refuse_takes(takes)
        return _registered(registered_metric(metric, **stated), greater, options)
    if isinstance(metric, str):
        loaded = load(metric)
        if (definition := registered(loaded.function)) is not None:
            # Its file registers it, so that what it says about itself counts.
            _refuse_takes(takes)
            own = registered_metric(definition.key, **stated)
            return _registered(own, greater, options, loaded.run)
    elif callable(metric):
        loaded = describe(metric)
    else:
        raise InputError(f"a metric is a name, a Metric or a function; got {metric!r}")
    function, name = loaded.function, loaded.name
    from metaeval.properties.callables import CallableSubject

    spelled = ", ".join(f"{key}={value!r}" for key, value in stated.items())
    kind: Takes = takes or recognise(function, name, stated)  # type: ignore[assignment]
    given = ", ".join(part for part in ("{input}", spelled) if part)
    return CallableSubject(
        function,
        f"{name}({spelled})" if spelled else name,
        kind,
        greater_is_better=greater,
        arguments=stated,
        code=Code("import numpy as np", loaded.setup, f"{loaded.called}({given})", kind),
        **options,
    )


def _refuse_takes(takes: str | None) -> None:
    if takes is not None:
        raise InputError("takes is for functions; a registered metric has stated it already")


def _registered(
    metric: Metric, greater: bool | None, options: dict[str, Any], run: str = ""
) -> Subject:
    definition = metric.definition
    code = metric_code(metric, run)
    if definition.takes in ("batch", "stack"):
        return VectorSubject(metric, greater, code)
    from metaeval.properties.callables import CallableSubject

    return CallableSubject(
        definition.function,
        metric.name,
        definition.takes,  # type: ignore[arg-type]
        greater_is_better=metric.greater_is_better if greater is None else greater,
        arguments=metric.parameters,
        code=code,
        registered=metric,
        **options,
    )
