"""`bundlesvc stock` and `bundlesvc prices`: change individual variants of a shop on the embedded platform."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import click
import orjson

from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.revisions.recording import catalogue_journal
from bundlesvc.cli.terminal.output import counted, fail, fail_unknown_shop
from bundlesvc.printable import printable
from bundlesvc.shop_file.catalogue_files import PRICES, STOCK, Column, read_rows
from bundlesvc.shop_file.difference import difference
from bundlesvc.shop_file.loading import FileFault, ShopFileInvalid, read_bytes
from bundlesvc.storage.catalogue.generations import ShopDeleted
from bundlesvc.storage.catalogue.variant_updates import RowsInvalid, ShopLive, ShopUnknown, SqlCatalogueUpdates

_STDIN = Path("-")
_FILE = click.argument("file", type=click.Path(path_type=Path))
_SHOP = click.option("--shop", "handle", required=True, metavar="HANDLE", help="The shop that has the variants.")
_DRY_RUN = click.option("--dry-run", is_flag=True, help="Print what would change; change nothing.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")


@click.command()
@_FILE
@_SHOP
@_DRY_RUN
@_JSON
def stock(file: Path, handle: str, *, dry_run: bool, as_json: bool) -> None:
    """Change the stock of individual variants.

    FILE (- for standard input) is CSV with a header, or JSON lines. Its fields are variantId and inventoryQuantity, and
    optionally inventoryTracked and inventoryPolicy.

    All rows are checked before anything is written, and all are written atomically. A running server shows the new stock within
    two seconds. The next `load` of the shop file resets the stock to the values in the file.
    """
    _apply(file, STOCK, handle, dry_run=dry_run, as_json=as_json)


@click.command()
@_FILE
@_SHOP
@_DRY_RUN
@_JSON
def prices(file: Path, handle: str, *, dry_run: bool, as_json: bool) -> None:
    """Change the prices of individual variants.

    FILE (- for standard input) is CSV with a header, or JSON lines. Its fields are variantId and price, and optionally
    compareAtPrice and countryCode. A row with a countryCode sets the fixed price in that market. An empty compareAtPrice, or an
    empty price in a market, removes the stored value.

    All rows are checked before anything is written, and all are written atomically. A running server shows the new prices within
    two seconds. New prices create a revision. The next `load` of the shop file keeps the new prices, unless the file also changes
    them.
    """
    _apply(file, PRICES, handle, dry_run=dry_run, as_json=as_json)


def _apply(file: Path, columns: Mapping[str, Column], handle: str, *, dry_run: bool, as_json: bool) -> None:
    name = "standard input" if file == _STDIN else str(file)
    journal = catalogue_journal("stock" if columns is STOCK else "prices")
    try:
        rows = read_rows(sys.stdin.buffer.read() if file == _STDIN else read_bytes(file), name, columns)
        before, after = with_database(
            lambda database: SqlCatalogueUpdates(database, journal).apply(handle, rows, dry_run=dry_run)
        )
    except ShopFileInvalid as error:
        _end_with_faults(error.faults)
    except RowsInvalid as error:
        _end_with_faults([FileFault(name, line, "", message) for line, message in error.faults])
    except (ShopUnknown, ShopDeleted):
        fail_unknown_shop(handle)
    except ShopLive:
        fail(f"{handle} is on a live platform, which has its stock and prices: change them there.")
    changes = difference(before, after)
    if as_json:
        click.echo(orjson.dumps({"shop": handle, "rows": len(rows), "changes": len(changes), "dryRun": dry_run}))
    else:
        _print_changes(handle, changes, dry_run=dry_run)


def _print_changes(handle: str, changes: Sequence[str], *, dry_run: bool) -> None:
    if not changes:
        click.echo(f"{handle}: nothing {'would change' if dry_run else 'changed'}.")
        return
    number = counted(len(changes), "change")
    click.echo(f"{handle}: {number}{'' if dry_run else ' written'}")
    for change in changes if dry_run else []:
        click.echo(f"  {printable(change)}")


def _end_with_faults(faults: Sequence[FileFault]) -> NoReturn:
    for fault in faults:
        click.echo(printable(str(fault)), err=True)
    click.echo(f"{counted(len(faults), 'fault')}; nothing was changed.", err=True)
    sys.exit(1)
