"""Systems whose names mean harm."""

import numpy as np
import pandas as pd

from metaeval.reporting.given import read_given

HOSTILE = "<script>alert(1)</script>"
FORMULA = "=HYPERLINK('http://x.invalid')"
ODD = "$\\alpha_1$ & \x1b[31mred\u202e {x} %"


def systems(folder):
    """A label table in a file, read as `metaeval report --data` reads it."""
    rng = np.random.default_rng(0)
    gold = rng.choice(4, 240, p=[0.1, 0.3, 0.4, 0.2])
    near = [np.clip(gold + rng.integers(-s, s + 1, 240), 0, 3) for s in (1, 2, 3)]
    columns = {"gold": gold, "case": np.arange(240) % 6, "fine": gold}
    columns |= dict(zip((HOSTILE, FORMULA, ODD), near, strict=True))
    path = folder / "judges.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return read_given(path)
