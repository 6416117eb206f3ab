"""`bundlesvc platform secret`: two client secrets of an app are valid while one is rotated."""

from dataclasses import replace

import click

from bundlesvc.cli.output import fail
from bundlesvc.cli.platform.connecting import check_connection
from bundlesvc.cli.platform.credentials import read_new_secret
from bundlesvc.cli.platform.live_platform import SHOP_OPTION, LiveShop, UnsavedConnection, with_live_shop
from bundlesvc.cli.platform.shopify_shop import shopify_of
from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.system import SystemClock


@click.group("secret")
def client_secret() -> None:
    """Rotate the client secret of a shop's app."""


@client_secret.command("add")
@SHOP_OPTION
def add(handle: str) -> None:
    """Add the app's new client secret. Webhooks may be signed with the old or the new one.

    With a client ID, a new access token is fetched with the new secret first; if that fails, nothing is stored. At a
    terminal the command prompts for the secret, otherwise it reads it from standard input.
    """

    async def use(live: LiveShop) -> None:
        stored = await _stored(live)
        if stored.previous_secret:
            fail(f"{handle}: there are two client secrets. First drop the old one: {_drop(handle)}")
        secret = read_new_secret()
        if secret == stored.webhook_secret:
            fail(f"{handle}: this is the client secret that is stored. Create a new one in the app's settings.")
        # Without a token, one is fetched with the new secret. A fixed token stays.
        token = stored.access_token if stored.grant is None else ""
        grant = stored.grant and replace(stored.grant, obtained_at=0, expires_at=0, renewing_until=0)
        both = replace(
            stored, access_token=token, grant=grant, webhook_secret=secret, previous_secret=stored.webhook_secret
        )
        unsaved = UnsavedConnection(both)
        if grant is not None:
            await check_connection(live, unsaved)
        await _replace(live, stored, unsaved.connection)

    with_live_shop(handle, use)
    click.echo(
        f"{handle}: both client secrets are valid. Revoke the old one in the app's settings, then drop it: {_drop(handle)}",
        err=True,
    )


@client_secret.command("drop")
@SHOP_OPTION
def drop(handle: str) -> None:
    """Drop the old client secret.

    First revoke it in the app's settings, because Shopify signs webhooks with it until then.
    """

    async def use(live: LiveShop) -> bool:
        stored = await _stored(live)
        if not stored.previous_secret:
            return False
        await _replace(live, stored, replace(stored, previous_secret=""))
        return True

    dropped = with_live_shop(handle, use)
    click.echo(f"{handle}: {'the old client secret is dropped' if dropped else 'has one client secret'}.", err=True)


async def _stored(live: LiveShop) -> PlatformConnection:
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
