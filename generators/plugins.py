"""Loading of installed plug-ins through entry points; no plug-in can stop the program."""

import contextlib
import logging
import os
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points

import numpy as np

SWITCH = "METAEVAL_NO_PLUGINS"


def load(group: str) -> Iterator[tuple[str, object]]:
    """Name and loaded object of every entry point of ``group``, by name.

    A plug-in that cannot be loaded is reported in one line on the logger ``metaeval`` and skipped.
    With the environment variable METAEVAL_NO_PLUGINS=1 nothing is loaded.
    """
    if os.environ.get(SWITCH, "0") not in ("", "0"):
        return
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        try:
            # What a plug-in prints or sets while it is imported must not touch the results.
            with contextlib.redirect_stdout(sys.stderr), np.errstate():
                loaded = point.load()
        except (Exception, SystemExit) as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            logging.getLogger("metaeval").warning(
                "plug-in %s (%s, %s) skipped: %s", point.name, point.value, group, reason
            )
        else:
            yield point.name, loaded
