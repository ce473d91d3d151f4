"""Best of several: the run that was disturbed least."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

FEWEST, ROUNDS = 3, 5
ENOUGH = 0.3  # seconds for one thing that is timed


def best(function: Callable[[], Any], rounds: int = ROUNDS, enough: float = ENOUGH) -> float:
    """Seconds of the fastest round; `enough` spent ends it early, but not before some rounds."""
    function()  # the first call imports, allocates and fills caches
    spent: list[float] = []
    while len(spent) < FEWEST or (len(spent) < rounds and sum(spent) < enough):
        begin = time.perf_counter()
        function()
        spent.append(time.perf_counter() - begin)
    return min(spent)


def best_loop(
    function: Callable[[Any, Any], Any], pairs: Sequence[tuple[Any, Any]], enough: float = ENOUGH
) -> float:
    """Seconds a call in a loop over the pairs, or over as many as there is time for."""
    begin = time.perf_counter()
    function(*pairs[0])
    once = time.perf_counter() - begin
    some = pairs[: max(3, int(enough / ROUNDS / max(once, 1e-9)))]

    def loop() -> None:
        for gold, output in some:
            function(gold, output)

    return best(loop, enough=enough) / len(some)
