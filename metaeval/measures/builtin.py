"""Imports every family, which registers the built-in metrics, and states the catalogue's order."""

from metaeval.measures import (  # noqa: I001  the order is the catalogue's
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

# Where the metrics of a module stand; a module may have been imported on its own before.
ORDER = {
    module.__name__: place
    for place, module in enumerate(
        (
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
    )
}
