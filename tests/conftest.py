"""Shared settings: hypothesis runs the same examples everywhere, and plug-ins stay out."""

import os

from hypothesis import HealthCheck, settings

os.environ["METAEVAL_NO_PLUGINS"] = "1"
settings.register_profile(
    "metaeval",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("metaeval")
