"""scikit-learn."""

from __future__ import annotations

import math

from metaeval.benchmarking.peer import PREDICTED_TOO, ZERO, Call, Peer


def calls(classes: int) -> list[Call]:
    """Classes are stated where the function lets one; the others look at the labels present."""
    from sklearn import metrics as sk

    scale = list(range(classes))

    def kappa(metric: str, weights: str | None) -> Call:
        return Call(metric, lambda y, p: sk.cohen_kappa_score(y, p, labels=scale, weights=weights))

    return [
        Call("accuracy", sk.accuracy_score),
        Call("mer", sk.zero_one_loss),
        Call("macro_recall", sk.balanced_accuracy_score),
        Call(
            "macro_f1",
            lambda y, p: sk.f1_score(y, p, average="macro", zero_division=0),
            note=PREDICTED_TOO,
        ),
        kappa("cohen_kappa", None),
        kappa("linear_weighted_kappa", "linear"),
        kappa("quadratic_weighted_kappa", "quadratic"),
        Call("mcc", sk.matthews_corrcoef, note=ZERO),
        Call("mae", sk.mean_absolute_error),
        Call("mse", sk.mean_squared_error),
        Call(
            "mutual_information",
            lambda y, p: sk.mutual_info_score(y, p) / math.log(2),
            note="in nats; divided by ln 2 here",
        ),
        Call(
            "normalized_mutual_information",
            sk.normalized_mutual_info_score,
            note="1 where undefined (gold and output constant)",
        ),
    ]


PEER = Peer("scikit-learn", calls)
