"""The management API finds the products of a shop on a live platform."""

import pytest

from bundlesvc.storage.database.interface import Database
from tests.api.conftest import Api
from tests.api.manage.revisions.conftest import Managing, key_of, managing_of
from tests.standin.data.shop import Component, VariantComponent
from tests.standin.faults import CutBefore
from tests.standin.server import Standin

TITLES = ["Product 1", "Product 2", "Product 9"]


@pytest.fixture
async def live_managing(apis: list[Api], database: Database) -> Managing:
    return await managing_of(apis[0], await key_of(database, "manage:read", handle="live"))


async def test_products_are_those_of_the_platform(live_managing: Managing, standin: Standin) -> None:
    standin.calls.clear()
    found = await live_managing.get("/products?search=product")
    assert [each["title"] for each in found["products"]] == TITLES
    assert [each["price"] for each in found["products"][0]["variants"]] == ["11.00", "12.00"]
    assert standin.calls["ProductSearch"] == 1


async def test_products_that_were_read_before_are_not_read_again(live_managing: Managing, standin: Standin) -> None:
    for _ in range(2):
        await live_managing.get("/products?search=product")
    assert (standin.calls["ProductSearch"], standin.calls["ProductsById"]) == (2, 1)


async def test_result_comes_in_parts(live_managing: Managing) -> None:
    path, titles = "/products?search=product&limit=2", []
    while path:
        response = (await live_managing.request("GET", path)).held()
        titles.append([each["title"] for each in response.json["products"]])
        path = response.headers.get("Link", "").partition(">")[0].removeprefix("</api/manage/v1")
    assert titles == [TITLES[:2], TITLES[2:]]


async def test_product_that_is_gone_is_left_out(live_managing: Managing, standin: Standin) -> None:
    """A product that no longer exists is left out, even while the platform's search still finds it."""
    standin.shop.products[7] = standin.shop.products.pop(2)
    found = await live_managing.get("/products?search=product")
    assert [each["title"] for each in found["products"]] == ["Product 1", "Product 9"]


@pytest.mark.parametrize("cursor", ["YW55d2hlcmU", "%25", "999999999999999999999"])
async def test_cursor_must_be_one_of_the_list(live_managing: Managing, cursor: str) -> None:
    refused = await live_managing.request("GET", f"/products?cursor={cursor}")
    assert (refused.status, [each["path"] for each in refused.json["details"]]) == (400, ["cursor"])


async def test_search_has_a_longest_text(live_managing: Managing) -> None:
    await live_managing.get(f"/products?search={'a' * 200}")
    refused = await live_managing.request("GET", f"/products?search={'a' * 201}&limit=0")
    assert [each["path"] for each in refused.json["details"]] == ["limit", "search"]


async def test_platform_that_is_away_is_named(live_managing: Managing, standin: Standin) -> None:
    standin.fail_next(CutBefore(), times=None)
    refused = await live_managing.request("GET", "/products?search=product")
    assert (refused.status, refused.json["code"]) == (503, "platform_unavailable")


async def test_bundles_of_the_platform_are_listed(live_managing: Managing, standin: Standin) -> None:
    standin.shop.products[9].components = [Component(1, [10001, 10002], 2), Component(2, [20001], 1)]
    (found,) = await live_managing.get("/platform-bundles")
    assert found == {
        "platformProductId": "9",
        "platformVariantId": None,
        "title": "Product 9",
        "imageUrl": "",
        "prices": ["11.00"],
        "componentsPrice": {"lowest": "33.00", "highest": "35.00"},
        "components": [
            {"platformProductId": "1", "title": "Product 1", "variantIds": ["10001", "10002"], "quantity": 2},
            {"platformProductId": "2", "title": "Product 2", "variantIds": ["20001"], "quantity": 1},
        ],
        "faults": [],
    }
    assert (await live_managing.request("GET", "/platform-bundles?cursor=YW55d2hlcmU")).status == 400


async def test_bundles_of_variants_and_unmade_ones_are_listed(live_managing: Managing, standin: Standin) -> None:
    standin.shop.products[1].components = [Component(2, [20001], None)]
    standin.shop.products[9].variants[0].components = [VariantComponent(20001, 201)]
    (open_, variant) = await live_managing.get("/platform-bundles")
    assert (open_["platformVariantId"], open_["componentsPrice"], open_["components"]) == (None, None, [])
    assert open_["faults"] == ["chosen_quantity", "several_prices"]
    assert (variant["platformProductId"], variant["platformVariantId"]) == ("9", "90001")
    assert (variant["componentsPrice"], variant["faults"]) == (
        {"lowest": "2211.00", "highest": "2211.00"},
        ["too_many_items"],
    )
