"""Long jobs: fixed units of work on all cores or a cluster, kept when finished, never lost.

A job is a list of units that depends on the task alone, and a function that turns one unit into
arrays. Whoever does the units, and in whatever order, the results are the same to the byte.
"""

from __future__ import annotations

from metaeval.execution.how import BACKENDS, Execution, Jobs, settle
from metaeval.execution.running import Kind, run

__all__ = ["BACKENDS", "Execution", "Jobs", "Kind", "run", "settle"]
