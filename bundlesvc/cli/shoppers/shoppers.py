"""`bundlesvc shoppers`: exports and erases the data stored about a shopper."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click
import orjson

from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.shoppers import reminders, subscriptions
from bundlesvc.cli.terminal.confirmation import YES_WITHOUT_QUESTION, ask
from bundlesvc.cli.terminal.output import counted, fail, fail_unknown_shop, inventory, print_table
from bundlesvc.cli.terminal.whole_number import WholeNumber
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.shopper import EXPORT, ReceivedRequest, Shopper, is_same_address
from bundlesvc.private_files import create
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.shoppers.personal_data import ShopperData, SqlShoppers
from bundlesvc.storage.shoppers.personalisation_answers import ShoppersBundle
from bundlesvc.storage.shoppers.shopper_requests import SqlShopperRequests
from bundlesvc.system import SystemClock


@click.group()
def shoppers() -> None:
    """Export or erase the data stored about a shopper."""


_SHOP = click.option("--shop", "handle", metavar="HANDLE", help="Only in this shop.  [default: all shops]")
_BUNDLES = click.option(
    "--configured-bundle",
    "bundle_ids",
    multiple=True,
    type=WholeNumber(1, MAX_ID),
    metavar="ID",
    help="Also this configured bundle, which is named in an order. Can be given several times.",
)


@shoppers.command()
@click.argument("email")
@_SHOP
@_BUNDLES
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write to a new file that only you can read.  [default: standard output]")  # fmt: skip
def export(email: str, handle: str | None, bundle_ids: tuple[int, ...], output: Path | None) -> None:
    """Print the data stored about the shopper EMAIL as JSON.

    The document contains the shopper's stock reminders and subscriptions, and the configured bundles that belong to these
    subscriptions or contain the address in an answer. The command also completes the open requests for this data (`shoppers
    requests`).
    """
    reminders.check_address(email)
    if output and output.exists():
        fail(f"{output} exists already; an export never overwrites a file.")

    async def find(database: Database) -> ShopperData:
        return await SqlShoppers(database).find(await _shopper(database, email, handle, bundle_ids))

    data = with_database(find)
    _check_bundles(bundle_ids, data)
    _write(_document(email, data), output)
    click.echo(f"{email}: {_inventory(data.counts)}.", err=True)

    async def complete(database: Database) -> int:
        shopper = await _shopper(database, email, handle)
        now = int(SystemClock().now())
        return await SqlShopperRequests(database).complete_exports(email, shopper.shop_ids, now)

    if completed := with_database(complete):
        click.echo(f"{counted(completed, 'request')} of the platform completed.", err=True)


@shoppers.command()
@click.argument("email")
@_SHOP
@_BUNDLES
@YES_WITHOUT_QUESTION
def erase(email: str, handle: str | None, bundle_ids: tuple[int, ...], *, yes: bool) -> None:
    """Erase the data stored about the shopper EMAIL.

    Deletes stock reminders and subscriptions, including pending ones. All answers and the visitor's id are removed from the
    configured bundles that belong to these subscriptions or contain the address in an answer. The purchased items and their
    prices stay on record.
    """
    reminders.check_address(email)

    async def find(database: Database) -> tuple[ShopperData, int]:
        shopper = await _shopper(database, email, handle, bundle_ids)
        return await SqlShoppers(database).find(shopper), await _open_exports(database, shopper)

    async def use(database: Database) -> Mapping[str, int]:
        return await SqlShoppers(database).erase(await _shopper(database, email, handle, bundle_ids))

    data, exports = with_database(find)
    _check_bundles(bundle_ids, data)
    if any(data.counts.values()):
        open_exports = f", before {counted(exports, 'open request')} to export it" if exports else ""
        ask(f"{email}: {_inventory(data.counts)} would be erased{open_exports}.", yes=yes)
    erased = with_database(use)
    click.echo(f"{email}: {_inventory(erased)}{' erased' if any(erased.values()) else ''}.", err=True)


@shoppers.command()
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def requests(*, as_json: bool) -> None:
    """List the platforms' requests about shoppers' data.

    `shoppers export` completes a request to export data. The service handles all other requests automatically.
    """
    rows = [_request(one) for one in with_database(lambda database: SqlShopperRequests(database).all())]
    if as_json:
        click.echo(orjson.dumps(rows))
    else:
        print_table(rows)


async def _shopper(database: Database, email: str, handle: str | None, bundle_ids: tuple[int, ...] = ()) -> Shopper:
    if handle is None:
        return Shopper(email, None, bundle_ids)
    tenant = await SqlKeyStore(database).tenant(handle)
    if tenant is None:
        fail_unknown_shop(handle)
    return Shopper(email, [tenant.id], bundle_ids)


async def _open_exports(database: Database, shopper: Shopper) -> int:
    return sum(
        one.request.kind == EXPORT
        and is_same_address(one.request.subject, shopper.email)
        and (shopper.shop_ids is None or one.shop_id in shopper.shop_ids)
        for one in await SqlShopperRequests(database).open()
    )


def _check_bundles(bundle_ids: Sequence[int], data: ShopperData) -> None:
    """Check that the configured bundles exist, so that a mistyped id is not mistaken for a bundle without data. Ends the command
    when a bundle does not exist."""
    missing = {*bundle_ids} - {one.id for one in data.bundles}
    if missing:
        fail(f"there is no configured bundle {min(missing)}; nothing was done.")


def _write(document: Mapping[str, object], output: Path | None) -> None:
    text = orjson.dumps(document, option=orjson.OPT_INDENT_2)
    if output is None:
        click.echo(text)
        return
    create(output)
    try:
        output.write_bytes(text + b"\n")
    except OSError:
        output.unlink()  # an incomplete export is useless
        raise


def _document(email: str, data: ShopperData) -> dict[str, object]:
    return {
        "email": email,
        "exported": _time(int(SystemClock().now())),
        "reminders": [reminders.described(one) for one in data.reminders],
        "subscriptions": [subscriptions.described(one) for one in data.subscriptions],
        "configuredBundles": [_bundle(one) for one in data.bundles],
    }


def _bundle(stored: ShoppersBundle) -> dict[str, object]:
    return {
        "id": stored.id,
        "shop": stored.shop,
        "bundleId": stored.bundle_id,
        "bundle": stored.bundle,
        "discountedPrice": stored.discounted,
        "currency": stored.currency,
        "visitorId": stored.visitor_id,
        "configured": _time(stored.configured_at),
        "items": [
            {
                "variantId": str(item.variant_id),
                "title": item.title,
                "variantTitle": item.variant_title,
                "count": item.count,
                "answers": item.properties,
            }
            for item in stored.items
        ],
    }


def _request(received: ReceivedRequest) -> dict[str, object]:
    return {
        "shop": received.shop,
        "request": received.request.kind,
        "about": received.request.subject,
        "reference": received.request.reference,
        "received": _time(received.received_at),
        "due": _time(received.due_at),
        "completed": received.completed_at and _time(received.completed_at),
    }


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def _inventory(counts: Mapping[str, int]) -> str:
    return inventory(counts, "nothing is stored")
