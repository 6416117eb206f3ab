"""`bundlesvc platform secret`: rotates the secret that signs a shop's webhooks. During a rotation, both the old and the new
secret are valid."""

from dataclasses import replace

import click

from bundlesvc.cli.platform.connection.checking import check_connection
from bundlesvc.cli.platform.connection.credentials import read_new_secret
from bundlesvc.cli.platform.connection.live_shop import SHOP_OPTION, LiveShop, UnsavedConnection, with_live_shop
from bundlesvc.cli.platform.connection.shopify_shop import shopify_of
from bundlesvc.cli.platform.connection.webhook_secret import with_new_secret
from bundlesvc.cli.terminal.output import fail
from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.shop import VENDURE
from bundlesvc.system import SystemClock


@click.group("secret")
def client_secret() -> None:
    """Rotate the secret that signs a shop's webhooks.

    On Shopify it is the client secret of the app.
    """


@client_secret.command("add")
@SHOP_OPTION
def add(handle: str) -> None:
    """Add a new secret. Webhooks may then be signed with the old or the new one.

    On Vendure, the command generates the secret and prints it, to be set in the plugin's options.

    On Shopify, the secret is the new client secret of the app. If the app has a client ID, the command first fetches a new access
    token with the new secret; if that fails, nothing is stored. At a terminal, the command prompts for the secret. Otherwise, it
    reads the secret from standard input.
    """

    async def use(live: LiveShop) -> str:
        stored = await _stored(live)
        if stored.previous_secret:
            fail(f"{handle}: there are two secrets. First drop the old one: {_drop(handle)}")
        if live.tenant.shop.platform.kind == VENDURE:
            await _replace(live, stored, both := with_new_secret(stored))
            click.echo(f"Webhook secret: {both.webhook_secret}")
            return "Give the new one to the plugin, and start Vendure again"
        await _replace(live, stored, await _with_client_secret(live, stored))
        return "Revoke the old one in the app's settings"

    next_step = with_live_shop(handle, use)
    click.echo(f"{handle}: both secrets are valid. {next_step}, then drop the old one: {_drop(handle)}", err=True)


async def _with_client_secret(live: LiveShop, stored: PlatformConnection) -> PlatformConnection:
    """Read a new client secret, and return the connection with it. A fixed access token does not change; otherwise, a new token
    is fetched with the new secret."""
    secret = read_new_secret()
    if secret == stored.webhook_secret:
        handle = live.tenant.shop.handle
        fail(f"{handle}: this is the client secret that is stored. Create a new one in the app's settings.")
    token = stored.access_token if stored.grant is None else ""
    grant = stored.grant and replace(stored.grant, obtained_at=0, expires_at=0, renewing_until=0)
    both = replace(
        stored, access_token=token, grant=grant, webhook_secret=secret, previous_secret=stored.webhook_secret
    )
    unsaved = UnsavedConnection(both)
    if grant is not None:
        await check_connection(live, unsaved)
    return unsaved.connection


@client_secret.command("drop")
@SHOP_OPTION
def drop(handle: str) -> None:
    """Drop the old secret.

    On Shopify, first revoke the secret in the app's settings, because webhooks are signed with it until then. On Vendure, first
    set the new secret in the plugin.
    """

    async def use(live: LiveShop) -> bool:
        stored = await _stored(live)
        if not stored.previous_secret:
            return False
        await _replace(live, stored, replace(stored, previous_secret=""))
        return True

    dropped = with_live_shop(handle, use)
    click.echo(f"{handle}: {'the old secret is dropped' if dropped else 'has one secret'}.", err=True)


async def _stored(live: LiveShop) -> PlatformConnection:
    if live.tenant.shop.platform.kind != VENDURE:
        shopify_of(live)
    connection = await live.connections.of(live.tenant)
    if connection is None:
        raise PlatformNotConnected
    return connection


async def _replace(live: LiveShop, old: PlatformConnection, new: PlatformConnection) -> None:
    if not await live.connections.replace(live.tenant, old, new, int(SystemClock().now())):
        fail("nothing was changed, because the service renewed the shop's access token at the same moment. Try again.")


def _drop(handle: str) -> str:
    return f"bundlesvc platform secret drop --shop {handle}"
