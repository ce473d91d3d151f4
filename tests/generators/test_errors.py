"""Bad input is refused in one sentence that says what, where and what was expected."""

import numpy as np
import pytest

import generators
from generators import GeneratorError

SEED = np.random.SeedSequence(24)
GOLD = np.array([[0, 1, 2, 1, 0]])


def outputs(family="random", gold=GOLD, **options):
    return generators.outputs(family, gold, **{"classes": 3, "ratio": 1, "rng": SEED, **options})


def matrices(family="fixed_accuracy", **options):
    return generators.matrices(family, **{"count": 2, "rng": SEED, **options})


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: outputs("proximty"), "unknown family 'proximty', did you mean 'proximity'?"),
        (lambda: outputs("zzz"), "unknown family 'zzz'"),
        (
            lambda: outputs("dispersed"),
            "family 'dispersed' generates matrices, not outputs",
        ),
        (
            lambda: outputs("majority", lable=2),
            "majority has no parameter 'lable', did you mean 'label'? allowed: label",
        ),
        (lambda: outputs("random", x=1), "random has no parameter 'x'; allowed: none"),
        (lambda: outputs(ratio=1.5), "ratio must be a number from 0 to 1, got 1.5"),
        (lambda: outputs(ratio=float("nan")), "ratio must be a number from 0 to 1, got nan"),
        (lambda: outputs(ratio="0.5"), "ratio must be a number from 0 to 1, got '0.5'"),
        (lambda: outputs(classes=1), "classes must be a whole number of at least 2, got 1"),
        (lambda: outputs(start=-1), "start must be a whole number of at least 0, got -1"),
        (lambda: outputs(placement="x"), "placement must be one of bernoulli, exact, got 'x'"),
        (
            lambda: outputs(gold=[[0, 1], [2, 3]]),
            "gold must lie in 0..2 for 3 classes, got 3 at position (1, 1)",
        ),
        (
            lambda: outputs(gold=[0, -1]),
            "gold must lie in 0..2 for 3 classes, got -1 at position (1,)",
        ),
        (
            lambda: outputs(gold=[0.0, 1.0]),
            "gold must hold whole class indices in equal rows, got float64",
        ),
        (
            lambda: outputs(gold=[True]),
            "gold must hold whole class indices in equal rows, got bool",
        ),
        (
            lambda: outputs(gold=[[0, 1], [2]]),
            "gold must hold whole class indices in equal rows, got object",
        ),
        (
            lambda: outputs(gold=np.zeros((3, 0), int)),
            "gold must have shape (..., items) with items, got (3, 0)",
        ),
        (lambda: outputs("majority"), "majority: label must be a whole number from 0 to 2, got 3"),
        (
            lambda: outputs("majority", label="most"),
            "majority: label must be one of empirical, got 'most'",
        ),
        (
            lambda: outputs("ordinal_displacement", shift=2),
            "ordinal_displacement: shift must be a number from 0 to 1, got 2",
        ),
        (
            lambda: outputs("ordinal_displacement", past_end="wrap"),
            "ordinal_displacement: past_end must be one of keep, clip, got 'wrap'",
        ),
        (
            lambda: outputs(rng=42),
            "rng must be a numpy.random.Generator or SeedSequence, got int",
        ),
        (lambda: matrices(count=-1), "count must be a whole number of at least 0, got -1"),
        (lambda: matrices(count=2.5), "count must be a whole number of at least 0, got 2.5"),
        (lambda: matrices(count=True), "count must be a whole number of at least 0, got True"),
        (
            lambda: matrices(items=0),
            "fixed_accuracy: items must be a whole number from 1 to 999999999, got 0",
        ),
        (
            lambda: matrices(classes=1),
            "fixed_accuracy: classes must be a whole number of at least 2, got 1",
        ),
        (
            lambda: matrices(largest=0.2),
            "fixed_accuracy: largest must be a share from 1/4 to 1 for 4 classes, got 0.2",
        ),
        (
            lambda: matrices(largest=1.01),
            "fixed_accuracy: largest must be a share from 1/4 to 1 for 4 classes, got 1.01",
        ),
        (
            lambda: matrices(accuracy=1.2),
            "fixed_accuracy: accuracy must be a number from 0 to 1, got 1.2",
        ),
        (
            lambda: matrices(accuracy=0.5, items=7),
            "fixed_accuracy: accuracy 0.5 cannot be reached with 7 items, the nearest are "
            "3/7 = 0.428571 and 4/7 = 0.571429",
        ),
        (
            lambda: matrices(mode="both"),
            "fixed_accuracy: mode must be one of overall, class-wise, got 'both'",
        ),
        (
            lambda: matrices(errors="even"),
            "fixed_accuracy: errors must be one of sequential, multinomial, uniform, got 'even'",
        ),
        (
            lambda: matrices("single_sample", distance=5),
            "single_sample: distance must be a whole number from 0 to 4, got 5",
        ),
        (
            lambda: matrices("given_marginals", rows=[3, 4], columns=[5, 1]),
            "given_marginals: rows and columns must have one length and one sum, "
            "got 2 rows with sum 7 and 2 columns with sum 6",
        ),
        (
            lambda: matrices("given_marginals", rows=[3, -4]),
            "given_marginals: rows must be a list of at least 2 non-negative whole numbers, "
            "got [3, -4]",
        ),
        (
            lambda: matrices("given_marginals", rows=[0, 0]),
            "given_marginals: rows must sum to 1..999999999, but sum to 0",
        ),
        (
            lambda: matrices("noisy_kernel", kernel=[[1, 0], [0, 0]]),
            "noisy_kernel: kernel must be a square table of non-negative numbers with at least "
            "2 rows, none of them all zero",
        ),
        (
            lambda: matrices("noisy_kernel", kernel=[[1, "a"], [0, 1]]),
            "noisy_kernel: kernel must be a square table of non-negative numbers with at least "
            "2 rows, none of them all zero",
        ),
        (
            lambda: matrices("noisy_kernel", kernel=np.eye(3), classes=4),
            "noisy_kernel: kernel has 3 classes, but classes is 4",
        ),
        (
            lambda: matrices("noisy_kernel", concentration=0),
            "noisy_kernel: concentration must be a number from 1e-06 to 1e+12, got 0",
        ),
        (
            lambda: generators.gold(items=0, rng=SEED),
            "items must be a whole number of at least 1, got 0",
        ),
        (
            lambda: generators.gold(mean=np.inf, rng=SEED),
            "mean must be a finite number, got inf",
        ),
        (
            lambda: generators.gold(sd=-1, rng=SEED),
            "sd must be a finite number of at least 0, got -1",
        ),
        (
            lambda: generators.gold(sd=(1, 2, 3), rng=SEED),
            "sd must be a number or a pair of numbers, got (1, 2, 3)",
        ),
        (
            lambda: generators.features(10, SEED, formula="other"),
            "formula must be one of centred, printed, got 'other'",
        ),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, complaint):
    with pytest.raises(GeneratorError) as caught:
        call()
    assert str(caught.value) == complaint
    assert isinstance(caught.value, ValueError)
