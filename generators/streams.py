"""Random streams that depend on seed, name and position only.

Work is cut into units of a fixed size. Every unit has a stream of its own, derived from the seed,
the name of what is made and the number of the unit, and a unit is always drawn whole. Chunks,
workers and other families therefore cannot change a result.
"""

import hashlib
from collections.abc import Iterator

import numpy as np

from generators.checks import GeneratorError

Rng = np.random.Generator | np.random.SeedSequence


class Stream:
    """The units' generators for one call."""

    def __init__(self, rng: Rng, name: str) -> None:
        root = _root(rng)
        # hash() differs from process to process, sha256 does not
        tag = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
        self._entropy = root.entropy
        self._key = (*root.spawn_key, tag)

    def unit(self, number: int) -> np.random.Generator:
        """A new generator for one unit."""
        seed = np.random.SeedSequence(self._entropy, spawn_key=(*self._key, number))
        # PCG64 by name: what default_rng means may change
        return np.random.Generator(np.random.PCG64(seed))


def _root(rng: Rng) -> np.random.SeedSequence:
    if isinstance(rng, np.random.SeedSequence):
        return rng
    if isinstance(rng, np.random.Generator):
        return np.random.SeedSequence(rng.integers(2**32, size=4, dtype=np.uint32).tolist())
    raise GeneratorError(
        f"rng must be a numpy.random.Generator or SeedSequence, got {type(rng).__name__}"
    )


def units(start: int, count: int, size: int) -> Iterator[tuple[int, slice, slice]]:
    """The units that hold ``start..start+count-1``: number, place in the result, place inside."""
    for number in range(start // size, -(-(start + count) // size)):
        first = number * size
        low, high = max(start, first), min(start + count, first + size)
        yield number, slice(low - start, high - start), slice(low - first, high - first)
