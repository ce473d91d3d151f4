"""dlordinal: metrics of a deep-learning library for ordered classes."""

from __future__ import annotations

from metaeval.benchmarking.peer import Call, Peer

GUESSED = "numbers the classes that are present: a gap in the scale counts as one step"


def calls(classes: int) -> list[Call]:
    """Only the first takes a scale."""
    from dlordinal import metrics

    scale = list(range(classes))
    return [
        Call("accuracy_within", lambda y, p: metrics.accuracy_off1(y, p, labels=scale)),
        Call(
            "min_sensitivity",
            metrics.minimum_sensitivity,
            note="0 if a class is only predicted",
        ),
        Call("amae", metrics.amae, note=GUESSED),
        Call("mmae", metrics.mmae, note=GUESSED),
    ]


PEER = Peer("dlordinal", calls)
