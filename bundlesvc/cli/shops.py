"""`bundlesvc shops`: lists shops, and enables or disables them."""

import click
import orjson

from bundlesvc.cli.opening import with_database
from bundlesvc.cli.output import fail, print_table
from bundlesvc.storage.database import Database
from bundlesvc.storage.keys import SqlKeyStore
from bundlesvc.storage.revision_cache import RevisionCache
from bundlesvc.storage.shops import SqlShopStore


@click.group()
def shops() -> None:
    """List shops; enable or disable them for the APIs."""


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

    Its keys get 403 within two seconds. Loading its file again applies what the file says.
    """
    _set_headless(handle, enabled=False)


def _set_headless(handle: str, *, enabled: bool) -> None:
    if not with_database(lambda database: SqlKeyStore(database).set_headless(handle, enabled=enabled)):
        fail(f"there is no shop {handle}. `bundlesvc shops list` lists the shops.")
    click.echo(f"{handle}: {'enabled' if enabled else 'disabled'}.", err=True)
