"""The command `bundlesvc`: its groups, and the errors of all commands."""

import gc
from importlib import import_module
from typing import Any, cast

import click

from bundlesvc import __version__
from bundlesvc.cli.output import fail
from bundlesvc.domain.errors import BundlesvcError
from bundlesvc.settings import SettingsInvalid

COMMANDS = {
    "serve": "serve",
    "load": "load",
    "lint": "lint",
    "preview": "preview",
    "keys": "keys",
    "shops": "shops",
    "subscriptions": "subscriptions",
    "reminders": "reminders",
    "ghosts": "ghosts",
    "discount": "discount",
    "platform": "platform",
    "db": "database",
    "doctor": "doctor",
}
"""The module of each command."""


class _Commands(click.Group):
    """Imports a command when it is called: listing keys does not need the web library."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module: Any = import_module(f"bundlesvc.cli.{COMMANDS[cmd_name]}")
        if not gc.isenabled():  # see `main`
            gc.freeze()
            gc.enable()
        return cast("click.Command", getattr(module, cmd_name))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="bundlesvc %(version)s")
def cli() -> None:
    """The headless API for product bundles that shops host themselves.

    Settings are environment variables; the README lists them.
    """


def main() -> None:
    """The process `bundlesvc`. While it imports the command, the cyclic collector would take a fifth of the time, and find
    nothing."""
    gc.disable()
    run_command()


def run_command() -> None:
    """Run the command line. An error is one sentence on standard error, with exit status 1."""
    try:
        cli()
    except SettingsInvalid as error:
        fail(f"invalid settings:\n{error}")
    except BundlesvcError as error:
        fail(f"{error}{_reason(error)}")
    except UnicodeEncodeError:
        fail("an argument contains bytes that are not text.")
    except OSError as error:
        fail(f"{error.filename or 'the system'}: {error.strerror}.")


def _reason(error: BaseException) -> str:
    """The message of the database in brackets; empty when there is none."""
    while error.__cause__ is not None:
        error = error.__cause__
    reason = error.strerror if isinstance(error, OSError) else str(error).partition("\n")[0]
    return "" if isinstance(error, BundlesvcError) or not reason else f" ({reason})"
