"""A metric as a value: a definition with its parameters, callable on matrices and on labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaeval.batch import Batch
from metaeval.errors import InputError
from metaeval.implied import implied_scale
from metaeval.labels import Classes, Scale, confusion
from metaeval.stack import as_stack, batches, flatten

if TYPE_CHECKING:
    from metaeval.measures.registry import Definition


class Metric:
    """Hashable, comparable, and its repr is the name by which it can be looked up again.

    The name spells out the parameters that were stated; two metrics with the same values are
    equal whether a value was stated or is the default.
    """

    def __init__(self, definition: Definition, stated: Mapping[str, Any]) -> None:
        self.definition = definition
        self.stated = dict(stated)
        self.parameters: dict[str, Any] = {**definition.defaults, **stated}
        spelled = ", ".join(f"{k}={_spell(v)}" for k, v in self.stated.items())
        self.name = f"{definition.key}({spelled})" if spelled else definition.key

    @property
    def key(self) -> str:
        return self.definition.key

    @property
    def greater_is_better(self) -> bool:
        return self.definition.greater_is_better

    def range(self, classes: int) -> tuple[float, float]:
        """The lowest and the highest possible value with this many classes."""
        low, high = (
            float(b) if isinstance(b, (int, float)) else b.value(classes)
            for b in (self.definition.low, self.definition.high)
        )
        return low, high

    @property
    def __name__(self) -> str:
        """A function has one; scikit-learn shows it for the metrics that it is given."""
        return self.name

    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike | None = None,
        *,
        labels: Classes | Scale | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Any:
        """Score (..., K, K) matrices, or labels y_true and y_pred as scikit-learn's metrics do.

        One argument is matrices with true classes in rows; two are labels (..., n). The result
        is a float for one matrix or output, else an array. That a metric is itself the function
        `f(y_true, y_pred, *, labels=None, sample_weight=None)` means that it can be handed to
        whatever takes one, `sklearn.metrics.make_scorer(metric, labels=[1, 2, 3])` included,
        and still be compared, printed and sent to other processes.

        Without `labels` the scale is the labels that occur, sorted, as in scikit-learn. State it
        where a class may be absent: distances are counted in classes, so an absent one counts.
        """
        if y_pred is not None:
            scale = implied_scale(y_true, y_pred) if labels is None else labels
            return self.from_labels(y_true, y_pred, scale, sample_weight)
        if labels is not None or sample_weight is not None:
            raise InputError("labels and sample_weight go with two label arrays, not with matrices")
        return self._on_matrices(y_true)

    def _on_matrices(self, matrices: ArrayLike) -> Any:
        from metaeval.measures.scoring import score_stack

        stack = as_stack(matrices)
        scores = score_stack(stack, [self])[0].reshape(stack.shape[:-2])
        return float(scores) if scores.ndim == 0 else scores

    def from_labels(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        classes: Classes | Scale,
        sample_weight: ArrayLike | None = None,
    ) -> Any:
        """Score labels (..., n) on a stated scale."""
        return self._on_matrices(confusion(y_true, y_pred, classes, sample_weight))

    def why_undefined(self, matrix: ArrayLike) -> str | None:
        """Why the metric has no value (NaN) on this one matrix, or None if it has one."""
        stack = as_stack(matrix)
        if stack.ndim != 2:
            raise ValueError(f"why_undefined takes one matrix (K, K); got shape {stack.shape}")
        for _, batch in batches(flatten(stack)):
            for premise in self.definition.premises:
                if premise.fails(batch, self.parameters)[0]:
                    return f"{self.name} is undefined here: {premise.otherwise}"
        return None if np.isfinite(self(stack)) else f"{self.name} returned no finite number"

    def oriented(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores with the sign that makes higher better."""
        return scores if self.greater_is_better else -scores

    def score_batch(self, batch: Batch) -> NDArray[np.float64]:
        """Scores of a batch, NaN where a premise of the metric fails."""
        from metaeval.measures.adapters import call

        with np.errstate(all="ignore"):
            scores = call(self.definition, batch, self.parameters)
            for premise in self.definition.premises:
                failed = premise.fails(batch, self.parameters)
                if failed.any():
                    scores = np.where(failed, np.nan, scores)
        return scores

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Metric):
            return NotImplemented
        return self.definition is other.definition and self.parameters == other.parameters

    def __hash__(self) -> int:
        return hash((self.key, tuple(self.parameters.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        # By name, which every process with metaeval knows. What a user registered is known here
        # only, so it travels as it is; functions that cannot be imported need cloudpickle.
        from metaeval.measures.registry import metric

        if self.definition.builtin:
            return metric, (self.name,)
        return Metric, (self.definition, self.stated)


def _spell(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_spell, value)) + "]"
    return repr(value)
