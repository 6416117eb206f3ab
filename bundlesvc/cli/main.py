"""The `bundlesvc` command: its command groups, and the handling of errors from all commands."""

import gc
import platform
from importlib import import_module
from typing import Any, cast

import click

from bundlesvc import __version__
from bundlesvc.cli.terminal.output import fail
from bundlesvc.domain.errors import BundlesvcError, StorageUnavailable
from bundlesvc.serving.start_refused import StartRefused
from bundlesvc.settings.environment import Settings, SettingsInvalid
from bundlesvc.storage.database.damage import DocumentDamaged

GROUPS = {
    "Run": {"init": "init.init", "serve": "serve.serve"},
    "Shop files": {
        "load": "shop_file.load",
        "pull": "shop_file.pull",
        "export": "shop_file.export",
        "lint": "shop_file.lint",
        "diff": "revisions.diff",
        "preview": "preview",
        "schema": "shop_file.schema",
        "stock": "shop_file.catalogue",
        "prices": "shop_file.catalogue",
    },
    "Revisions": {"revisions": "revisions.revisions"},
    "Keys and shops": {"keys": "access.keys", "shops": "shops", "usage": "access.usage", "secrets": "secrets"},
    "Events": {"webhooks": "events.webhooks"},
    "Orders": {"orders": "orders.orders", "reports": "reports.reports", "experiments": "experiments.experiments"},
    "Shoppers": {
        "shoppers": "shoppers.shoppers",
        "subscriptions": "shoppers.subscriptions",
        "reminders": "shoppers.reminders",
    },
    "The platform": {"platform": "platform.platform", "ghosts": "ghosts", "discount": "discount"},
    "Database and health": {"db": "database.db", "doctor": "doctor.doctor"},
}
"""The module of each command, grouped by the headings of the help."""

COLUMN_SPACE = 6
"""The number of spaces before, between and after the two columns of a list of commands, as click counts them."""

COMMANDS = {name: module for group in GROUPS.values() for name, module in group.items()}


class _Commands(click.Group):
    """A command group that imports a command only when it is called, so that listing keys does not load the web library."""

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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under the headings of their groups, with all summaries in one column."""
        width = max(map(len, COMMANDS))
        for heading, names in GROUPS.items():
            commands = {name: command for name in names if (command := self.get_command(ctx, name))}
            with formatter.section(heading):
                formatter.write_dl(
                    [
                        (name.ljust(width), command.get_short_help_str(formatter.width - width - COLUMN_SPACE))
                        for name, command in commands.items()
                    ]
                )


def _print_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's
    if wanted:
        from bundlesvc.storage.migrations.schema import HEAD  # noqa: PLC0415 - imports SQLAlchemy

        click.echo(f"bundlesvc {__version__} (schema {HEAD}, Python {platform.python_version()})")
        context.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version,
              help="Show the versions of bundlesvc, of its database schema and of Python, and exit.")  # fmt: skip
def cli() -> None:
    """The self-hosted headless API for product bundles.

    Settings are environment variables; the README lists them.
    """


def main() -> None:
    """Run the `bundlesvc` command. Garbage collection is off during imports, when it would take time and free nothing."""
    gc.disable()
    run_command()


def run_command() -> None:
    """Run the command line. Prints an error as a message on standard error, and exits with status 1."""
    try:
        cli()
    except SettingsInvalid as error:
        fail(f"invalid settings:\n{error}")
    except StorageUnavailable as error:
        reason = _reason(error)
        fail(f"{error}{reason}{_database_name() if reason else ''}")
    except BundlesvcError as error:
        fail(f"{error}{_reason(error)}")
    except (DocumentDamaged, StartRefused) as error:
        fail(str(error))
    except UnicodeEncodeError:
        fail("an argument contains bytes that are not text.")
    except OSError as error:
        fail(f"{error.filename or 'the system'}: {error.strerror}.")


def _database_name() -> str:
    from bundlesvc.storage.database.address import shown  # noqa: PLC0415 - commands without a database do not need it

    return f" DATABASE_URL names it: {shown(Settings.from_environment().database)}"


def _reason(error: BaseException) -> str:
    """Return the database's own error message in parentheses, or an empty string if there is none."""
    while error.__cause__ is not None:
        error = error.__cause__
    reason = error.strerror if isinstance(error, OSError) else str(error).partition("\n")[0]
    return "" if isinstance(error, BundlesvcError) or not reason else f" ({reason})"
