"""What `metaeval check` does between its options and its output."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from metaeval.errors import InputError
from metaeval.measures.registry import definitions
from metaeval.properties import catalogue
from metaeval.properties.checking import check_all
from metaeval.properties.loading import read_arguments
from metaeval.properties.report import SYMBOLS, PropertyReport
from metaeval.properties.scores import TOLERANCE
from metaeval.reporting.plain import plain, screened


def run(
    metrics: Sequence[str],
    *,
    everything: bool,
    properties: Sequence[str] | None,
    required: Sequence[str] | None,
    format: str,
    arguments: Sequence[str],
    out: Path | None = None,
    force: bool = False,
    command: Sequence[str] = (),
    **options: Any,
) -> list[str]:
    """Check, print or write a page, and say which required properties do not hold."""
    wanted = [*(definitions() if everything else ()), *metrics]
    if not wanted:
        raise InputError("name a metric to check, or use --all for all registered ones")
    needed = split(required)
    chosen = split(properties)
    if chosen is not None:
        chosen += needed or []
    if arguments:
        options["arguments"] = read_arguments(arguments)
    catalogue.choose(chosen)
    catalogue.choose(needed)
    if out is not None:
        from metaeval.reporting.writing import check_page

        check_page(out, force)
    report = check_all(wanted, properties=chosen, **options)
    if out is not None or format == "html":
        _page(report, out, force, command, options)
    else:
        sys.stdout.write(screened(render_report(report, format, wide=everything), format))
    if needed is None:
        return []
    return [
        f"{f.metric}: {f.property} is required, but the outcome is {f.outcome}"
        for f in report.failures(needed)
    ]


def _page(
    report: PropertyReport,
    out: Path | None,
    force: bool,
    command: Sequence[str],
    options: Mapping[str, Any],
) -> None:
    """The page into a file, or on stdout."""
    from metaeval.reporting.atlas import atlas_page
    from metaeval.reporting.html import render_page
    from metaeval.reporting.writing import write_page

    stated = ("seed", "max_items", "max_classes", "budget", "time_limit")
    known = {name: options.get(name) for name in stated}
    settings = [(name.replace("_", " "), str(v)) for name, v in known.items() if v is not None]
    page = atlas_page(report, command, settings)
    if out is None:
        sys.stdout.write(render_page(page))
        return
    write_page(page, out, force)
    sys.stdout.write(f"{plain(page.headline).replace('`', '')}\n{plain(out)}\n")


def split(names: Sequence[str] | None) -> list[str] | None:
    """Names that were repeated or joined by commas."""
    if not names:
        return None
    return [part.strip() for name in names for part in name.split(",") if part.strip()]


def render_report(report: PropertyReport, format: str, *, wide: bool = False) -> str:
    """The report as text; `wide` is one row a metric and one column a property."""
    from metaeval.reporting.tables import render

    if format == "json":
        return render(report.frame, "json")
    if format == "csv":
        return render(report.atlas if wide else report.frame, "csv")
    if wide:
        known = catalogue.properties()
        short = report.atlas.rename(columns={name: p.short for name, p in known.items()})
        legend = f"{LEGEND}\n" if format == "table" else ""
        return render(short, format) + legend
    table = render(report.summary, format)
    return table + (drawn(report) if format == "table" else "")


LEGEND = "  ".join(f"{mark} {outcome}" for outcome, mark in SYMBOLS.items()) + (
    "  (✗ N·K: the smallest counterexample has N items and K classes)"
)


def drawn(report: PropertyReport) -> str:
    """Every violation, drawn, and the tolerance of the comparisons."""
    import io
    import shutil

    from rich.console import Console

    from metaeval.properties.drawing import show

    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else 100
    text = io.StringIO()
    console = Console(file=text, width=width, force_terminal=terminal)
    for example in report.counterexamples:
        console.print()
        show(console, example)
    console.print(
        f"\nScores that differ by at most {TOLERANCE:g} (times the larger of 1 and their "
        "magnitudes) count as the same."
    )
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"
