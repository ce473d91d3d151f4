"""Write examples/judges.csv: twelve invented judges that grade answers from 1 to 5.

The table is generated, not observed: no model was asked anything. It looks like the outputs of
LLM judges against human grades: ten queries (the test cases), thirty answers each, some judges
a little off, some systematically lenient or stuck on one grade, some erratic.

python examples/make_judges.py [FILE]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

import generators

SEED = 20
GRADES = 5

# Judge: the family of its errors, the share of answers that it gets wrong, parameters.
JUDGES = {
    "judge-a": ("proximity", 0.15, {}),
    "judge-b": ("proximity", 0.25, {}),
    "judge-c": ("proximity", 0.35, {}),
    "judge-d": ("proximity", 0.50, {}),
    "judge-e": ("tag_displacement", 0.25, {}),
    "judge-f": ("tag_displacement", 0.45, {}),
    "judge-g": ("ordinal_displacement", 0.30, {"shift": 0.2}),
    "judge-h": ("ordinal_displacement", 0.60, {"shift": 0.2}),
    "judge-i": ("majority", 0.30, {"label": 3}),
    "judge-j": ("majority", 0.60, {"label": 3}),
    "judge-k": ("random", 0.20, {}),
    "judge-l": ("random", 0.50, {}),
}


def judges() -> pd.DataFrame:
    """A row an answer: its query, its grade, and what each judge says."""
    root = np.random.SeedSequence(SEED)
    gold = generators.gold(cases=10, items=30, classes=GRADES, mean=2.5, sd=(0.8, 1.4), rng=root)
    queries = [f"query-{number:02}" for number in range(1, len(gold) + 1)]
    columns = {"case": np.repeat(queries, gold.shape[1]), "gold": gold.ravel() + 1}
    for name, (family, ratio, parameters) in JUDGES.items():
        said = generators.outputs(family, gold, classes=GRADES, ratio=ratio, rng=root, **parameters)
        columns[name] = said.ravel() + 1
    return pd.DataFrame(columns)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "judges.csv"
    judges().to_csv(target, index=False, lineterminator="\n")
