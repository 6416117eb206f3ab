"""`bundlesvc db`: upgrades, checks, copies, backs up and prunes the database."""

import asyncio
from dataclasses import replace
from pathlib import Path

import click

from bundlesvc.cli.database.check import check
from bundlesvc.cli.database.copying import copy
from bundlesvc.cli.environment.database import fail_without_file, with_database
from bundlesvc.cli.environment.upgrading import upgrade_database
from bundlesvc.cli.terminal.collected_warnings import collected_warnings
from bundlesvc.cli.terminal.output import counted, fail
from bundlesvc.cli.terminal.whole_number import WholeNumber
from bundlesvc.printable import printable
from bundlesvc.private_files import make_folder
from bundlesvc.settings.environment import DAY, MAX_DAYS, Settings
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.maintenance.backups import backup_name, backups_in
from bundlesvc.storage.maintenance.housekeeping import backup as back_up_database
from bundlesvc.storage.maintenance.housekeeping import prune as prune_database
from bundlesvc.storage.migrations.schema import HEAD
from bundlesvc.system import SystemClock

YEAR = 365
"""The number of days that `db prune` uses when neither the option nor the setting is given."""


@click.group()
def db() -> None:
    """Upgrade, check, copy, back up and prune the database."""


db.add_command(check)
db.add_command(copy)


@db.command("upgrade")
def upgrade_command() -> None:
    """Create the tables, or upgrade them.

    A SQLite file is first backed up to a new file next to it. Stop the service before you upgrade: the file is upgraded only
    while no other process uses it.
    """
    changed = asyncio.run(upgrade_database(Settings.from_environment(), _say))
    click.echo(f"The tables are {'now' if changed else 'already'} at version {HEAD}.", err=True)


def _say(sentence: str) -> None:
    click.echo(f"bundlesvc: {printable(sentence)}", err=True)


@db.command()
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--keep", type=WholeNumber(1, 10000), metavar="N",
              help="TARGET is a folder: delete all but its newest N backups.")  # fmt: skip
def backup(target: Path, keep: int | None) -> None:
    """Copy a SQLite database to TARGET.

    TARGET is a new file, or a folder. In a folder, the name of the copy contains the time: backup-20261122T020508Z.db. A backup
    never overwrites a file, and is consistent even while the service is running. It contains the tables as they are, whatever
    their version.
    """
    settings = Settings.from_environment()
    source = settings.database_file
    if source is None:
        fail("the database is PostgreSQL: back it up with pg_dump.")
    folder = target
    if keep is not None or target.is_dir():
        target = folder / backup_name(SystemClock().now())
    if target.exists():
        fail(f"{target} exists already; a backup never overwrites a file.")
    fail_without_file(settings, "back up")
    make_folder(target.parent)
    asyncio.run(back_up_database(source, target))
    click.echo(f"{target}: {target.stat().st_size:,} bytes.", err=True)
    for old in backups_in(folder)[keep:] if keep else ():
        old.unlink()
        click.echo(f"{old}: deleted.", err=True)


@db.command()
@click.option("--older-than", type=WholeNumber(1, MAX_DAYS), metavar="DAYS",
              help="Delete configured bundles older than this, except those with a subscription.  "
                   "[default: BUNDLESVC_KEEP_CONFIGURED_BUNDLES_DAYS, or 365]")  # fmt: skip
def prune(older_than: int | None) -> None:
    """Delete old configured bundles and expired idempotency keys.

    Also deletes shoppers' data that is older than the limit in a BUNDLESVC_KEEP_…_DAYS setting. A running service does this once
    a day.
    """
    retention = Settings.from_environment().retention
    if older_than or not retention.configured_bundles:
        retention = replace(retention, configured_bundles=(older_than or YEAR) * DAY)

    async def use(database: Database) -> dict[str, int]:
        return await prune_database(database, int(SystemClock().now()), retention)

    with collected_warnings():
        deleted = with_database(use)
    for kind, count in deleted.items():
        click.echo(f"{counted(count, kind.removesuffix('s'))} deleted.", err=True)
