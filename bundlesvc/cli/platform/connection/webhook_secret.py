"""The secret that signs the webhooks of a shop's plugin: created when the shop is connected, and rotated later."""

from dataclasses import replace

from bundlesvc.cli.platform.connection.live_shop import LiveShop
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.shop import VENDURE


async def with_webhook_secret(live: LiveShop, connection: PlatformConnection) -> PlatformConnection:
    """Return the connection with a webhook secret: the one stored for the shop, or a new one. Connections to platforms other than
    Vendure are returned unchanged."""
    if live.tenant.shop.platform.kind != VENDURE:
        return connection
    stored = await live.connections.of(live.tenant)
    if stored and stored.webhook_secret:
        return replace(connection, webhook_secret=stored.webhook_secret, previous_secret=stored.previous_secret)
    return replace(connection, webhook_secret=_new_secret())


def with_new_secret(stored: PlatformConnection) -> PlatformConnection:
    """Return the connection with a new webhook secret. The old one stays valid, as the previous secret."""
    return replace(stored, webhook_secret=_new_secret(), previous_secret=stored.webhook_secret)


def _new_secret() -> str:
    from bundlesvc.platforms.vendure.webhooks import new_secret  # noqa: PLC0415 - the other commands run without it

    return new_secret()
