"""Imports every family, which registers the built-in metrics in the order of the catalogue."""

from metaeval.measures import (  # noqa: F401, I001  the order is the catalogue's
    nominal,
    chance,
    distance,
    rank,
    information,
    quantification,
    path,
    path_area,
    path_general,
    closeness,
    cost,
)
