"""A webhook is recorded, every process drops the changed data from its cache, and storefronts read the new data
(docs/contract.md#live-data)."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.change_log import SqlChangeLog
from tests.api.conftest import Api
from tests.api.live.conftest import Connect, Deliver
from tests.cli.live_shop import DOMAIN, MUG, SHIRT, SHOP_FILE
from tests.conftest import LoadShop
from tests.standin.app.webhooks import Webhook, deleted_product_body, inventory_level_body, product_body
from tests.standin.server import Standin

PRODUCTS = "/bundles/42/products"
TIMEOUT = 10.0
"""Seconds after which an expected change counts as lost."""


async def products(api: Api) -> dict[str, Any]:
    """Fetch the bundle's products, and return them by id."""
    listed = (await api.get(PRODUCTS)).held().json["products"]
    return {product["platformProductId"]: product for product in listed}


async def shows(api: Api, what: Callable[[dict[str, Any]], bool]) -> None:
    """Wait until the products that the process returns satisfy `what`."""
    async with asyncio.timeout(TIMEOUT):
        while not what(await products(api)):  # noqa: ASYNC110 - the change shows only in responses
            await asyncio.sleep(0.01)


async def test_changed_title_shows_in_every_process(apis: list[Api], standin: Standin, deliver: Deliver) -> None:
    before = [(await api.get(PRODUCTS)).held() for api in apis]
    shirt = standin.shop.products[SHIRT]
    shirt.title = "Linen Shirt"
    for api, old in zip(apis, before, strict=True):
        again = (await api.get(PRODUCTS)).held()
        assert again.json["products"][0]["title"] == "Product 1", "it is remembered"
        assert again.headers["ETag"] == old.headers["ETag"]

    assert await deliver(apis[0], Webhook("products/update", product_body(shirt))) == 200
    for api, old in zip(apis, before, strict=True):
        await shows(api, lambda listed: listed["1"]["title"] == "Linen Shirt")
        changed = await api.get(PRODUCTS, {"If-None-Match": old.headers["ETag"]})
        assert changed.held().headers["ETag"] != old.headers["ETag"]


async def test_deleted_product_is_left_out(apis: list[Api], standin: Standin, deliver: Deliver) -> None:
    assert set(await products(apis[0])) == {"1", "2"}
    del standin.shop.products[MUG]
    assert await deliver(apis[1], Webhook("products/delete", deleted_product_body(MUG))) == 200
    await shows(apis[0], lambda listed: set(listed) == {"1"})


async def test_sold_out_variant(apis: list[Api], standin: Standin, deliver: Deliver) -> None:
    variant = standin.shop.products[MUG].variants[0]
    assert (await products(apis[0]))["2"]["variants"][0]["available"] is True
    variant.quantity = 0
    assert await deliver(apis[0], Webhook("inventory_levels/update", inventory_level_body(variant))) == 200
    await shows(apis[0], lambda listed: listed["2"]["variants"][0]["available"] is False)


async def test_repeated_delivery_is_followed_once(
    apis: list[Api], standin: Standin, deliver: Deliver, database: Database
) -> None:
    webhook = Webhook("products/update", product_body(standin.shop.products[SHIRT]))
    assert [await deliver(api, webhook) for api in (*apis, *apis)] == [200] * 4
    assert len(await SqlChangeLog(database).after(0)) == 1


async def test_each_process_fetches_once_after_a_change(apis: list[Api], standin: Standin, deliver: Deliver) -> None:
    for api in apis:
        await products(api)
    asked = standin.calls["ProductsById"]
    shirt = standin.shop.products[SHIRT]
    shirt.title = "Linen Shirt"
    await deliver(apis[0], Webhook("products/update", product_body(shirt)))
    for api in apis:
        await shows(api, lambda listed: listed["1"]["title"] == "Linen Shirt")
        await products(api)
    assert standin.calls["ProductsById"] <= asked + len(apis)


async def test_domain_of_a_shop_is_case_insensitive(
    apis: list[Api], connect: Connect, load_shop: LoadShop, standin: Standin, deliver: Deliver
) -> None:
    await load_shop(SHOP_FILE.replace(DOMAIN, "Standin.MyShopify.com"))
    await connect("Standin.MyShopify.com")
    await apis[0].refresh()
    assert await deliver(apis[0], Webhook("products/update", product_body(standin.shop.products[SHIRT]))) == 200


@pytest.mark.parametrize("changed", [{"secret": "another"}, {"domain": "another.myshopify.com"}])
async def test_forged_deliveries_are_not_recorded(
    apis: list[Api], standin: Standin, deliver: Deliver, database: Database, changed: dict[str, str]
) -> None:
    webhook = Webhook("products/update", product_body(standin.shop.products[SHIRT]), **changed)
    assert await deliver(apis[0], webhook) == 403
    assert await SqlChangeLog(database).after(0) == []
