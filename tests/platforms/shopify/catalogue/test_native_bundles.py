"""Bundles that the stand-in platform has itself."""

from decimal import Decimal

import pytest

from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.domain.live_platform.platform_bundle import Component
from bundlesvc.domain.product_search import CursorUnknown
from bundlesvc.platforms.shopify.catalogue.native_bundles import ShopifyBundles
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.platforms.shopify.fakes import TENANT
from tests.standin import generated
from tests.standin.faults import Fault, graphql_errors, refused, scope_missing, server_error, too_expensive
from tests.standin.server import Standin
from tests.standin.shop import Component as Part
from tests.standin.shop import Product


@pytest.fixture
def bundles(platform: ShopifyPlatform, standin: Standin) -> ShopifyBundles:
    standin.shop.add(*generated.products(2, variants=2))
    return ShopifyBundles(platform.sessions)


def bundle(standin: Standin, number: int, *parts: Part, variants: int = 1) -> Product:
    """A bundle of the platform, which costs 11.00."""
    product = generated.product(number, variants)
    product.components = [*parts]
    standin.shop.add(product)
    return product


async def test_bundle_has_its_components_and_its_price(bundles: ShopifyBundles, standin: Standin) -> None:
    bundle(standin, 9, Part(1, [10001], 2), Part(2, [20001, 20002]))
    found = await bundles.find(TENANT, 10, None)
    (only,) = found.bundles
    assert (only.product_id, only.title, only.prices, only.faults) == (9, "Product 9", [Decimal("11.00")], [])
    assert only.components == [
        Component(1, "Product 1", [10001], 2),
        Component(2, "Product 2", [20001, 20002], 1),
    ]
    assert (found.next, standin.calls) == (None, {"NativeBundles": 1})


@pytest.mark.parametrize(
    ("parts", "variants", "faults"),
    [
        pytest.param([Part(1, [10001], None)], 1, ["chosen_quantity"], id="shoppers choose the quantity"),
        pytest.param([Part(1, [10001])], 2, ["several_prices"], id="the price depends on the variant"),
        pytest.param([Part(1, [10001])] * 31, 1, ["too_large"], id="more than 30 components"),
        pytest.param([Part(1, [10001] * 51)], 1, ["too_large"], id="more than 50 variants of a component"),
        pytest.param([Part(1, [10001], None)], 21, ["chosen_quantity", "too_large", "several_prices"], id="several"),
    ],
)
async def test_what_cannot_be_made_is_named(
    bundles: ShopifyBundles, standin: Standin, parts: list[Part], variants: int, faults: list[str]
) -> None:
    bundle(standin, 9, *parts, variants=variants)
    (only,) = (await bundles.find(TENANT, 10, None)).bundles
    assert only.faults == faults


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


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(refused(403), id="forbidden"),
        pytest.param(scope_missing(), id="no scope"),
        pytest.param(server_error(500), id="broken"),
        pytest.param(too_expensive(), id="too costly"),
        pytest.param(graphql_errors({"message": "no"}), id="refused"),
    ],
)
async def test_later_part_that_fails_is_a_failure_of_the_platform(
    bundles: ShopifyBundles, standin: Standin, fault: Fault
) -> None:
    for number in (8, 9):
        bundle(standin, number, Part(1, [10001]))
    first = await bundles.find(TENANT, 1, None)
    standin.fail_next(fault, times=None)
    with pytest.raises(PlatformFailed):
        await bundles.find(TENANT, 1, first.next)
