"""The lists of a shop on a live platform follow the platform's products, prices and stock (docs/contract.md#lists)."""

import asyncio
from decimal import Decimal
from typing import Any

from tests.api.conftest import Api
from tests.api.live.conftest import Deliver
from tests.cli.live_shop import BOX, SHIRT
from tests.standin.app.webhooks import Webhook, inventory_level_body, product_body
from tests.standin.server import Standin

OFFERS = "/bundles?include=offer"
TIMEOUT = 10.0
"""Seconds after which an expected change counts as lost."""


async def offer(api: Api, query: str = OFFERS) -> dict[str, Any]:
    (listed,) = (await api.get(query)).held().json
    found: dict[str, Any] = listed
    return found


async def shows(api: Api, from_price: str | None) -> None:
    """Wait until the list of bundles shows this "from" price."""
    async with asyncio.timeout(TIMEOUT):
        while (await offer(api))["fromPrice"] != from_price:  # noqa: ASYNC110 - the change shows only in responses
            await asyncio.sleep(0.01)


async def test_from_price_follows_prices_and_stock_of_the_platform(
    apis: list[Api], standin: Standin, deliver: Deliver
) -> None:
    api, shirt = apis[0], standin.shop.products[SHIRT]
    required = shirt.variants[0]
    first = await offer(api)
    assert first["handle"] == standin.shop.products[BOX].handle
    assert first["fromPrice"] == f"{required.price:.2f}"
    asked = standin.calls.total()
    assert await offer(api) == first
    assert standin.calls.total() == asked

    required.price = Decimal("7.77")
    assert await deliver(api, Webhook("products/update", product_body(shirt))) == 200
    await shows(api, "7.77")
    required.quantity = 0
    assert await deliver(api, Webhook("inventory_levels/update", inventory_level_body(required))) == 200
    await shows(api, None)


async def test_handle_is_looked_up_on_the_platform(apis: list[Api], standin: Standin) -> None:
    handle = standin.shop.products[BOX].handle
    for _ in range(3):  # the fast path would answer later requests if it cached this
        assert (await offer(apis[0], f"/bundles?handle={handle}"))["id"] == 42
    assert (await apis[0].get("/bundles?handle=unknown")).held().json == []


async def test_list_needs_the_platform_only_for_offers(apis: list[Api], standin: Standin) -> None:
    standin.shop.products.clear()
    before = standin.calls.total()
    assert (await offer(apis[0], "/bundles?lang=de"))["name"] == "Crate"
    assert standin.calls.total() == before
