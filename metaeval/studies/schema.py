"""From a TOML table to a study: which keys there are, and which values are possible.

A study has ``title``, ``analyses`` and one of outputs, matrices and classifiers; the other keys
are optional.

Outputs: ``families`` and ``ratios`` (every family at every error ratio is a system), ``[gold]``
with cases, items, classes, mean and sd, ``placement``, ``[parameters.FAMILY]``.

Matrices: ``[matrices]`` with ``family`` and either ``pairs`` (pairs of matrices a setting) or
``count`` (matrices a setting), and any number of ``[[setting]]``: a ``name``, parameters of the
family, and ``vary``, a table of parameters with lists of values, of which all combinations are
settings.

Classifiers: ``[classifiers]`` with ``datasets``, ``methods``, ``splits``, ``train`` (the share of
a split that is trained on), ``folds``, and ``[grid.METHOD]`` with other parameter values to choose
from than the method's own; the word "none" stands for no value.

All: ``metrics`` (without it, all), ``reference`` (metrics of UIR; for matrices the one metric
to agree with), ``undefined``, ``replicates``, ``level``, ``seed``, ``paper``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

import generators
from metaeval.analysis.scores import POLICIES, Undefined
from metaeval.analysis.unanimity import REFERENCE
from metaeval.errors import unknown
from metaeval.studies.analyses import MATRIX_ANALYSES, OUTPUT_ANALYSES
from metaeval.studies.checks import (
    Check,
    CheckError,
    anything,
    choice,
    either,
    inside,
    mapping,
    metric_name,
    number,
    several,
    table,
    text,
    whole,
)
from metaeval.studies.classifiers.datasets import DATASETS
from metaeval.studies.classifiers.frames import CLASSIFIER_ANALYSES
from metaeval.studies.classifiers.methods import METHODS
from metaeval.studies.locate import Path
from metaeval.studies.study import Classifiers, Matrices, Outputs, Setting, Study

_LARGE = 1e300
_FEW = 1000
_SEED = np.random.SeedSequence(0)
# What belongs to one kind of data only.
_KEYS = {
    "outputs": ("gold", "families", "ratios", "placement", "parameters"),
    "matrices": ("matrices", "setting"),
    "classifiers": ("classifiers", "grid"),
}
_GOLD = {"cases": 100, "items": 200, "classes": 11, "mean": 3, "sd": (1, 3)}


def study_from(raw: dict[str, Any], name: str, source: str) -> Study:
    """The study that a TOML table describes; raises a CheckError."""
    given = _check_keys(raw)
    data: Outputs | Matrices | Classifiers
    kind = next((key for key in ("matrices", "classifiers") if key in given), "outputs")
    _reject_keys_of_others(given, kind)
    if kind == "matrices":
        data = _matrices(given.pop("matrices"), given.pop("setting", ({},)))
        known = list(MATRIX_ANALYSES)
    elif kind == "classifiers":
        data = _classifiers(given.pop("classifiers"), given.pop("grid", {}))
        known = list(CLASSIFIER_ANALYSES)
    else:
        data = _outputs({key: given.pop(key) for key in _KEYS["outputs"] if key in given})
        known = list(OUTPUT_ANALYSES)
    for place, analysis in enumerate(given["analyses"]):
        if analysis not in known:
            problem = unknown("analysis for this kind of data", analysis, known)
            raise CheckError(problem, "analyses", place)
        if isinstance(data, Matrices) and not data.pairs and analysis != "values":
            raise CheckError(f"{analysis!r} needs pairs, not count", "analyses", place)
    given["reference"] = _reference(given, kind != "matrices")
    scored = (*given.get("metrics", ()), *given["reference"])
    for metric in given["undefined"] if isinstance(given.get("undefined"), dict) else ():
        if "metrics" in given and metric not in scored:
            raise CheckError(unknown("metric of this study", metric, scored), "undefined", metric)
    return Study(name=name, data=data, source=source, **given)


def _reject_keys_of_others(given: Mapping[str, Any], kind: str) -> None:
    here = f"this one has [{kind}]" if kind in given else "this one has outputs"
    for other, keys in _KEYS.items():
        for key in keys if other != kind else ():
            if key in given:
                raise CheckError(f"belongs to a study of {other}, but {here}", key)


def _check_keys(raw: dict[str, Any]) -> dict[str, Any]:
    gold: dict[str, Check] = {
        "cases": whole(1),
        "items": whole(1),
        "classes": whole(2),
        "mean": number(-_LARGE, _LARGE),
        "sd": either(several(number(0, _LARGE), distinct=False), number(0, _LARGE)),
    }
    matrices = {"family": _family("matrices"), "pairs": whole(1), "count": whole(1)}
    classifiers = {
        "datasets": several(choice("data set", DATASETS)),
        "methods": several(choice("method", METHODS)),
        "splits": whole(1),
        "train": number(0.01, 0.99),
        "folds": whole(2),
    }
    analyses = dict.fromkeys((*OUTPUT_ANALYSES, *MATRIX_ANALYSES, *CLASSIFIER_ANALYSES))
    fields: dict[str, Check] = {
        "title": text,
        "paper": text,
        "seed": whole(0),
        "metrics": several(metric_name),
        "reference": several(metric_name),
        "analyses": several(choice("analysis", analyses)),
        "undefined": _undefined,
        "replicates": whole(0),
        "level": number(0.5, 0.9999),
        "gold": table(gold),
        "families": several(_family("outputs")),
        "ratios": several(number(0, 1)),
        "placement": choice("placement", ("bernoulli", "exact")),
        "parameters": mapping(mapping(anything)),
        "matrices": table(matrices, required=["family"]),
        "setting": several(_setting, distinct=False),
        "classifiers": table(classifiers, required=["datasets", "methods"]),
        "grid": mapping(mapping(several(anything))),
    }
    found: dict[str, Any] = table(fields, required=["title", "analyses"])(raw)
    return found


def _family(kind: str) -> Check:
    names = [family.name for family in generators.families() if family.kind == kind]
    return choice(f"family of {kind}", names)


def _undefined(value: Any) -> Undefined:
    one = either(number(-_LARGE, _LARGE), choice("policy for undefined scores", POLICIES))
    if not isinstance(value, dict):
        found: Undefined = one(value)
        return found
    return {inside(key, metric_name, key): inside(key, one, value[key]) for key in value}


def _reference(given: Mapping[str, Any], outputs: bool) -> tuple[str, ...]:
    if outputs:
        return tuple(given.get("reference", REFERENCE))
    reference = tuple(given.get("reference", ()))
    if len(reference) > 1:
        raise CheckError("pairs of matrices are compared with one reference metric", "reference")
    if not reference and "agreement-with-reference" in given["analyses"]:
        raise CheckError("the analysis 'agreement-with-reference' needs the key 'reference'")
    return reference


def _outputs(given: dict[str, Any]) -> Outputs:
    for key in ("families", "ratios"):
        if key not in given:
            raise CheckError(f"the key {key!r} is missing; a study without [matrices] needs it")
    given["gold"] = {**_GOLD, **given.get("gold", {})}
    if np.ndim(given["gold"]["sd"]) and len(given["gold"]["sd"]) != 2:
        raise CheckError(
            "expected a number, or a pair for the first and the last case", "gold", "sd"
        )
    data = Outputs(**given)
    if len(data.systems) < 2:
        raise CheckError("a study needs at least two systems: another family or ratio", "ratios")
    for family in data.parameters:
        if family not in data.families:
            raise CheckError(
                unknown("family of this study", family, data.families), "parameters", family
            )
    # What only the generator knows is found out on one small case.
    small = {**data.gold, "cases": 1, "items": min(data.gold["items"], _FEW)}
    labels = generators.gold(rng=_SEED, **small)
    for place, family in enumerate(data.families):
        parameters = data.parameters.get(family, {})
        try:
            generators.outputs(
                family, labels, classes=data.gold["classes"], ratio=1.0, rng=_SEED, **parameters
            )
        except (generators.GeneratorError, TypeError) as problem:
            if not parameters:
                raise CheckError(problem, "families", place) from None
            raise CheckError(problem, "parameters", family, *_named(problem, parameters)) from None
    return data


def _matrices(given: dict[str, Any], settings: tuple[dict[str, Any], ...]) -> Matrices:
    if ("pairs" in given) == ("count" in given):
        raise CheckError("expected either 'pairs' or 'count'", "matrices")
    expanded = []
    for place, setting in enumerate(settings):
        for found, origin in _combinations(setting):
            try:
                generators.matrices(given["family"], count=0, rng=_SEED, **found.parameters)
            except (generators.GeneratorError, TypeError) as problem:
                inner = [origin[key] for key in _named(problem, found.parameters)]
                raise CheckError(problem, "setting", place, *(inner[0] if inner else ())) from None
            expanded.append(found)
    return Matrices(settings=tuple(expanded), **given)


def _classifiers(
    given: dict[str, Any], grid: Mapping[str, Mapping[str, tuple[Any, ...]]]
) -> Classifiers:
    for method, parameters in grid.items():
        if method not in given["methods"]:
            raise CheckError(
                unknown("method of this study", method, given["methods"]), "grid", method
            )
        for key in parameters:
            if key not in METHODS[method].grid:
                problem = unknown("parameter", key, METHODS[method].grid)
                raise CheckError(problem, "grid", method, key)
    full = {m: {**METHODS[m].grid, **grid.get(m, {})} for m in given["methods"]}
    return Classifiers(grid=full, **given)


def _setting(value: Any) -> dict[str, Any]:
    setting: dict[str, Any] = mapping(anything)(value)
    inside("name", text, setting.get("name", "settings"))
    vary = inside("vary", mapping(several(anything)), setting.get("vary", {}))
    for key in vary:
        if key in setting:
            raise CheckError("has one value in the setting and several here", "vary", key)
    return setting


def _combinations(setting: Mapping[str, Any]) -> Iterator[tuple[Setting, dict[str, Path]]]:
    """All combinations of a setting's varied values, and where each parameter is written."""
    fixed = {key: value for key, value in setting.items() if key not in ("name", "vary")}
    vary = setting.get("vary", {})
    for chosen in product(*(enumerate(values) for values in vary.values())):
        varied = {key: value for key, (_, value) in zip(vary, chosen, strict=True)}
        origin: dict[str, Path] = {key: (key,) for key in fixed}
        origin |= {key: ("vary", key, at) for key, (at, _) in zip(vary, chosen, strict=True)}
        yield Setting(setting.get("name", ""), {**fixed, **varied}), origin


def _named(problem: Exception, parameters: Mapping[str, Any]) -> list[str]:
    """The parameter that a generator complains about: the first of these that it mentions."""
    found = {key: re.search(rf"\b{re.escape(key)}\b", str(problem)) for key in parameters}
    places = {key: match.start() for key, match in found.items() if match}
    return sorted(places, key=lambda key: places[key])[:1]
