"""Requires confirmation of what a command is about to do: the `--yes` option, or an answer at the terminal."""

import sys

import click

from bundlesvc.cli.terminal.output import fail
from bundlesvc.printable import printable

YES_OPTION = click.option(
    "--yes", is_flag=True, help="Make the change. Without this, the command only prints what it would do."
)
YES_WITHOUT_QUESTION = click.option("--yes", is_flag=True, help="Do not ask for confirmation.")


def confirm(consequence: str, *, yes: bool) -> None:
    """End the command unless `--yes` was given."""
    if not yes:
        fail(f"{consequence} Add --yes to do it.")


def ask(consequence: str, *, yes: bool) -> None:
    """Ask for confirmation at a terminal, and end the command unless the answer is yes. Without a terminal, `--yes` is
    required."""
    if yes:
        return
    if not sys.stdin.isatty():
        confirm(consequence, yes=False)
    if not click.confirm(f"{printable(consequence)} Continue?", err=True):
        fail("nothing was changed.")
