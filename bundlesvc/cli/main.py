"""The command `bundlesvc`: its groups and what every command shares."""

import click

from bundlesvc.cli.database import db
from bundlesvc.cli.discount import discount
from bundlesvc.cli.failing import fail
from bundlesvc.cli.keys import keys
from bundlesvc.cli.lint import lint
from bundlesvc.cli.load import load
from bundlesvc.cli.reminders import reminders
from bundlesvc.cli.serve import serve
from bundlesvc.cli.shops import shops
from bundlesvc.cli.subscriptions import subscriptions
from bundlesvc.domain.errors import BundlesvcError
from bundlesvc.settings import SettingsInvalid


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="bundlesvc", message="bundlesvc %(version)s")
def cli() -> None:
    """The headless API for product bundles that shops host themselves.

    Settings come from the environment; the README lists them.
    """


for command in (serve, load, lint, keys, shops, subscriptions, reminders, db, discount):
    cli.add_command(command)


def main() -> None:
    """Run the command line; what goes wrong is one sentence on standard error, and exit status 1."""
    try:
        cli()
    except SettingsInvalid as error:
        fail(f"these settings cannot be used:\n{error}")
    except BundlesvcError as error:
        reason = f" ({error.__cause__})" if error.__cause__ else ""
        fail(f"{error}{reason}")
