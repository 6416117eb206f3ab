"""Orders as returned by the plugin. The only data about the shopper is the country."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from bundlesvc.domain.money import presentment_units
from bundlesvc.domain.orders.contract import Contract
from bundlesvc.domain.orders.order import Edit, LineDiscount, Order, OrderLine, Refund
from bundlesvc.domain.orders.waiting import OrderIds
from bundlesvc.domain.shop import PlatformLink, Tenant
from bundlesvc.platforms.calls.concurrent_calls import gather_all
from bundlesvc.platforms.vendure.ids import number_of
from bundlesvc.platforms.vendure.platform import VendurePlatform
from bundlesvc.platforms.vendure.session import Session

Node = Mapping[str, Any]

PART = 100
"""The maximum number of ids per call."""

logger = logging.getLogger(__name__)


class VendureOrders:
    """Implements the `PlatformOrders` port with the Admin GraphQL API."""

    def __init__(self, platform: VendurePlatform) -> None:
        self._platform = platform

    async def order(self, tenant: Tenant, order_id: str) -> Order | None:
        session = await self._platform.session(tenant)
        for channel in order_channels(tenant.shop.platform):
            order = await _order_in(session.in_channel(channel), order_id)
            if order is not None:
                return await self._rated(tenant, order)
        return None

    async def order_ids(self, tenant: Tenant, since: int, cursor: str | None) -> OrderIds:
        session = await self._platform.session(tenant)
        began = datetime.fromtimestamp(since, UTC).isoformat()
        parts = await gather_all(
            _ids_in(session.in_channel(channel), began, cursor) for channel in order_channels(tenant.shop.platform)
        )
        ids = sorted({number for part in parts for number in part})[:PART]
        return OrderIds([*map(str, ids)], str(ids[-1]) if len(ids) == PART else None)

    async def contract(self, tenant: Tenant, contract_id: str) -> Contract | None:
        return None

    async def hidden(self, tenant: Tenant, since: int) -> str | None:
        """Return None: no orders are hidden, because the plugin shows every order that contains a bundle."""
        return None

    async def _rated(self, tenant: Tenant, order: Order) -> Order | None:
        """Return the order with the exchange rate of a market with the order's currency. Without such a market, returns the order
        unchanged if it is in the shop's own currency; otherwise logs a warning and returns None."""
        rate = _rate(tenant.shop.platform, order)
        if rate is not None:
            return replace(order, rate=rate)
        if order.currency == (await self._platform.shop(tenant)).currency:
            return order
        reason = "the shop file names no market with this currency"
        logger.warning("%s: order %s is in %s: %s", tenant.shop.handle, order.id, order.currency, reason)
        return None


def order_channels(link: PlatformLink) -> Sequence[str | None]:
    """Return the channels in which a shop's orders are found. The default channel contains all orders."""
    return link.channels if link.channel else (None,)


async def _order_in(session: Session, order_id: str) -> Order | None:
    data = await session.run("order", id=order_id)
    with session.reading():
        node = data["bundleOrder"]
        return None if node is None else order_of(node)


async def _ids_in(session: Session, since: str, cursor: str | None) -> list[int]:
    data = await session.run("order_ids", since=since, after=cursor, take=PART)
    with session.reading():
        return [number_of(one) for one in data["bundleOrders"]]


def order_of(node: Node) -> Order:
    """Convert an order. Its exchange rate is not known yet."""
    currency = str(node["currency"])

    def units(amount: str) -> int:
        return presentment_units(Decimal(amount), currency)

    def line(one: Node) -> OrderLine:
        discounts = [LineDiscount(each["kind"], each["title"], units(each["amount"])) for each in one["discounts"]]
        variant, quantity = number_of(one["variant"]), int(one["quantity"])
        price, tax = units(one["unitPrice"]), units(one["tax"])
        return OrderLine(str(one["id"]), variant, quantity, price, tax, tuple(discounts), dict(one["properties"]))

    def change(one: Node) -> tuple[str, int, int, int]:
        return str(one["line"]), int(one["quantity"]), units(one["amount"]), units(one["tax"])

    return Order(
        id=str(node["id"]),
        version=int(node["version"]),
        name=str(node["name"]),
        placed_at=int(datetime.fromisoformat(node["placedAt"]).timestamp()),
        currency=currency,
        lines=tuple(map(line, node["lines"])),
        country=node["countryCode"],
        cancelled=bool(node["cancelled"]),
        bundles=node["bundles"],
        edits=tuple(Edit(*change(one)) for one in node["edits"]),
        refunds=tuple(Refund(*change(one), restocked=bool(one["restocked"])) for one in node["refunds"]),
    )


def _rate(link: PlatformLink, order: Order) -> Decimal | None:
    """Return the exchange rate of a market with the order's currency, preferably the market of the order's country. None when no
    market has this currency, as is usual for the shop's own currency."""
    rates = {market.country_code: market.exchange_rate for market in link.markets if market.currency == order.currency}
    return rates.get(order.country or "") or next(iter(rates.values()), None)
