"""pycm: one object with every statistic it knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from metaeval.benchmarking.peer import PREDICTED_TOO, Call, Peer

ALL_AT_ONCE = "computes all its statistics at once"


def calls(classes: int) -> list[Call]:
    """The scale is stated; undefined is the text "None"."""
    from pycm import ConfusionMatrix

    scale = list(range(classes))

    def weights(power: int) -> dict[int, dict[int, int]]:
        return {i: {j: abs(i - j) ** power for j in scale} for i in scale}

    def call(metric: str, read: Callable[[Any], Any], more: str = "") -> Call:
        def compute(gold: Any, output: Any) -> Any:
            return read(ConfusionMatrix(gold, output, classes=scale))

        return Call(
            metric, compute, np.ndarray.tolist, "; ".join(filter(None, [ALL_AT_ONCE, more]))
        )

    linear, quadratic = weights(1), weights(2)
    return [
        call("accuracy", lambda m: m.Overall_ACC),
        call("mer", lambda m: m.HammingLoss),
        call("macro_recall", lambda m: m.TPR_Macro, '"None" if a gold class is absent'),
        call("macro_f1", lambda m: m.F1_Macro, f'"None" if a class is absent; {PREDICTED_TOO}'),
        call("cohen_kappa", lambda m: m.Kappa),
        call("linear_weighted_kappa", lambda m: m.weighted_kappa(weight=linear)),
        call("quadratic_weighted_kappa", lambda m: m.weighted_kappa(weight=quadratic)),
        call("mcc", lambda m: m.Overall_MCC),
        call("mutual_information", lambda m: m.MutualInformation),
    ]


PEER = Peer("pycm", calls, at_once=True)
