"""Orders that the plugin returns are converted to domain orders, at the exchange rates in the shop file."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

import orjson
import pytest

from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.orders.order import Edit, LineDiscount, OrderLine, Refund
from bundlesvc.domain.shop import PlatformMarket, Tenant
from bundlesvc.platforms.calls.http import Reply
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.calls.statistics import CallStatistics
from bundlesvc.platforms.vendure.orders import PART, VendureOrders
from bundlesvc.platforms.vendure.platform import VendurePlatform
from bundlesvc.ports.orders import PlatformOrders
from tests.fakes import FakeClock
from tests.platforms.shopify.fakes import FakeConnections
from tests.platforms.vendure.test_client import CONNECTION, TENANT, reply

MARKETS = (
    PlatformMarket("US", "USD", Decimal("1.10"), "us"),
    PlatformMarket("CA", "USD", Decimal("1.20"), "ca"),
    PlatformMarket("JP", "JPY", Decimal(160), "jp"),
)
IN_A_CHANNEL = replace(TENANT, shop=replace(TENANT.shop, platform=replace(TENANT.shop.platform, markets=MARKETS)))
SHOP = replace(
    IN_A_CHANNEL, shop=replace(IN_A_CHANNEL.shop, platform=replace(IN_A_CHANNEL.shop.platform, channel=None))
)

LINE = {
    "id": "5",
    "variant": "11",
    "quantity": 2,
    "unitPrice": "10.00",
    "tax": "2.55",
    "properties": {"_bundle_data": "7001#9001#4f3c"},
    "discounts": [{"kind": "bundle", "title": "Bundle", "amount": "4.00"}],
}
ORDER: dict[str, Any] = {
    "id": "12",
    "version": 1_790_000_000_000,
    "name": "T5RJW4",
    "placedAt": "2026-11-23T10:00:00.000Z",
    "currency": "EUR",
    "countryCode": "DE",
    "cancelled": False,
    "bundles": '{"7001": {"discount": "gAAAAA"}}',
    "lines": [LINE],
    "edits": [{"line": "5", "quantity": -1, "amount": "-8.00", "tax": "-1.28"}],
    "refunds": [{"line": "5", "quantity": 1, "amount": "8.00", "tax": "1.27", "restocked": True}],
}
CHANNEL = {
    "activeChannel": {
        "id": "1",
        "defaultCurrencyCode": "EUR",
        "defaultLanguageCode": "en",
        "availableLanguageCodes": [],
    },
    "globalSettings": {
        "trackInventory": True,
        "outOfStockThreshold": 0,
        "serverConfig": {"moneyStrategyPrecision": 2},
    },
}


class Plugin:
    """A fake of the plugin's Admin API, with the orders of each channel. `asked` records the channel and the variables of each
    call for orders."""

    def __init__(self, orders: Mapping[str | None, list[dict[str, Any]]]) -> None:
        self.orders = orders
        self.asked: list[tuple[str | None, Mapping[str, Any]]] = []

    async def post(self, connection: PlatformConnection, channel: str | None, body: bytes, seconds: float) -> Reply:
        sent = orjson.loads(body)
        here = self.orders.get(channel, [])
        if sent["operationName"] == "BundleChannel":
            return reply({"data": CHANNEL})
        self.asked.append((channel, sent["variables"]))
        if sent["operationName"] == "BundleOrder":
            found = [order for order in here if order["id"] == sent["variables"]["id"]]
            return reply({"data": {"bundleOrder": found[0] if found else None}})
        return reply({"data": {"bundleOrders": [order["id"] for order in here]}})

    @property
    def reader(self) -> PlatformOrders:
        policy = RetryPolicy(FakeClock())
        return VendureOrders(VendurePlatform(self, FakeConnections(CONNECTION), policy, 10, CallStatistics()))


async def read(tenant: Tenant = SHOP, channel: str | None = None, **changes: Any) -> Any:
    return await Plugin({channel: [{**ORDER, **changes}]}).reader.order(tenant, "12")


async def test_order_is_read_in_minor_units() -> None:
    order = await read()
    assert (order.id, order.version, order.name, order.placed_at) == ("12", 1_790_000_000_000, "T5RJW4", 1795428000)
    assert (order.currency, order.country, order.cancelled, order.bundles) == ("EUR", "DE", False, ORDER["bundles"])
    discount = LineDiscount("bundle", "Bundle", 400)
    assert order.lines == (OrderLine("5", 11, 2, 1000, 255, (discount,), {"_bundle_data": "7001#9001#4f3c"}),)
    assert order.edits == (Edit("5", -1, -800, -128),)
    assert order.refunds == (Refund("5", 1, 800, 127, restocked=True),)


async def test_amounts_of_the_engine_have_more_decimals_than_yen() -> None:
    line = {**LINE, "unitPrice": "1200.00", "discounts": [{"kind": "bundle", "title": "", "amount": "120.00"}]}
    order = await read(currency="JPY", countryCode="JP", lines=[line])
    assert (order.lines[0].unit_price, order.lines[0].own_discount) == (1200, 120)


@pytest.mark.parametrize(
    ("currency", "country", "rate"),
    [
        ("EUR", "DE", Decimal(1)),
        ("USD", "US", Decimal("1.10")),
        ("USD", "CA", Decimal("1.20")),
        ("USD", "DE", Decimal("1.10")),
        ("JPY", None, Decimal(160)),
    ],
)
async def test_rate_is_that_of_the_market(currency: str, country: str | None, rate: Decimal) -> None:
    assert (await read(currency=currency, countryCode=country)).rate == rate


async def test_order_in_a_currency_without_a_market_is_not_read(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    assert await read(currency="GBP", countryCode="GB") is None
    assert "order 12 is in GBP: the shop file names no market with this currency" in caplog.text


async def test_no_order_is_hidden() -> None:
    assert await Plugin({}).reader.hidden(SHOP, 0) is None


async def test_order_that_is_gone() -> None:
    assert await Plugin({}).reader.order(SHOP, "12") is None


async def test_order_of_a_shop_in_a_channel_is_found_in_that_of_its_market() -> None:
    plugin = Plugin({"us": [{**ORDER, "currency": "USD"}]})
    order = await plugin.reader.order(IN_A_CHANNEL, "12")
    assert order is not None
    assert [channel for channel, _ in plugin.asked] == ["home", "us"]


async def test_ids_come_in_parts() -> None:
    orders = [{"id": str(number)} for number in range(1, PART + 1)]
    plugin = Plugin({None: orders})
    part = await plugin.reader.order_ids(SHOP, 0, None)
    assert (part.ids[0], part.ids[-1], part.cursor) == ("1", str(PART), str(PART))
    assert plugin.asked == [(None, {"since": "1970-01-01T00:00:00+00:00", "after": None, "take": PART})]
    del orders[5:]
    part = await plugin.reader.order_ids(SHOP, 60, "9")
    assert (len(part.ids), part.cursor) == (5, None)
    assert plugin.asked[-1] == (None, {"since": "1970-01-01T00:01:00+00:00", "after": "9", "take": PART})


async def test_ids_of_several_channels_are_merged() -> None:
    plugin = Plugin({"home": [{"id": "3"}, {"id": "10"}], "us": [{"id": "4"}]})
    assert (await plugin.reader.order_ids(IN_A_CHANNEL, 0, None)).ids == ["3", "4", "10"]


@pytest.mark.parametrize(
    "changes",
    [{"placedAt": "yesterday"}, {"lines": None}, {"lines": [{**LINE, "unitPrice": "much"}]}, {"refunds": [{}]}],
)
async def test_order_that_cannot_be_read_is_a_failure_of_the_platform(changes: Mapping[str, Any]) -> None:
    with pytest.raises(PlatformFailed):
        await read(**changes)
