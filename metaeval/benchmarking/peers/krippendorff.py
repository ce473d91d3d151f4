"""krippendorff: the alpha that most people compute."""

from __future__ import annotations

from metaeval.benchmarking.peer import Call, Peer


def calls(classes: int) -> list[Call]:
    """Gold and output are the two raters; the scale is stated."""
    import krippendorff

    scale = range(classes)
    return [
        Call(
            "krippendorff_alpha",
            lambda y, p: krippendorff.alpha(
                reliability_data=[y, p], value_domain=scale, level_of_measurement="ordinal"
            ),
        )
    ]


PEER = Peer("krippendorff", calls)
