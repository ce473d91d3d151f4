"""scipy: rank correlations, and distances that are metrics once they are scaled."""

from __future__ import annotations

from metaeval.benchmarking.peer import Call, Labels, Peer


def numbers(labels: Labels) -> Labels:
    """Class numbers 1..K, which the cosine is defined on."""
    return labels + 1


def calls(classes: int) -> list[Call]:
    """Correlations come with a p-value, for which there is no switch."""
    from scipy import stats
    from scipy.spatial import distance

    return [
        Call("pearson", lambda y, p: stats.pearsonr(y, p).statistic),
        Call("spearman", lambda y, p: stats.spearmanr(y, p).statistic),
        Call("kendall_tau_b", lambda y, p: stats.kendalltau(y, p).statistic),
        Call(
            "somers_d",
            lambda y, p: stats.somersd(y, p).statistic,
            note="refuses a constant output, whose score is 0",
        ),
        Call("cosine", lambda y, p: 1 - distance.cosine(y, p), numbers),
        Call(
            "nmd",
            lambda y, p: stats.wasserstein_distance(y, p) / (classes - 1),
            note="earth mover's distance; divided by K - 1 here",
        ),
    ]


PEER = Peer("scipy", calls)
