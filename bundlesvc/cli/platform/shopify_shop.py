"""Shops on Shopify, for the commands that concern no other platform."""

from bundlesvc.cli.output import fail
from bundlesvc.cli.platform.live_platform import LiveShop
from bundlesvc.platforms.shopify.client.admin_session import AdminSession
from bundlesvc.platforms.shopify.platform import ShopifyPlatform


def shopify_of(live: LiveShop) -> ShopifyPlatform:
    """The platform of a shop on Shopify. Ends the command when the shop is elsewhere."""
    platform = live.engine.platform
    if not isinstance(platform, ShopifyPlatform):
        fail(f"{live.tenant.shop.handle} is not on Shopify: its platform has no such command.")
    return platform


async def shopify_session(live: LiveShop) -> AdminSession:
    """A session with a shop on Shopify. Ends the command when the shop is elsewhere."""
    return await shopify_of(live).session(live.tenant)
