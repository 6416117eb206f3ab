"""Opens shops on Shopify, for commands that work with Shopify only."""

from bundlesvc.cli.platform.connection.live_shop import LiveShop
from bundlesvc.cli.terminal.output import fail
from bundlesvc.platforms.shopify.client.admin_session import AdminSession
from bundlesvc.platforms.shopify.platform import ShopifyPlatform


def shopify_of(live: LiveShop) -> ShopifyPlatform:
    """Return the platform of a shop on Shopify. Ends the command when the shop is on another platform."""
    platform = live.engine.platform
    if not isinstance(platform, ShopifyPlatform):
        handle = live.tenant.shop.handle
        fail(
            f"{handle} is not on Shopify, and nothing is set up by this command. On Vendure, the options of the plugin say where "
            f"webhooks go and which keys it has. For its state, run: bundlesvc platform check --shop {handle}"
        )
    return platform


async def shopify_session(live: LiveShop) -> AdminSession:
    """Open a session with a shop on Shopify. Ends the command when the shop is on another platform."""
    return await shopify_of(live).sessions.open(live.tenant)
