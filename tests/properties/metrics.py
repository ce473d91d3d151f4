"""Small metrics of known behaviour, right and wrong ones, as plain functions."""

import contextlib

import numpy as np


def accuracy(matrix):
    return np.trace(matrix) / matrix.sum()


def accuracy_with_a_sign_error(matrix):
    return -np.trace(matrix) / matrix.sum()


def mae(y_true, y_pred):
    return np.abs(y_true - y_pred).mean()


def mae_without_the_last_class(matrix):
    """The classic slip: range(K - 1)."""
    classes = len(matrix)
    return (
        sum(matrix[r, c] * abs(r - c) for r in range(classes - 1) for c in range(classes))
        / matrix.sum()
    )


def kappa(y_true, y_pred, classes):
    """Linear weights on the classes given."""
    place = {label: index for index, label in enumerate(classes)}
    true, pred = (np.array([place[label] for label in labels]) for labels in (y_true, y_pred))
    expected = np.abs(true[:, None] - pred[None, :]).mean()
    return 1 - np.abs(true - pred).mean() / expected if expected else float("nan")


def kappa_that_guesses_from_all_labels(y_true, y_pred):
    return kappa(y_true, y_pred, sorted({*y_true.tolist(), *y_pred.tolist()}))


def kappa_that_guesses_from_gold(y_true, y_pred):
    return kappa(y_true, y_pred, sorted(set(y_true.tolist())))


def kappa_on_the_scale(y_true, y_pred):
    return kappa(y_true, y_pred, range(20))


def constant(matrix):
    return 0.5


def label_sum(y_true, y_pred):
    """Depends on the numbers themselves, so a shift of the labels changes it."""
    return float((y_true * y_pred).sum())


def nowhere(matrix):
    return float("nan")


def raises(matrix):
    if matrix[0, 0] == 0:
        raise ZeroDivisionError("no item in the first cell")
    return accuracy(matrix)


def returns_none(matrix):
    return None if matrix[0, 0] == 0 else accuracy(matrix)


def returns_text(matrix):
    return "very good" if matrix[0, 0] == 0 else accuracy(matrix)


def returns_an_array(matrix):
    return np.diag(matrix) / matrix.sum()


def exits(matrix):
    if matrix[0, 0] == 0:
        raise SystemExit(3)
    return accuracy(matrix)


def hangs(matrix):
    """On one input only, with an `except` that tries to survive."""
    while matrix.tolist() == [[0, 1], [0, 0]]:
        with contextlib.suppress(Exception):
            sum(range(1000))
    return accuracy(matrix)


def deaf(matrix):
    """Hangs on one input and does not hear the alarm, like a long call into C."""
    import signal

    while matrix.tolist() == [[0, 1], [0, 0]]:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
    return accuracy(matrix)


def dies(matrix):
    import os

    if matrix.tolist() == [[0, 1], [0, 0]]:
        os._exit(3)
    return accuracy(matrix)


def prints(y_true, y_pred):
    import os
    import sys
    import warnings

    print("noise on stdout")
    print("noise on stderr", file=sys.stderr)
    os.write(1, b"noise from below\n")
    warnings.warn("noise", stacklevel=1)
    return float((y_true == y_pred).mean())


def spoils_its_input(matrix):
    score = accuracy(matrix)
    matrix[:] = 0
    return score


def jittered(matrix):
    """Accuracy with rounding noise that depends on the matrix."""
    noise = (int(matrix @ np.arange(len(matrix)) @ np.arange(1, len(matrix) + 1)) * 7919) % 11 - 5
    return accuracy(matrix) + noise * 1e-14


def nearly_mae(matrix):
    """Accuracy, and a gain far below the tolerance for coming nearer."""
    index = np.arange(len(matrix))
    off = (matrix * np.abs(index[:, None] - index)).sum() / matrix.sum()
    return accuracy(matrix) - 1e-12 * off


def tenths(matrix):
    """0.1 + 0.2 one way round, 0.3 the other: equal but for the last digit."""
    if matrix[0].sum() > matrix[-1].sum():
        return 0.1 + 0.2
    return 0.3


def luck(matrix):
    return float(np.random.default_rng().random())


HOARD = []


def hoards(matrix):
    """Keeps more than a gigabyte of one call."""
    if matrix.tolist() == [[0, 1], [0, 0]]:
        HOARD.append(np.zeros(150 << 20))
        HOARD[-1][::512] = 1  # a page is taken when it is written to
    return float(np.trace(matrix) / matrix.sum())
