"""`bundlesvc shops`: lists, enables, disables and deletes shops."""

import click
import orjson

from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.revisions.recording import command_act
from bundlesvc.cli.terminal.confirmation import YES_OPTION, confirm
from bundlesvc.cli.terminal.output import fail, fail_unknown_shop, inventory, print_table
from bundlesvc.domain.revisions.revision import PLATFORM
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_deletion import ShopConnected, delete_shop, shop_contents
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.revisions.serving import serve_shop


@click.group()
def shops() -> None:
    """List, enable, disable or delete shops."""


@shops.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def list_shops(*, as_json: bool) -> None:
    """List all shops."""

    async def use(database: Database) -> list[dict[str, object]]:
        tenants = await SqlShopStore(database, RevisionCache()).tenants()
        return [
            {
                "shop": tenant.shop.handle,
                "name": tenant.shop.name,
                "enabled": tenant.shop.headless_enabled,
                "platform": tenant.shop.platform.kind,
                "revision": tenant.revision,
            }
            for tenant in tenants
        ]

    described = with_database(use)
    if as_json:
        click.echo(orjson.dumps(described))
    else:
        print_table(described)


@shops.command()
@click.argument("handle")
def enable(handle: str) -> None:
    """Let the APIs serve the shop HANDLE."""
    _set_headless(handle, enabled=True)


@shops.command()
@click.argument("handle")
def disable(handle: str) -> None:
    """Stop serving the shop HANDLE.

    Within two seconds, the service begins to refuse requests with the shop's keys (403). Loading the shop's file again applies
    the setting in the file.
    """
    _set_headless(handle, enabled=False)


@shops.command("delete")
@click.argument("handle")
@YES_OPTION
def delete_command(handle: str, *, yes: bool) -> None:
    """Delete the shop HANDLE, with all data stored about it.

    This includes its keys, configured bundles, subscriptions and stock reminders. Within two seconds, the service begins to
    refuse requests with these keys (403). A shop that is connected to its platform must be disconnected first. If the command is
    interrupted, the shop is left disabled: run the command again to finish.
    """
    contents = with_database(lambda database: shop_contents(database, handle))
    if contents is None:
        fail_unknown_shop(handle)
    found = inventory(contents, "nothing else")
    confirm(f"the shop {handle} would be deleted, with {found}.", yes=yes)
    try:
        deleted = with_database(lambda database: delete_shop(database, handle))
    except ShopConnected:
        fail(f"{handle} is connected to its platform. First run: bundlesvc platform disconnect --shop {handle}")
    if not deleted:
        fail_unknown_shop(handle)
    click.echo(f"{handle}: deleted, with {found}.", err=True)


def _set_headless(handle: str, *, enabled: bool) -> None:
    act = command_act("shops", PLATFORM)
    if not with_database(lambda database: serve_shop(database, handle, act, enabled=enabled)):
        fail_unknown_shop(handle)
    click.echo(f"{handle}: {'enabled' if enabled else 'disabled'}.", err=True)
