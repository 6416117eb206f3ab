"""`bundlesvc db copy`: copies a database to another file or server."""

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bundlesvc.cli.environment.database import current_database, fail_without_file
from bundlesvc.cli.terminal.output import fail
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.address import database_address, shown
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.parts.whole_tables import row_counts
from bundlesvc.storage.maintenance.copying import Report, copy_database
from bundlesvc.storage.maintenance.unfinished_copy import EMPTY_IT, CopyFailed

LINE_ROWS = 100_000
"""Rows between two lines of progress when the output is not a terminal."""


def _address(_context: click.Context, _option: click.Parameter, url: str) -> str:
    try:
        return database_address(url)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


@click.command()
@click.option("--to", "target", required=True, metavar="URL", callback=_address,
              help="The new database, as in DATABASE_URL. The password may be in PGPASSWORD or ~/.pgpass.")  # fmt: skip
def copy(target: str) -> None:
    """Copy the database at DATABASE_URL to another database.

    Copies from SQLite to PostgreSQL or back, or between two files or two servers. The target must be empty: a new SQLite file, or
    a PostgreSQL database without rows. At the end, the command counts all rows of the copy and compares them with those of the
    source.

    Stop the service first. The copy is a consistent snapshot even while the service is running, but it lacks whatever is written
    to the source in the meantime. If the number of rows in a table of the source has changed by the end of the copy, the exit
    status is 1.

    After an interruption, run the same command again: it continues, unless rows that were already copied have changed in the
    source. Until the copy is complete, the service does not start on the target.
    """
    settings = Settings.from_environment()
    fail_without_file(settings, "copy")
    begun = time.monotonic()
    try:
        counts, missing = asyncio.run(_copy(settings, target))
    except CopyFailed as failure:
        fail(f"{shown(target)}: {failure}")
    rows = sum(counts.values())
    click.echo(f"{shown(target)}: {rows:,} rows copied in {time.monotonic() - begun:.0f} s. All are equal.", err=True)
    for table, count in missing.items():
        click.echo(f"{table}: the source now has {count:,} rows, and the copy {counts[table]:,}.", err=True)
    if missing:
        fail(f"the source was written to meanwhile, and the copy lacks that. Stop the service. {EMPTY_IT}")


async def _copy(settings: Settings, target: str) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Copy the database. Returns the number of rows in each table, and the new row counts of the source tables that have changed
    in the meantime."""
    name = shown(settings.database)
    async with current_database(settings) as source:
        if name == shown(target):
            raise CopyFailed("The target is the source.")
        async with open_database(target) as copied:
            with _progress() as report:
                counts = await copy_database(source, copied, name, report)
        now = await source.read(row_counts)
    return counts, {table: count for table, count in now.items() if count != counts[table]}


@contextmanager
def _progress() -> Iterator[Report]:
    """Show progress: on a terminal, a bar for each table; elsewhere, lines of text."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _print_line
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console) as bars:
        tasks = {}

        def report(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(step)
            bars.update(tasks[step], completed=done, total=total)

        yield report


def _print_line(step: str, done: int, total: int) -> None:
    if done == total or done % LINE_ROWS == 0:
        click.echo(f"{step}: {done:,} of {total:,} rows.", err=True)
