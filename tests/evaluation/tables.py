"""Small tables of outputs for the tests."""

import numpy as np
import pandas as pd


def outputs_frame(items=60, systems=4, cases=3, classes=4, seed=1):
    """Systems a, b, c, ... that get worse; cases of different sizes."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, classes + 1, items)
    columns = {"gold": gold, "case": [f"q{n}" for n in np.sort(rng.integers(0, cases, items))]}
    for number in range(systems):
        off = rng.integers(-2, 3, items) * (rng.random(items) < 0.2 + 0.15 * number)
        columns["abcdefgh"[number]] = np.clip(gold + off, 1, classes)
    return pd.DataFrame(columns)
