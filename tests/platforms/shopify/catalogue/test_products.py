"""Products fetched from the stand-in platform."""

from decimal import Decimal

import pytest

from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.platforms.shopify.fakes import TENANT
from tests.standin.data import generated
from tests.standin.data.shop import Shop
from tests.standin.faults import Answered, graphql_errors
from tests.standin.operations.refusals import too_costly
from tests.standin.server import Standin


async def test_products_are_fetched_by_id_and_unknown_ones_omitted(platform: ShopifyPlatform, standin: Standin) -> None:
    standin.shop.add(*generated.products(3, variants=2))
    found = (await platform.products(TENANT, [3, 77, 1, 3])).value
    assert list(found) == [3, 1]
    assert [(variant.id, variant.price, variant.grams, variant.option_values) for variant in found[3].variants] == [
        (30001, Decimal("11.00"), 100, ("Size 1",)),
        (30002, Decimal("12.00"), 100, ("Size 2",)),
    ]
    assert standin.calls == {"ProductsById": 1}


async def test_fetched_products_have_age_zero(platform: ShopifyPlatform) -> None:
    reading = await platform.products(TENANT, [1])
    assert (reading.value, reading.age, reading.lifetime) == ({}, 0, 0)


async def test_no_products_take_no_call(platform: ShopifyPlatform, standin: Standin) -> None:
    assert (await platform.products(TENANT, [])).value == {}
    assert standin.requests == []


@pytest.mark.parametrize(("count", "calls"), [(200, 1), (250, 1), (251, 2)])
async def test_number_of_calls_for_many_products(
    platform: ShopifyPlatform, standin: Standin, count: int, calls: int
) -> None:
    standin.shop.add(*generated.products(count))
    assert len((await platform.products(TENANT, range(1, count + 1))).value) == count
    assert standin.calls["ProductsById"] == calls


@pytest.mark.parametrize(("variants", "pages"), [(100, 0), (101, 1), (1124, 1), (1125, 2), (2048, 2)])
async def test_product_has_all_its_variants(
    platform: ShopifyPlatform, standin: Standin, variants: int, pages: int
) -> None:
    standin.shop.add(generated.product(1, variants), generated.product(2))
    found = (await platform.products(TENANT, [1, 2])).value
    assert [variant.id for variant in found[1].variants] == list(range(10001, 10001 + variants))
    assert len(found[1].options[0].values) == variants
    assert len(found[2].variants) == 1
    assert standin.calls["VariantsPage"] == pages


async def test_product_deleted_between_pages(platform: ShopifyPlatform, standin: Standin) -> None:
    standin.shop.add(generated.product(1, 101))
    standin.fail_next(Answered(200, {"data": {"product": None}}), "VariantsPage")
    assert len((await platform.products(TENANT, [1])).value[1].variants) == 100


async def test_product_by_handle_and_handle_cost_a_point_whatever_its_variants(
    platform: ShopifyPlatform, standin: Standin
) -> None:
    standin.shop.add(generated.product(1, 2000))
    before = standin.bucket().available
    assert await platform.product_by_handle(TENANT, "product-1") == 1
    assert await platform.handle_of(TENANT, 1) == "product-1"
    assert before - standin.bucket().available <= 2
    assert standin.calls == {"ProductByHandle": 1, "ProductHandle": 1}
    assert await platform.product_by_handle(TENANT, "product-2") is None
    assert await platform.handle_of(TENANT, 2) is None


async def test_variant_by_id(platform: ShopifyPlatform, standin: Standin) -> None:
    standin.shop.add(generated.product(1, 2))
    product = (await platform.products(TENANT, [1])).value[1]
    assert await platform.variant(TENANT, 10002) == product.variants_by_id[10002]
    assert await platform.variant(TENANT, 77) is None


async def test_ghost_variant_is_not_found_by_id(platform: ShopifyPlatform, standin: Standin) -> None:
    standin.shop.add(generated.product(1))
    ghost = await platform.create_ghost_variant(TENANT, 1, "ab" * 32, Decimal("5.00"))
    assert await platform.variant(TENANT, ghost) is None
    product = (await platform.products(TENANT, [1])).value[1]
    assert [variant.id for variant in product.variants] == [10001]
    assert product.options == ()


async def test_variants_have_their_inventory_item_ids(platform: ShopifyPlatform, standin_shop: Shop) -> None:
    standin_shop.add(generated.product(1))
    variant = await platform.variant(TENANT, 10001)
    assert variant is not None
    assert variant.inventory_item_id == standin_shop.products[1].variants[0].inventory_item_id


async def test_too_costly_query_is_halved_from_then_on(platform: ShopifyPlatform, standin: Standin) -> None:
    standin.shop.add(*generated.products(250))
    standin.fail_next(graphql_errors(too_costly(4000, 1000).formatted), times=2)
    assert len((await platform.products(TENANT, range(1, 251))).value) == 250
    sizes = [len(request.variables["ids"]) for request in standin.requests]
    assert sizes == [250, 125, 62, 62, 62, 62, 2]
    await platform.products(TENANT, range(1, 101))
    assert [len(request.variables["ids"]) for request in standin.requests[7:]] == [62, 38]


async def test_too_costly_query_for_one_product_fails(
    platform: ShopifyPlatform, standin: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    standin.fail_next(graphql_errors(too_costly(4000, 1000).formatted), times=None)
    with pytest.raises(PlatformFailed):
        await platform.products(TENANT, [1, 2, 3])
    with pytest.raises(PlatformFailed):
        await platform.product_by_handle(TENANT, "shirt")
    assert "the query products_by_id costs more than the platform allows" in caplog.text
    assert "the query product_by_handle costs more than the platform allows" in caplog.text
