"""torchmetrics: metrics on tensors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from metaeval.benchmarking.peer import PREDICTED_TOO, ZERO, Call, Labels, Peer

SINGLE = 1e-5  # what these metrics compute in single precision, whatever they are given
DOUBLE = 1e-9
NO_TIES = "divides by the untied pairs only, which makes it gamma"
CALLED_A = "called Kendall's tau, variant a"


def calls(classes: int) -> list[Call]:
    """The functional form without checks of arguments, which is the fastest; output comes first."""
    import torch
    from torchmetrics import functional as tm
    from torchmetrics.functional import classification, clustering

    def whole(labels: Labels) -> Any:
        return torch.from_numpy(np.ascontiguousarray(labels))

    def real(labels: Labels) -> Any:
        return whole(labels).to(torch.float64)

    def numbers(labels: Labels) -> Any:
        return real(labels + 1)[None]

    def classify(metric: str, name: str, note: str = "", **options: Any) -> Call:
        function = getattr(classification, f"multiclass_{name}")
        settings = {"num_classes": classes, "validate_args": False, **options}
        return Call(metric, lambda y, p: function(p, y, **settings), whole, note, SINGLE)

    def regress(
        metric: str, function: Any, note: str = "", close: float = SINGLE, **options: Any
    ) -> Call:
        return Call(metric, lambda y, p: function(p, y, **options), real, note, close)

    return [
        classify("accuracy", "accuracy", average="micro"),
        classify("mer", "hamming_distance", average="micro"),
        classify("macro_recall", "recall", PREDICTED_TOO, average="macro"),
        classify("macro_f1", "f1_score", PREDICTED_TOO, average="macro"),
        classify("cohen_kappa", "cohen_kappa"),
        classify("linear_weighted_kappa", "cohen_kappa", weights="linear"),
        classify("quadratic_weighted_kappa", "cohen_kappa", weights="quadratic"),
        classify("mcc", "matthews_corrcoef", ZERO),
        regress("mae", tm.mean_absolute_error, close=DOUBLE),
        regress("mse", tm.mean_squared_error, close=DOUBLE),
        regress("pearson", tm.pearson_corrcoef, close=DOUBLE),
        regress("spearman", tm.spearman_corrcoef, ZERO),
        regress("kendall_tau_b", tm.kendall_rank_corrcoef),
        regress("kendall_tau_a", tm.kendall_rank_corrcoef, NO_TIES, variant="a"),
        regress("goodman_kruskal_gamma", tm.kendall_rank_corrcoef, CALLED_A, variant="a"),
        Call("cosine", lambda y, p: tm.cosine_similarity(p, y), numbers, close=SINGLE),
        Call(
            "mutual_information",
            lambda y, p: clustering.mutual_info_score(p, y) / math.log(2),
            whole,
            "in nats; divided by ln 2 here",
            SINGLE,
        ),
        Call(
            "normalized_mutual_information",
            lambda y, p: clustering.normalized_mutual_info_score(p, y),
            whole,
            ZERO,
            SINGLE,
        ),
    ]


PEER = Peer("torchmetrics", calls)
