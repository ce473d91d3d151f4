"""Sound files of every kind that metaeval reads, made in code: what mutators start from."""

import io
import json

import numpy as np
import pandas as pd

SYSTEMS = ("a", "b", "système")
CLASSES = 4


def labels(rng, rows=24):
    """A wide label table."""
    columns = {"gold": rng.integers(1, CLASSES + 1, rows), "case": rng.integers(0, 3, rows)}
    for name in SYSTEMS:
        wrong = rng.integers(1, CLASSES + 1, rows)
        columns[name] = np.where(rng.random(rows) < 0.6, columns["gold"], wrong)
    return pd.DataFrame(columns)


def long(rng):
    """The same as a row an item and system."""
    wide = labels(rng, 8).drop(columns="case").rename_axis("item").reset_index()
    return wide.melt(["item", "gold"], var_name="system", value_name="prediction")


def stack(rng, count=4):
    """Confusion matrices."""
    return rng.integers(0, 9, (count, CLASSES, CLASSES)) + np.eye(CLASSES, dtype=int)


def table(rng):
    return long(rng) if rng.random() < 0.15 else labels(rng)


def delimited(separator):
    return lambda rng: table(rng).to_csv(sep=separator, index=False).encode()


def jsonl(rng):
    return table(rng).to_json(orient="records", lines=True).encode()


def parquet(rng):
    file = io.BytesIO()
    table(rng).to_parquet(file)
    return file.getvalue()


def matrices_json(rng):
    found = stack(rng).tolist()
    if rng.random() < 0.4:
        found = {f"system {n}": matrix for n, matrix in enumerate(found)}
    return json.dumps(found).encode()


def npy(rng):
    return npy_bytes(stack(rng))


def npy_bytes(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def npz(rng):
    file = io.BytesIO()
    write = np.savez_compressed if rng.random() < 0.5 else np.savez
    write(file, one=stack(rng), two=stack(rng, 1)[0])
    return file.getvalue()


OUTPUTS = """title = "Small"
families = ["majority", "random"]
ratios = [0.1, 0.5]
replicates = 0
seed = 3
metrics = ["mae", "oc(beta=0.75)"]
analyses = ["coverage", "robustness"]
undefined = "zero"

[gold]
cases = 3
items = 12
classes = 3
mean = 1.0
sd = [0.5, 1]

[parameters.majority]
label = "empirical"
"""

MATRICES = """title = "Pairs"
analyses = ["agreement"]
metrics = ["mae", "cem_ord"]
replicates = 0

[matrices]
family = "fixed_accuracy"
pairs = 4

[[setting]]
name = "even"
items = 20
classes = 3
vary = { accuracy = [0.6, 0.8] }
"""


def toml(rng):
    return (OUTPUTS if rng.random() < 0.6 else MATRICES).encode()


METRIC = '''"""A metric."""

import numpy as np


def mae(y_true, y_pred):
    """Mean absolute error."""
    return float(np.abs(y_true - y_pred).mean())
'''


def python(rng):
    return METRIC.encode()


SEEDS = {
    ".csv": delimited(","),
    ".tsv": delimited("\t"),
    ".jsonl": jsonl,
    ".json": matrices_json,
    ".npy": npy,
    ".npz": npz,
    ".parquet": parquet,
    ".toml": toml,
    ".py": python,
}
