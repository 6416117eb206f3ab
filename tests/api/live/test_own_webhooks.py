"""A new ghost variant makes the platform send `products/update` for the bundle's product: such a webhook counts as a change, and
is cheap (docs/decisions/0023-webhooks-of-our-own-changes.md)."""

import asyncio

import pytest

from bundlesvc.platforms.shopify.ghost_variants import SKU_PREFIX
from tests.api.conftest import Api
from tests.api.embed.conftest import EMBED
from tests.api.live.conftest import Deliver
from tests.api.live.test_ghost_upkeep import PAIR, SHIRT_S, WITH_PAIR, configure
from tests.cli.live_shop import BOX
from tests.conftest import LoadShop
from tests.standin.generated import product
from tests.standin.server import Standin
from tests.standin.webhooks import Webhook, product_body

TIMEOUT = 10.0


@pytest.fixture
async def api(apis: list[Api], load_shop: LoadShop, standin: Standin) -> Api:
    """The bundle's product is nearly full of ghost variants."""
    await load_shop(WITH_PAIR)
    for api in apis:
        await api.refresh()
    full = product(BOX, variants=2000)
    for variant in full.variants[1:]:
        variant.sku = f"{SKU_PREFIX}{variant.id}"
    standin.shop.add(full)
    return apis[0]


async def handle(api: Api, query: str = f"id={PAIR}") -> str:
    return str((await api.get(f"{EMBED}/bundle?{query}")).held().json["productHandle"])


async def announce(api: Api, standin: Standin, deliver: Deliver) -> None:
    """The webhook of the product, which this process then follows."""
    body = {name: product_body(standin.shop.products[BOX])[name] for name in ("id", "updated_at")}
    assert await deliver(api, Webhook("products/update", body)) == 200


@pytest.mark.parametrize("query", [f"id={PAIR}", f"productHandle=product-{BOX}"])
async def test_webhook_of_our_own_ghost_variant_costs_few_points(
    query: str, api: Api, standin: Standin, deliver: Deliver
) -> None:
    """Whatever the number of ghost variants, and the products of the bundle stay cached."""
    assert await handle(api, query) == f"product-{BOX}"
    await configure(api, SHIRT_S)
    standin.calls.clear()
    points = standin.bucket().available

    await announce(api, standin, deliver)
    async with asyncio.timeout(TIMEOUT):
        while "ProductHandle" not in standin.calls:
            assert await handle(api, query) == f"product-{BOX}"
            await asyncio.sleep(0.01)
    assert set(standin.calls) <= {"ProductHandle", "ProductByHandle"}
    assert standin.calls["ProductHandle"] == 1
    assert points - standin.bucket().available <= 4


async def test_change_of_a_merchant_in_the_same_second_shows(api: Api, standin: Standin, deliver: Deliver) -> None:
    """The webhook is the same as that of our own ghost variant."""
    await configure(api, SHIRT_S)
    assert await handle(api) == f"product-{BOX}"
    standin.shop.products[BOX].handle = "renamed"
    await announce(api, standin, deliver)
    async with asyncio.timeout(TIMEOUT):
        while await handle(api) != "renamed":  # noqa: ASYNC110 - the change shows in answers only
            await asyncio.sleep(0.01)
