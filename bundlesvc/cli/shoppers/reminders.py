"""`bundlesvc reminders`: lists stock reminders, and deletes e-mail addresses from them."""

import csv
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

import click
import orjson

from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.terminal.output import counted, fail, print_table
from bundlesvc.cli.terminal.rows import spreadsheet_cell
from bundlesvc.domain.subscription import is_email
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.shoppers.reminders import SqlReminders, StoredReminder

FORMATS = ("text", "json", "csv")


@click.group()
def reminders() -> None:
    """List reminders, and delete e-mail addresses."""


@reminders.command("list")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True,
              help="csv is for spreadsheets, json for the tool that writes the e-mails.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def list_reminders(form: str, *, as_json: bool) -> None:
    """List all stock reminders, oldest first."""

    async def use(database: Database) -> Sequence[StoredReminder]:
        return await SqlReminders(database).all()

    rows = [described(reminder) for reminder in with_database(use)]
    if as_json or form == "json":
        click.echo(orjson.dumps(rows))
    elif form == "csv":
        # All cells are quoted, because a spreadsheet that uses semicolons as separators would otherwise split cells that
        # contain semicolons.
        writer = csv.DictWriter(sys.stdout, _COLUMNS, quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows({name: spreadsheet_cell(str(value)) for name, value in row.items()} for row in rows)
    else:
        print_table(rows)


@reminders.command()
@click.argument("address")
def forget(address: str) -> None:
    """Delete ADDRESS from all reminders, at its owner's request."""
    check_address(address)
    count = with_database(lambda database: SqlReminders(database).forget(address))
    click.echo(f"{address}: removed from {counted(count, 'reminder')}.", err=True)


def check_address(text: str) -> None:
    """Exit with an error unless the text is an e-mail address."""
    if not is_email(text):
        fail(f"{text} is not an e-mail address.")


_COLUMNS = ("shop", "variantId", "email", "bundleName", "created")


def described(reminder: StoredReminder) -> dict[str, object]:
    """Format a reminder as a row that the commands print."""
    created = datetime.fromtimestamp(reminder.created_at, UTC).isoformat()
    values = (reminder.shop, str(reminder.variant_id), reminder.email, reminder.bundle_name, created)
    return dict(zip(_COLUMNS, values, strict=True))
