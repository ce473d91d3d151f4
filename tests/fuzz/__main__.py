"""python -m tests.fuzz --inputs 20000 --seed 1: malformed files through the command line."""

import argparse
import sys
from pathlib import Path

from tests.fuzz.campaign import campaign

parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
parser.add_argument("--inputs", type=int, default=20_000)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--keep", type=Path, help="folder for the inputs that fail")
given = parser.parse_args()
result = campaign(
    given.inputs, given.seed, given.keep, lambda line: print(line, file=sys.stderr, flush=True)
)
print("\n".join(result.lines()))
sys.exit(1 if result.failures else 0)
