"""The `metaeval` command: parses, calls, prints. One file a command, imported when it runs."""

from __future__ import annotations

import sys

import typer

from metaeval.cli.agree import agree
from metaeval.cli.bench import bench
from metaeval.cli.check import check
from metaeval.cli.evaluate import evaluate
from metaeval.cli.generate import generate
from metaeval.cli.metrics import metrics
from metaeval.cli.new_metric import new_metric
from metaeval.cli.properties import properties
from metaeval.cli.report import report
from metaeval.cli.reproduce import reproduce
from metaeval.cli.score import score
from metaeval.cli.study import studies, study

app = typer.Typer(
    name="metaeval",
    help="Which metric should I trust for ordered classes?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
for command in (
    report,
    evaluate,
    check,
    agree,
    score,
    generate,
    study,
    reproduce,
    bench,
    metrics,
    new_metric,
    properties,
    studies,
):
    app.command()(command)


def main() -> None:
    """Run the command line; bad input becomes one sentence on stderr and exit code 2."""
    try:
        app()
    except KeyboardInterrupt:
        print("metaeval: interrupted", file=sys.stderr)
        raise SystemExit(130) from None
    except BrokenPipeError:
        # The reader went away (metaeval ... | head); there is nobody to tell.
        sys.stderr.close()
        raise SystemExit(0) from None
    except Exception as problem:
        # Not `except _input_errors()`: that would import numpy whenever a command ends.
        if not isinstance(problem, _input_errors()):
            raise
        from metaeval.reporting.plain import brief

        lack = "not enough memory: " if isinstance(problem, MemoryError) else ""
        print(f"metaeval: {lack}{brief(problem)}", file=sys.stderr)
        raise SystemExit(2) from None


def _input_errors() -> tuple[type[Exception], ...]:
    """What means bad input; asked for only when something went wrong, to keep starting fast."""
    from generators import GeneratorError
    from metaeval.errors import InputError

    return InputError, GeneratorError, MemoryError
