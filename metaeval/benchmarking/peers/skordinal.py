"""skordinal: scikit-learn style metrics for ordered classes."""

from __future__ import annotations

from metaeval.benchmarking.peer import ZERO, Call, Peer


def calls(classes: int) -> list[Call]:
    """What skordinal adds to scikit-learn; the scale is stated where it can be."""
    from skordinal import metrics

    scale = list(range(classes))
    return [
        Call("accuracy_within", lambda y, p: metrics.accuracy_off1_score(y, p, labels=scale)),
        Call("mer", metrics.mean_zero_one_error),
        Call("g_mean", metrics.geometric_mean),
        Call("min_sensitivity", metrics.minimum_sensitivity),
        Call("amae", lambda y, p: metrics.average_mean_absolute_error(y, p, labels=scale)),
        Call("mmae", lambda y, p: metrics.maximum_mean_absolute_error(y, p, labels=scale)),
        Call("linear_weighted_kappa", lambda y, p: metrics.weighted_kappa(y, p, labels=scale)),
        Call("spearman", metrics.spearmans_rho, note=ZERO),
        Call("kendall_tau_b", metrics.kendalls_tau, note=ZERO),
    ]


PEER = Peer("skordinal", calls)
