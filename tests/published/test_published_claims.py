"""What SPEC and the errata say of the papers, each statement by computation."""

import numpy as np
import pytest

import metaeval
from metaeval.studies.published import tables
from metaeval.studies.reproduce import reads_as

BY_ID = {table.id: table for table in tables()}


def case_of(table, name):
    return next(case for case in BY_ID[table].cases if case.name == name)


def score(metric, matrix):
    return float(metaeval.metric(metric)(matrix))


def changed(matrix, *changes):
    result = np.array(matrix)
    for cell, by in changes:
        result[cell] += by
    return result


def one_item_changes(matrix):
    """Every matrix with one item moved, added or taken away."""
    cells = list(np.ndindex(np.shape(matrix)))
    full = [cell for cell in cells if matrix[cell[0]][cell[1]] > 0]
    moves = [changed(matrix, (a, -1), (b, 1)) for a in full for b in cells if a != b]
    return [
        *moves,
        *(changed(matrix, (cell, 1)) for cell in cells),
        *(changed(matrix, (cell, -1)) for cell in full),
    ]


def explaining(candidates, columns, printed):
    """The candidates that give every printed cell."""
    scores = [metaeval.metric(name)(np.array(candidates)) for name in columns]
    return [
        candidate.tolist()
        for candidate, row in zip(candidates, np.transpose(scores), strict=True)
        if all(reads_as(text, value) for text, value in zip(printed, row, strict=True))
    ]


def test_000_cm5_has_one_single_item_correction_only():
    table = BY_ID["000-table4"]
    case = case_of("000-table4", "CM5")
    candidates = one_item_changes(case.matrix)
    assert len(candidates) == 5 * 15 + 16 + 5
    (erratum,) = table.errata
    assert explaining(candidates, table.columns, case.printed) == [list(map(list, erratum.matrix))]


def test_000_cm5_corrected_bears_out_the_text():
    """MAE must be unable to see the step from CM5 to CM6."""
    (erratum,) = BY_ID["000-table4"].errata
    cm6 = case_of("000-table4", "CM6").matrix
    assert score("mae", erratum.matrix) == score("mae", cm6) == 1


def test_001_glmnetcr():
    matrix = case_of("001-table2", "colon Glmnetcr").matrix
    assert score("cost_distance", matrix) == pytest.approx(0.702, abs=5e-4)
    assert score("misclassification_cost", matrix) == pytest.approx(0.183, abs=5e-4)
    assert np.isnan(score("kendall_tau_b", matrix))


def test_001_table_4a_second_matrix_has_an_item_too_many():
    case = case_of("001-table4", "(a) Acc 0.70")
    assert np.sum(case.matrix) == 801
    assert tuple(map(sum, case.matrix)) == (600, 66, 67, 68)
    corrected = changed(case.matrix, ((3, 1), -1))  # f_24: class 4 predicted as class 2
    assert corrected[3, 1] == 52
    assert score("amae", case.matrix) == pytest.approx(1.1139, abs=5e-5)
    assert score("amae", corrected) == pytest.approx(1.113, abs=5e-4)
    # Among all ways to take the item from class 4, whose size must be 67, it is the only one.
    shorter = [changed(case.matrix, ((3, c), -1)) for c in range(4)]
    columns = ["accuracy", "amae", "kendall_tau_b", "misclassification_cost"]
    printed = ["0.70", "1.113", "0.637", "33%"]
    assert explaining(shorter, columns, printed) == [corrected.tolist()]


def test_001_table_4_implies_one_maximal_cost_that_is_too_low():
    """Printed d and accuracy give the cost share, and with the true share the maximum used."""
    low, high = 0.0, np.inf
    for case in BY_ID["001-table4"].cases:
        matrix = np.array(case.matrix)
        if matrix.sum() == 801:
            matrix[3, 1] -= 1
        error = 1 - score("accuracy", matrix)
        share = score("misclassification_cost", matrix)
        printed = float(case.printed[1])
        low = max(low, share / np.sqrt((printed + 5e-4) ** 2 - error**2))
        high = min(high, share / np.sqrt((printed - 5e-4) ** 2 - error**2))
    assert 0.973 < low < high < 0.976


def test_001_table_4b_preference_reverses():
    first = score("cost_distance", case_of("001-table4", "(b) Acc 0.70").matrix)
    second = score("cost_distance", case_of("001-table4", "(b) Acc 0.80").matrix)
    assert second == pytest.approx(0.3254, abs=5e-5)
    assert first == pytest.approx(0.3273, abs=5e-5)
    assert second < first


def test_001_table_4a_preference_stands():
    first = case_of("001-table4", "(a) Acc 0.60").matrix
    second = changed(case_of("001-table4", "(a) Acc 0.70").matrix, ((3, 1), -1))
    assert score("cost_distance", first) < score("cost_distance", second)


def test_001_balanced_amae_orders_as_the_cost_does():
    rng = np.random.default_rng(0)
    stack = np.array([rng.multinomial(200, [0.2] * 5, size=5) for _ in range(50)])
    ratio = metaeval.metric("misclassification_cost")(stack) / metaeval.metric("amae")(stack)
    assert np.ptp(ratio) < 1e-12


def test_002_imbalance_claims_fail_on_the_papers_own_example():
    large, small = (case.matrix for case in BY_ID["002-appendix-b"].cases)
    assert score("kendall_tau_b", large) == pytest.approx(0.8, abs=5e-4)
    assert score("kendall_tau_b", small) == pytest.approx(0.894, abs=5e-4)
    assert score("spearman", large) == pytest.approx(0.833, abs=5e-4)
    assert score("spearman", small) == pytest.approx(0.943, abs=5e-4)


def test_002_monotonicity_example_does_not_hold_for_all_classification_metrics():
    gold = [3, 4, 5]
    far, near = (metaeval.confusion(gold, out, range(1, 6)) for out in ([1, 2, 3], [2, 3, 4]))
    for same in ("accuracy", "macro_recall", "macro_f1", "kendall_tau_b", "spearman", "pearson"):
        assert score(same, far) == pytest.approx(score(same, near), abs=1e-12)
    assert (score("accuracy_within(n=1)", far), score("accuracy_within(n=1)", near)) == (0, 1)
    assert score("cohen_kappa", far) == pytest.approx(-1 / 8)
    assert score("cohen_kappa", near) == pytest.approx(-2 / 7)


def test_004_absent_class_counts_as_free_of_error():
    matrix = case_of("004-table1", "E").matrix
    assert score("amae(absent='zero')", matrix) == pytest.approx(0.5)
    assert score("amae", matrix) == pytest.approx(2 / 3)


def test_004_equation_8_as_printed_is_not_what_was_computed():
    matrix = np.array(case_of("004-table1", "B").matrix)
    items, rows, cols = matrix.sum(), matrix.sum(axis=1), matrix.sum(axis=0)
    common = sum(n * matrix[i:, j:].sum() for (i, j), n in np.ndenumerate(matrix)) - items
    printed_s1 = sum(rows[i] * cols[i:].sum() for i in range(4)) - items
    s2 = sum(cols[i] * cols[i:].sum() for i in range(4)) - items
    assert -1 + 2 * common / np.sqrt(printed_s1 * s2) == pytest.approx(0.64, abs=5e-3)
    assert score("r_int", matrix) == pytest.approx(0.86, abs=5e-3)


def test_004_text_on_tau_b_contradicts_the_table():
    c, d = (case_of("004-table1", name).matrix for name in "CD")
    assert score("kendall_tau_b", d) < score("kendall_tau_b", c)
    assert score("spearman", c) < score("spearman", d)
    assert score("r_int", c) < score("r_int", d)
