"""Vendure as a live platform of the service."""

from functools import partial
from typing import Any

from bundlesvc.domain.shop import VENDURE
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.engine import Engine, EngineParts
from bundlesvc.platforms.vendure.platform import VendurePlatform
from bundlesvc.platforms.vendure.product_search import VendureProductSearch
from bundlesvc.platforms.vendure.transport import HttpTransport, endpoint_at
from bundlesvc.platforms.vendure.webhooks import VendureWebhooks
from bundlesvc.ports import AppInspection


def vendure(parts: EngineParts) -> Engine:
    """Build the Vendure engine. It does no I/O until it is opened."""
    transport = HttpTransport(endpoint_at(parts.addresses.get(VENDURE, parts.endpoint)))
    policy = RetryPolicy(parts.clock)
    platform = VendurePlatform(transport, parts.connections, policy, parts.timeout, parts.statistics)

    def inspection() -> AppInspection:
        from bundlesvc.platforms.vendure.inspection import VendureInspection  # noqa: PLC0415 - only commands need it

        return VendureInspection(platform)

    def orders() -> Any:
        from bundlesvc.platforms.vendure.orders import VendureOrders  # noqa: PLC0415 - the core runs without orders

        return VendureOrders(platform)

    return Engine(
        VENDURE,
        platform,
        VendureWebhooks(parts.clock),
        transport.opened,
        inspection,
        partial(VendureProductSearch, platform),
        orders,
    )
