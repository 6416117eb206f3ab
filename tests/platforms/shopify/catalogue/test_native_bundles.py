"""Bundles that are defined on the stand-in platform itself."""

from decimal import Decimal

import pytest

from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.domain.live_platform.platform_bundle import Component, ComponentVariant
from bundlesvc.domain.product_search import CursorUnknown
from bundlesvc.platforms.shopify.catalogue.native_bundles import BUNDLES, ShopifyBundles
from bundlesvc.platforms.shopify.client.graphql import DOCUMENTS
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from bundlesvc.services.revisions.platform_bundles import LISTED
from tests.platforms.shopify.catalogue.later_faults import LATER_FAULTS
from tests.platforms.shopify.fakes import TENANT
from tests.standin.data import generated
from tests.standin.data.shop import Component as Part
from tests.standin.data.shop import Product
from tests.standin.data.shop import VariantComponent as VariantPart
from tests.standin.faults import Fault
from tests.standin.operations.cost import MAX_COST
from tests.standin.operations.estimates import requested
from tests.standin.server import Standin


@pytest.fixture
def bundles(platform: ShopifyPlatform, standin: Standin) -> ShopifyBundles:
    standin.shop.add(*generated.products(2, variants=2))
    return ShopifyBundles(platform.sessions)


def bundle(standin: Standin, number: int, *parts: Part, variants: int = 1) -> Product:
    """Add a bundle to the platform. It costs 11.00."""
    product = generated.product(number, variants)
    product.components = [*parts]
    standin.shop.add(product)
    return product


async def test_bundle_has_its_components_and_its_price(bundles: ShopifyBundles, standin: Standin) -> None:
    bundle(standin, 9, Part(1, [10001], 2), Part(2, [20001, 20002]))
    found = await bundles.find(TENANT, 10, None)
    (only,) = found.bundles
    assert (only.product_id, only.variant_id, only.title) == (9, None, "Product 9")
    assert (only.prices, only.is_complete, only.faults) == ([Decimal("11.00")], True, [])
    assert only.components == [
        Component(1, "Product 1", True, [ComponentVariant(10001, Decimal("11.00"), False)], 2),
        Component(
            2,
            "Product 2",
            True,
            [ComponentVariant(20001, Decimal("11.00"), False), ComponentVariant(20002, Decimal("12.00"), False)],
            1,
        ),
    ]
    assert (found.next, standin.calls) == (None, {"NativeBundles": 1})


async def test_each_variant_with_components_of_its_own_is_a_bundle(bundles: ShopifyBundles, standin: Standin) -> None:
    sizes = bundle(standin, 9, variants=3)
    sizes.variants[0].components = [VariantPart(10001, 2), VariantPart(20002)]
    sizes.variants[2].components = [VariantPart(10002, 3)]
    single = bundle(standin, 10)
    single.variants[0].components = [VariantPart(10001)]
    found = (await bundles.find(TENANT, 10, None)).bundles
    assert [(each.product_id, each.variant_id, each.title, each.prices) for each in found] == [
        (10, 100001, "Product 10", [Decimal("11.00")]),
        (9, 90001, "Product 9 - Size 1", [Decimal("11.00")]),
        (9, 90003, "Product 9 - Size 3", [Decimal("13.00")]),
    ]
    assert found[1].components == [
        Component(1, "Product 1", True, [ComponentVariant(10001, Decimal("11.00"), False)], 2),
        Component(2, "Product 2", True, [ComponentVariant(20002, Decimal("12.00"), False)], 1),
    ]
    assert [each.quantity for each in found[2].components] == [3]
    assert standin.calls == {"NativeBundles": 1, "VariantBundles": 1}


async def test_components_that_are_bundles_or_not_for_sale_are_recognised(
    bundles: ShopifyBundles, standin: Standin
) -> None:
    inner = bundle(standin, 5, Part(1, [10001]))
    standin.shop.add(generated.product(3), generated.product(4), generated.product(6))
    standin.shop.products[3].status, standin.shop.products[4].status = "DRAFT", "ARCHIVED"
    standin.shop.products[6].status = "UNLISTED"
    bundle(standin, 9, *(Part(number, [number * 10000 + 1]) for number in (3, 4, 5, 6)))
    outer = next(each for each in (await bundles.find(TENANT, 10, None)).bundles if each.product_id == 9)
    assert [each.is_sold for each in outer.components] == [False, False, True, True]
    assert [each.variants[0].is_bundle for each in outer.components] == [False, False, True, False]
    assert inner.variants[0].components == []


@pytest.mark.parametrize(
    ("parts", "variants"),
    [
        pytest.param([Part(1, [10001])] * 31, 1, id="more than 30 components"),
        pytest.param([Part(1, [10001] * 51)], 1, id="more than 50 variants of a component"),
        pytest.param([Part(1, [10001])], 21, id="more than 20 variants"),
    ],
)
async def test_bundle_that_is_not_read_in_full_is_not_complete(
    bundles: ShopifyBundles, standin: Standin, parts: list[Part], variants: int
) -> None:
    bundle(standin, 9, *parts, variants=variants)
    (only,) = (await bundles.find(TENANT, 10, None)).bundles
    assert not only.is_complete


@pytest.mark.parametrize(
    ("variants", "components"), [pytest.param(101, 1, id="101 variants"), pytest.param(1, 31, id="31 components")]
)
async def test_bundle_by_variant_that_is_not_read_in_full_is_not_complete(
    bundles: ShopifyBundles, standin: Standin, variants: int, components: int
) -> None:
    product = bundle(standin, 9, variants=variants)
    product.variants[0].components = [VariantPart(10001)] * components
    (only,) = (await bundles.find(TENANT, 10, None)).bundles
    assert (only.is_complete, only.variant_id) == (False, None if variants > 1 else 90001)


def test_queries_cost_far_less_than_the_platform_allows() -> None:
    first = requested(DOCUMENTS["native_bundles"].text, first=LISTED, query=BUNDLES)
    second = requested(
        DOCUMENTS["variant_bundles"].text, ids=[f"gid://shopify/Product/{number}" for number in range(LISTED)]
    )
    assert (first, second) == (397, 192)
    assert first + second < MAX_COST


async def test_bundles_come_in_parts_without_archived_ones(bundles: ShopifyBundles, standin: Standin) -> None:
    for number in (7, 8, 9):
        bundle(standin, number, Part(1, [10001]))
    standin.shop.products[8].status = "ARCHIVED"
    first = await bundles.find(TENANT, 1, None)
    rest = await bundles.find(TENANT, 1, first.next)
    assert [each.product_id for each in (*first.bundles, *rest.bundles)] == [7, 9]
    assert rest.next is None
    with pytest.raises(CursorUnknown):
        await bundles.find(TENANT, 1, "anywhere")


@LATER_FAULTS
async def test_later_part_that_fails_is_a_failure_of_the_platform(
    bundles: ShopifyBundles, standin: Standin, fault: Fault
) -> None:
    for number in (8, 9):
        bundle(standin, number, Part(1, [10001]))
    first = await bundles.find(TENANT, 1, None)
    standin.fail_next(fault, times=None)
    with pytest.raises(PlatformFailed):
        await bundles.find(TENANT, 1, first.next)
