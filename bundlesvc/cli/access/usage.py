"""`bundlesvc usage`: the requests of each key on each day, for billing."""

import csv
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime

import click
import orjson

from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.terminal.output import fail_unknown_shop, print_table
from bundlesvc.domain.access.usage import KINDS, KeyUsage
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.access.usage import SqlUsageStore
from bundlesvc.storage.database.interface import Database

Row = Mapping[str, object]

COLUMNS = ("day", "shop", "key", *KINDS)

_DAY = click.DateTime(["%Y-%m-%d"])


def _print_json(rows: Sequence[Row]) -> None:
    click.echo(orjson.dumps(rows))


def _print_csv(rows: Sequence[Row]) -> None:
    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


_PRINT: Mapping[str, Callable[[Sequence[Row]], None]] = {"table": print_table, "json": _print_json, "csv": _print_csv}


@click.command()
@click.option("--shop", "handle", metavar="HANDLE", help="Only the usage of this shop.")
@click.option("--from", "first", type=_DAY, metavar="DAY", help="The first day, such as 2026-11-01.")
@click.option("--to", "last", type=_DAY, metavar="DAY", help="The last day.")
@click.option("--format", "form", type=click.Choice(list(_PRINT)), default="table", show_default=True,
              help="The format of the rows.")  # fmt: skip
def usage(handle: str | None, first: datetime | None, last: datetime | None, form: str) -> None:
    """Print how many requests each key made on each day.

    Days are in UTC. Successful requests count as reads, prices, configures or others; requests answered with a 4xx status count
    as refused, and those answered with a 5xx as failed. Requests that a running service counted in the last minute may be
    missing.
    """
    if first is not None and last is not None and last < first:
        raise click.UsageError("--to is before --from.")

    async def use(database: Database) -> Sequence[KeyUsage]:
        found = await SqlUsageStore(database).usage(handle, _date(first), _date(last))
        if not found and handle is not None and await SqlKeyStore(database).tenant(handle) is None:
            fail_unknown_shop(handle)
        return found

    _PRINT[form]([_described(one) for one in with_database(use)])


def _date(day: datetime | None) -> date | None:
    return None if day is None else day.replace(tzinfo=UTC).date()


def _described(one: KeyUsage) -> Row:
    return {"day": one.day.isoformat(), "shop": one.shop, "key": one.key} | dict(zip(KINDS, one.requests, strict=True))
