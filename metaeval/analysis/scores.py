"""Scores of many systems on many test cases, read from a frame and made comparable.

Every analyzer starts here: the frame's values are turned so that higher is better, and scores
that are not defined are replaced as the caller says and counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metaeval.batch import Array, Mask
from metaeval.errors import InputError, unknown

# Scores are compared in steps of this size: closer ones are one value computed in two orders.
RESOLUTION = 1e-10

POLICIES = ("zero", "worst", "drop")

# What an undefined score counts as: a policy, a value, or one of these for each metric.
Undefined = str | float | Mapping[str, str | float]
Orientation = Mapping[str, bool]
Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Oriented scores of shape (metrics, cases, systems), all defined."""

    values: Array
    metrics: tuple[str, ...]
    cases: tuple[Any, ...]
    systems: tuple[Any, ...]
    undefined: Counts
    treatment: tuple[str, ...]

    def rows(self, names: Sequence[str]) -> list[int]:
        """Where metrics stand in the table."""
        for name in names:
            if name not in self.metrics:
                raise unknown("column of the scores", name, self.metrics)
        return [self.metrics.index(name) for name in names]

    def account(self) -> pd.DataFrame:
        """By metric: how many scores were undefined, what they counted as, what was compared."""
        return pd.DataFrame(
            {
                "undefined": self.undefined,
                "undefined_as": self.treatment,
                "cases": len(self.cases),
                "systems": len(self.systems),
            },
            index=pd.Index(self.metrics, name="metric"),
        )


def steps(values: Array) -> Array:
    """Values as whole multiples of the resolution; equal ones are ties."""
    result: Array = np.rint(values / RESOLUTION)
    return result


def read_scores(
    scores: pd.DataFrame,
    undefined: Undefined = "zero",
    greater_is_better: Orientation | None = None,
) -> ScoreTable:
    """Check a frame with index (case, system) and one column a metric, in natural values.

    `undefined` says what a score that is NaN or infinite counts as: "zero" (0, the default),
    "worst" (the worst defined score of that metric in the table), "drop" (a test case on which
    any metric is undefined for any system is left out), a number, or a mapping from metric to
    one of these, where metrics that are not named count as 0. Metrics that are not registered
    need an entry in `greater_is_better`.
    """
    values, cases, systems = _unstack(scores)
    metrics = tuple(str(name) for name in scores.columns)
    values *= signs(metrics, greater_is_better)[:, None, None]
    known: Mask = np.isfinite(values)
    table = ScoreTable(
        values=values,
        metrics=metrics,
        cases=cases,
        systems=systems,
        undefined=(~known).sum(axis=(1, 2), dtype=np.int64),
        treatment=("",) * len(metrics),
    )
    return _treat(table, known, undefined, greater_is_better)


def signs(metrics: Sequence[str], greater_is_better: Orientation | None) -> Array:
    """1 for metrics where higher is better, -1 for errors."""
    from metaeval.measures.registry import metric

    stated = {str(name): better for name, better in (greater_is_better or {}).items()}
    found = []
    for name in metrics:
        try:
            better = stated[name] if name in stated else metric(name).greater_is_better
        except InputError:
            raise InputError(
                f"column {name!r} is no registered metric; say whether higher is better with "
                f"greater_is_better={{{name!r}: True}}"
            ) from None
        found.append(1.0 if better else -1.0)
    return np.array(found)


def _unstack(scores: pd.DataFrame) -> tuple[Array, tuple[Any, ...], tuple[Any, ...]]:
    if not isinstance(scores, pd.DataFrame) or scores.index.nlevels != 2:
        raise InputError("scores must be a frame whose index is (case, system)")
    if scores.columns.empty or scores.empty:
        raise InputError("scores must have at least one row and one column, a column a metric")
    twice = scores.columns[scores.columns.astype(str).duplicated()]
    if len(twice):
        raise InputError(f"the scores have two columns named {twice[0]!r}")
    for name, kind in scores.dtypes.items():
        if not pd.api.types.is_numeric_dtype(kind):
            raise InputError(f"column {name!r} of the scores holds no numbers, but {kind}")
    case_codes, case_names = pd.factorize(scores.index.get_level_values(0))
    system_codes, system_names = pd.factorize(scores.index.get_level_values(1))
    cases, systems = case_names.tolist(), system_names.tolist()
    shape = (len(cases), len(systems))
    if min(case_codes.min(), system_codes.min()) < 0:
        raise InputError("the index of the scores has a row without a case or a system")
    if shape[1] < 2:
        raise InputError("the scores have one system only; analyses compare systems")
    rows = np.zeros(shape, dtype=np.int64)
    np.add.at(rows, (case_codes, system_codes), 1)
    if (rows != 1).any():
        case, system = np.argwhere(rows != 1)[0]
        how = "has no row; give it as NaN" if rows[case, system] == 0 else "has two rows"
        raise InputError(f"case {cases[case]!r}, system {systems[system]!r} {how}")
    values = np.empty((len(scores.columns), *shape))
    values[:, case_codes, system_codes] = scores.to_numpy(dtype=np.float64, na_value=np.nan).T
    return values, tuple(cases), tuple(systems)


def _treat(
    table: ScoreTable, known: Mask, undefined: Undefined, better: Orientation | None
) -> ScoreTable:
    treatment = []
    signed = signs(table.metrics, better)
    for row, policy in enumerate(policies(undefined, table.metrics)):
        values, defined = table.values[row], known[row]
        if policy == "drop":
            treatment.append("case left out")
            continue
        fill = natural_fill(policy, values[defined], signed[row])
        values[~defined] = signed[row] * fill
        treatment.append(f"{fill:.6g}")
        defined[...] = True
    kept: Mask = np.all(known, axis=(0, 2))
    if not kept.any():
        raise InputError(
            "every test case has an undefined score, so that undefined='drop' leaves nothing; "
            "choose 'zero', 'worst' or a number"
        )
    return replace(
        table,
        values=table.values if kept.all() else table.values[:, kept],
        cases=tuple(case for case, keep in zip(table.cases, kept, strict=True) if keep),
        treatment=tuple(treatment),
    )


def policies(undefined: Undefined, metrics: Sequence[str]) -> list[str | float]:
    """The policy of each metric, checked."""
    if isinstance(undefined, Mapping):
        for name in undefined:
            if name not in metrics:
                raise unknown("metric in undefined", name, metrics)
        found = [undefined.get(name, "zero") for name in metrics]
    else:
        found = [undefined] * len(metrics)
    for policy in found:
        if isinstance(policy, str) and policy not in POLICIES:
            raise unknown("policy for undefined scores", policy, POLICIES)
        if not isinstance(policy, str) and not np.isfinite(policy):
            raise InputError(f"an undefined score can count as a finite number, not {policy}")
    return found


def natural_fill(policy: str | float, defined: Array, sign: float) -> float:
    """The natural value that takes the place of an undefined score."""
    if policy == "worst":
        return float(sign * defined.min()) if defined.size else 0.0
    return 0.0 if isinstance(policy, str) else float(policy)
