"""The commands of this room, run as the command line runs them."""

from unittest import mock

import typer

from metaeval.cli.agree import agree
from metaeval.cli.study import studies, study
from tests.cli import command

app = typer.Typer(pretty_exceptions_enable=False)
for function in (agree, study, studies):
    app.command()(function)


def metaeval(*arguments):
    with mock.patch("metaeval.cli.app", app):
        return command.metaeval(*arguments)


def refused(*arguments):
    return command.refused(*arguments, run=metaeval)
