"""Registration of families, and plug-ins."""

import logging
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import generators
from generators import GeneratorError, plugins, registry

SEED = np.random.SeedSequence(24)
GOLD = np.array([[0, 1, 2, 1, 0]])


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    """What a test registers is gone afterwards."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


def outputs(family="random", gold=GOLD, **options):
    return generators.outputs(family, gold, **{"classes": 3, "ratio": 1, "rng": SEED, **options})


def matrices(family="fixed_accuracy", **options):
    return generators.matrices(family, **{"count": 2, "rng": SEED, **options})


# what is registered


def test_every_family_describes_itself():
    found = generators.families()
    assert {f.name for f in found} >= {
        *("majority", "random", "tag_displacement", "ordinal_displacement", "proximity"),
        *("fixed_accuracy", "tridiagonal", "single_sample", "dispersed"),
        *("given_marginals", "noisy_kernel"),
    }
    for family in found:
        assert family.kind in ("outputs", "matrices")
        assert family.description.endswith(".")
        assert "`" not in family.description
        assert isinstance(family.parameters, dict)
    assert [f.kind for f in found] == sorted((f.kind for f in found), reverse=True)


def test_parameters_are_read_from_the_function():
    parameters = {f.name: f.parameters for f in generators.families()}
    assert parameters["fixed_accuracy"] == {
        "items": 400,
        "classes": 4,
        "accuracy": 0.6,
        "largest": 0.5,
        "mode": "overall",
        "diagonal": "sequential",
        "errors": "sequential",
    }
    assert parameters["majority"] == {"label": 3}


def test_families_make_a_frame():
    frame = pytest.importorskip("pandas").DataFrame(generators.families())
    assert list(frame) == ["name", "kind", "parameters", "paper", "description"]


def test_numpy_is_all_that_is_imported():
    program = (
        "import sys; before = set(sys.modules); import numpy, generators; generators.families();"
        "new = {m.partition('.')[0] for m in set(sys.modules) - before};"
        "print(sorted(new & {'metaeval', 'pandas', 'scipy', 'sklearn', 'joblib', 'typer'}))"
    )
    environment = {"METAEVAL_NO_PLUGINS": "1", "PYTHONPATH": ":".join(sys.path)}
    run = [sys.executable, "-c", program]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# a user's own


def test_a_users_outputs():
    @generators.register(kind="outputs", paper="mine")
    def downwards(gold, classes, rng, *, by=1):
        """Lower classes.

        More about it.
        """
        return np.maximum(gold - by, 0)

    assert outputs("downwards").tolist() == [[0, 0, 1, 0, 0]]
    assert outputs("downwards", by=2).tolist() == [[0] * 5]
    found = next(f for f in generators.families() if f.name == "downwards")
    expected = generators.Family("downwards", "outputs", {"by": 1}, "mine", "Lower classes.")
    assert found == expected
    assert downwards(GOLD, 3, None).shape == GOLD.shape  # still the function itself


def test_a_users_matrices_with_a_required_parameter():
    @generators.register(kind="matrices", name="filled")
    def f(count, rng, *, value):
        return np.full((count, 2, 2), value)

    assert matrices("filled", value=3).tolist() == [[[3, 3], [3, 3]]] * 2
    assert {f.name: f.parameters for f in generators.families()}["filled"] == {
        "value": generators.REQUIRED
    }
    with pytest.raises(GeneratorError, match=r"^filled needs the parameter 'value'$"):
        matrices("filled")


def test_streams_do_not_shift_with_the_registry():
    before = outputs("proximity"), matrices("dispersed", count=50)

    @generators.register(kind="outputs")
    def a_first_one(gold, classes, rng):
        return gold

    del registry._registered["majority"]
    after = outputs("proximity"), matrices("dispersed", count=50)
    assert all((one == two).all() for one, two in zip(before, after, strict=True))


def test_registering_again_replaces_only_the_same_function():
    def cell(value):
        @generators.register(kind="outputs")
        def mine(gold, classes, rng):
            return np.full_like(gold, value)

    cell(1)
    cell(2)
    assert (outputs("mine") == 2).all()
    with pytest.raises(GeneratorError, match=r"^a family named 'random' is already registered$"):

        @generators.register(kind="outputs")
        def random(gold, classes, rng):
            return gold


@pytest.mark.parametrize(
    "function",
    [
        lambda gold, classes: gold,
        lambda gold, classes, rng, shift: gold,
        lambda gold, classes, rng, **options: gold,
        lambda *given: given,
    ],
)
def test_a_family_has_to_be_written_in_one_way(function):
    with pytest.raises(GeneratorError, match=r"must be written \(gold, classes, rng, \*, option"):
        generators.register(kind="outputs")(function)


@pytest.mark.parametrize(
    ("made", "complaint"),
    [
        (lambda g: g[:, :1], "odd must return integers of shape"),
        (lambda g: g / 2, "odd must return integers of shape"),
        (lambda g: g + 1, "labels of odd must lie in 0..2 for 3 classes, got 3"),
    ],
)
def test_what_a_users_outputs_return_is_checked(made, complaint):
    generators.register(kind="outputs", name="odd")(lambda gold, classes, rng: made(gold))
    with pytest.raises(GeneratorError, match=complaint):
        outputs("odd")


@pytest.mark.parametrize("shape", [(1024, 3), (1024, 2, 3), (5, 2, 2)])
def test_what_a_users_matrices_return_is_checked(shape):
    generators.register(kind="matrices", name="odd")(lambda count, rng: np.zeros(shape, int))
    with pytest.raises(GeneratorError, match=r"odd must return integers of shape \(1024, K, K\)"):
        matrices("odd")


# plug-ins

GOOD = """
    import generators
    generators.families()  # looking around while being imported does no harm
    @generators.register(kind="outputs")
    def plugged(gold, classes, rng):
        "From a plug-in."
        return gold
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Installs a module as a plug-in of the group, as pip would."""

    def installed(name, source, value=None):
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(source))
        folder = tmp_path / f"{name}-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Name: {name}\nVersion: 1\n")
        points = f"[metaeval.generators]\n{name} = {value or name}\n"
        (folder / "entry_points.txt").write_text(points)

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "_groups_to_load", ["metaeval.generators"])
    monkeypatch.delenv(plugins.SWITCH, raising=False)
    before = set(sys.modules)
    yield installed
    for name in set(sys.modules) - before:
        del sys.modules[name]


def names():
    return {f.name for f in generators.families()}


def test_plugins_are_loaded_on_the_first_look_up(install):
    install("good_plugin", GOOD, "good_plugin:plugged")
    assert "good_plugin" not in sys.modules
    assert (outputs("plugged") == GOLD).all()
    assert "plugged" in names()


def test_broken_plugins_are_reported_in_one_line_each_and_skipped(install, caplog):
    install("a_raises", "raise RuntimeError('first line\\nsecond line')")
    install("b_exits", "raise SystemExit(3)")
    install("c_missing", "", "no_such_module:thing")
    install("d_lacks", "", "d_lacks:thing")
    install("e_clashes", GOOD.replace("plugged", "proximity"))
    install("good_plugin", GOOD)
    with caplog.at_level(logging.WARNING, logger="metaeval"):
        assert "plugged" in names()
        names()  # nothing is reported twice
    lines = [record.getMessage() for record in caplog.records]
    assert [line.split()[1] for line in lines] == [
        *("a_raises", "b_exits", "c_missing", "d_lacks", "e_clashes")
    ]
    assert lines[0] == (
        "plug-in a_raises (a_raises, metaeval.generators) skipped: "
        "RuntimeError: first line second line"
    )
    assert all("\n" not in line for line in lines)
    assert {record.name for record in caplog.records} == {"metaeval"}


def test_plugins_can_be_switched_off(install, monkeypatch):
    install("good_plugin", GOOD)
    monkeypatch.setenv("METAEVAL_NO_PLUGINS", "1")
    assert list(plugins.load("metaeval.generators")) == []
    assert "plugged" not in names()
    monkeypatch.setenv("METAEVAL_NO_PLUGINS", "0")
    assert [name for name, _ in plugins.load("metaeval.generators")] == ["good_plugin"]


def test_the_loader_serves_any_group(install):
    install("good_plugin", GOOD, "good_plugin:plugged")
    ((name, loaded),) = plugins.load("metaeval.generators")
    assert name == "good_plugin"
    assert callable(loaded)
    assert list(plugins.load("metaeval.no-such-group")) == []
