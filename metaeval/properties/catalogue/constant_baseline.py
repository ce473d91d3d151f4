"""Constant baseline: an output that knows nothing of gold scores the same, whatever its shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import lgamma

import numpy as np

from metaeval.properties.base import Cases, Example, Judged, Property, everywhere
from metaeval.properties.compositions import Counts, chunk, count, rank, unrank
from metaeval.properties.scores import Judgement, Scores, Values, should_equal
from metaeval.properties.subject import Code, Matrix, Subject, labels
from metaeval.properties.tables import Scorer


class ConstantBaseline(Property):
    """A case is a pair of marginals, shown by the first matrix that has them.

    The constant is the mean of the smallest pair of marginals that has one.
    """

    name = "constant-baseline"
    short = "base"
    statement = (
        "averaged over all permutations of the output, the score is one constant for every gold "
        "and every output of at least two classes each"
    )
    formal = (
        r"\frac{1}{N!} \sum_{\sigma} m(y, \sigma(p)) = b \quad \text{for one constant } b "
        r"\text{ and all } y, p"
    )
    reference = "Goesgens et al. 2021"
    place = 90
    premise = "gold and output have at least two classes each"
    sampled = False  # the exact mean needs all matrices of a size
    titles = ("mean over permutations", "mean over permutations")

    def cases(self, counts: Counts, subject: Subject) -> Iterator[Cases]:
        varied = (counts.any(axis=axis).sum(axis=0) >= 2 for axis in (0, 1))
        where = np.flatnonzero(np.logical_and(*varied))
        yield Cases(where, (counts[..., where],))

    def compare(self, subject: Subject, classes: int, *scores: Values) -> Judgement:
        constant, means = scores
        found = should_equal(constant, means)
        missing = np.isnan(means)
        return Judgement(found.violated & ~missing, missing)

    def level(self, counts: Iterator[Counts], scorer: Scorer) -> Iterator[Sequence[Judged]]:
        matrices, means = self._means(counts, scorer)
        size = matrices.shape[-1]
        if size == 0:
            return
        first, constant = self._constant(int(matrices[..., 0].sum()), len(matrices), scorer)
        constants = Scores.sound(np.full(size, constant))
        found = self.compare(scorer.subject, len(matrices), constants.values, means.values)
        yield [
            Judged(
                everywhere(matrices),
                (np.repeat(first, size, axis=2), matrices),
                (constants, means),
                found.violated & ~means.failed,
                found.undefined & ~means.failed,
                means.failed,
            )
        ]

    def _constant(self, items: int, classes: int, scorer: Scorer) -> tuple[Counts, float]:
        """The first mean there is, of at most this size, and the matrix that stands for it."""
        for n, k in product(range(2, items + 1), range(2, classes + 1)):
            every = chunk(n, k * k, 0, count(n, k * k)).reshape(k, k, -1)
            matrices, means = self._means(iter([every]), scorer)
            there = np.flatnonzero(~np.isnan(means.values))
            if there.size:
                return matrices[..., there[:1]], float(means.values[there[0]])
        return matrices[..., :1], np.nan

    def _means(self, counts: Iterator[Counts], scorer: Scorer) -> tuple[Counts, Scores]:
        """The first matrix of each pair of marginals, and the mean score over all permutations.

        A permutation of the output gives a matrix with the same marginals, and a matrix n arises
        from a share of (prod r!)(prod c!) / (N! prod n!) of all permutations.
        """
        start, items, classes = 0, 0, 2
        first = sums = weights = failed = np.empty(0)
        for part in counts:
            if start == 0:
                items, classes = int(part[..., 0].sum()), len(part)
                pairs = count(items, classes) ** 2
                factorial = np.array([lgamma(n + 1) for n in range(items + 1)])
                first = np.full(pairs, -1, dtype=np.int64)
                sums, weights, failed = np.zeros((3, pairs))
            for case in self.cases(part, scorer.subject):
                (matrices,) = case.matrices
                rows, cols = (matrices.sum(axis=a, dtype=matrices.dtype) for a in (1, 0))
                pair = rank(rows, items) * count(items, classes) + rank(cols, items)
                share = np.exp(
                    factorial[rows].sum(axis=0)
                    + factorial[cols].sum(axis=0)
                    - factorial[items]
                    - factorial[matrices].sum(axis=(0, 1))
                )
                scores = scorer(matrices)
                np.add.at(sums, pair, share * scores.values)
                np.add.at(weights, pair, share)
                np.add.at(failed, pair, scores.failed)
                new, at = np.unique(pair, return_index=True)
                fresh = first[new] < 0
                first[new[fresh]] = start + case.where[at[fresh]]
            start += part.shape[-1]
        seen = np.flatnonzero(first >= 0) if start else np.empty(0, dtype=np.int64)
        seen = seen[np.argsort(first[seen])]
        chosen = unrank(first[seen].astype(np.int64), items, classes**2)
        means = Scores(sums[seen] / weights[seen], failed[seen] > 0)
        return chosen.reshape(classes, classes, -1), means

    def subject_matrix(self, example: Example) -> Matrix:
        return example.matrices[-1]

    def why(self, example: Example) -> str:
        return (
            "the mean over all permutations of the output should be the same constant for both "
            "pairs of gold and output shares"
        )

    def python(self, code: Code, example: Example) -> str:
        means = []
        for matrix in example.matrices:
            true, pred = labels(matrix)
            means.append(f"mean({list(true)}, {list(pred)}, {len(matrix)})")
        mean = f"lambda y, p, k: np.mean([{code.shuffled()} for q in permutations(p)])"
        everything = replace(
            code,
            imports="import numpy as np, metaeval as me; from itertools import permutations",
            fetch="; ".join(part for part in (code.fetch, f"mean = {mean}") if part),
        )
        return everything.line(*means)
