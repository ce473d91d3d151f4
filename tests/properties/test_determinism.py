"""Same seed, same bytes, whatever the number of workers."""

from metaeval.properties import check, check_all
from tests.properties import metrics


def text(report):
    return report.frame.to_json(orient="records")


def test_same_seed_same_report():
    assert text(check("kendall_tau_b", seed=5)) == text(check("kendall_tau_b", seed=5))


def test_the_number_of_workers_changes_nothing():
    names = ["monotonicity", "symmetry", "class-size-invariance"]
    one, two = (
        check(metrics.accuracy, names, max_items=3, max_classes=3, seed=2, jobs=jobs, samples=10)
        for jobs in (1, 2)
    )
    assert text(one) == text(two)


def test_the_order_of_metrics_and_other_properties_change_nothing():
    chosen = ["mae", "oc", "accuracy", "mer", "cem_ord"]
    many = check_all(chosen, ["monotonicity", "symmetry"], jobs=2)
    assert list(many.frame["metric"][::2]) == chosen
    for key in chosen:
        alone = check(key, "symmetry").finding("symmetry")
        assert alone == many.finding("symmetry", key)


def test_another_seed_draws_others():
    from metaeval.properties.catalogue import properties
    from metaeval.properties.sampling import draw, np

    first, second = (
        draw(properties()["symmetry"], 5, 10, 6, 100, np.random.default_rng(seed))
        for seed in (1, 2)
    )
    assert (first != second).any()
