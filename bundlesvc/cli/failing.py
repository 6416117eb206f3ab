"""How a command says that it cannot do what it was asked."""

import sys
from typing import NoReturn

import click

from bundlesvc.printable import printable_lines


def fail(message: str) -> NoReturn:
    """One sentence on standard error, with how to mend it; exit status 1."""
    click.echo(f"bundlesvc: {printable_lines(message)}", err=True)
    sys.exit(1)
