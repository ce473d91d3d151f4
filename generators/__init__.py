"""Synthetic gold labels, system outputs and confusion matrices whose faults are known.

Classes are the indices 0..K-1 and matrices have true classes in rows. Every function takes ``rng``:

* a ``numpy.random.Generator`` is advanced by one fixed-size draw a call, so that two calls are
  independent and the same seed repeats both;
* a ``numpy.random.SeedSequence`` is only read, so that the result depends on nothing but the seed,
  the family and the arguments; spawn it where two results have to be independent. Workers use it,
  with ``start``, to make any part of a larger result: ``matrices(f, count=5, start=3, rng=seq)``
  equals ``matrices(f, count=8, rng=seq)[3:]``.

>>> import numpy as np, generators
>>> rng = np.random.default_rng(0)
>>> gold = generators.gold(cases=2, items=6, classes=5, rng=rng)
>>> generators.outputs("tag_displacement", gold, classes=5, ratio=1, rng=rng).shape
(2, 6)
"""

import generators.builtin as _builtin  # noqa: F401 - registers the families
from generators.checks import GeneratorError
from generators.labels import gold, outputs
from generators.points import features
from generators.registry import REQUIRED, Family, families, register
from generators.stacks import matrices

__all__ = [
    "REQUIRED",
    "Family",
    "GeneratorError",
    "families",
    "features",
    "gold",
    "matrices",
    "outputs",
    "register",
]
