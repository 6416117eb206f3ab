"""Shopify as one of the service's live platforms."""

from functools import partial
from typing import Any

from bundlesvc.domain.shop import SHOPIFY
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.engine import Engine, EngineParts
from bundlesvc.platforms.shopify.catalogue.native_bundles import ShopifyBundles
from bundlesvc.platforms.shopify.catalogue.product_search import ShopifyProductSearch
from bundlesvc.platforms.shopify.client.sessions import AdminSessions
from bundlesvc.platforms.shopify.client.transport import HttpTransport, endpoint_at
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from bundlesvc.platforms.shopify.webhooks.messages import ShopifyWebhooks
from bundlesvc.ports import AppInspection


def shopify(parts: EngineParts) -> Engine:
    """Build the Shopify engine. It does no I/O until it is opened."""
    transport = HttpTransport(endpoint_at(parts.endpoint))
    policy = RetryPolicy(parts.clock)
    sessions = AdminSessions(transport, parts.connections, policy, parts.timeout, parts.own_updates, parts.statistics)
    platform = ShopifyPlatform(sessions)

    def inspection() -> AppInspection:
        from bundlesvc.platforms.shopify.app.installed_app import ShopifyAppInspection  # noqa: PLC0415 - only commands need it

        return ShopifyAppInspection(sessions)

    def orders() -> Any:
        from bundlesvc.platforms.shopify.orders.orders import ShopifyOrders  # noqa: PLC0415 - the core runs without orders

        return ShopifyOrders(sessions, parts.clock)

    def refunds() -> Any:
        from bundlesvc.platforms.shopify.orders.refunds import ShopifyRefunds  # noqa: PLC0415 - the core runs without orders

        return ShopifyRefunds(sessions)

    return Engine(
        SHOPIFY,
        platform,
        ShopifyWebhooks(),
        transport.opened,
        inspection,
        partial(ShopifyProductSearch, sessions),
        orders,
        refunds,
        partial(ShopifyBundles, sessions),
    )
