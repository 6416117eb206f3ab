"""A new ghost variant makes the platform send `products/update` for the bundle's product. Such a webhook invalidates no cache
entry, and any other webhook about that product costs few of the platform's rate-limit points
(docs/decisions/0023-webhooks-of-our-own-changes.md)."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from bundlesvc.domain.live_platform.platform_change import PRODUCT, Change
from bundlesvc.platforms.shopify.catalogue.ghost_variants import SKU_PREFIX
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.change_log import SqlChangeLog
from tests.api.conftest import Api
from tests.api.embed.conftest import EMBED
from tests.api.live.conftest import Deliver
from tests.api.live.test_ghost_upkeep import PAIR, SHIRT_S, WITH_PAIR, configure
from tests.cli.live_shop import BOX, SHIRT
from tests.conftest import LoadShop
from tests.standin.app.webhooks import Webhook, product_body
from tests.standin.data.generated import product
from tests.standin.server import Standin

TIMEOUT = 10.0


@pytest.fixture
async def api(apis: list[Api], load_shop: LoadShop, standin: Standin) -> Api:
    """The service with a bundle whose product has nearly reached its limit of ghost variants."""
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


def update(standin: Standin, **changed: Any) -> Mapping[str, Any]:
    """The body of a webhook about the bundle's product, with the fields that the service's own subscription requests."""
    sent = product_body(standin.shop.products[BOX])
    return {"id": sent["id"], "updated_at": sent["updated_at"], **changed}


async def recorded(database: Database) -> list[Change]:
    return [one.change for one in await SqlChangeLog(database).after(0)]


async def shows(api: Api, name: str) -> None:
    """Wait until the bundle has this product handle."""
    async with asyncio.timeout(TIMEOUT):
        while await handle(api) != name:  # noqa: ASYNC110 - the change shows only in responses
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("query", [f"id={PAIR}", f"productHandle=product-{BOX}"])
async def test_webhook_of_our_own_ghost_variant_drops_nothing(
    query: str, apis: list[Api], api: Api, standin: Standin, deliver: Deliver, database: Database
) -> None:
    """A webhook caused by a new ghost variant invalidates nothing, even when the other process receives it twice.

    Cached and rendered data stays valid, so the platform gets no call."""
    assert await handle(api, query) == f"product-{BOX}"
    await configure(api, SHIRT_S)
    webhook = Webhook("products/update", update(standin))
    standin.calls.clear()

    for _ in range(2):
        assert await deliver(apis[1], webhook) == 200
    assert await recorded(database) == [], "no process has anything to follow"
    assert await handle(api, query) == f"product-{BOX}"
    assert not standin.calls


async def test_change_of_a_merchant_a_second_later_shows(api: Api, standin: Standin, deliver: Deliver) -> None:
    await configure(api, SHIRT_S)
    assert await handle(api) == f"product-{BOX}"
    ours = update(standin)
    product = standin.shop.products[BOX]
    product.handle = "renamed"
    product.touch()
    for body in (ours, update(standin)):
        assert await deliver(api, Webhook("products/update", body)) == 200
    await shows(api, "renamed")


@pytest.mark.parametrize("query", [f"id={PAIR}", f"productHandle=product-{BOX}"])
async def test_webhook_of_another_change_costs_few_points(
    query: str, api: Api, standin: Standin, deliver: Deliver
) -> None:
    """A webhook about a change that the service has not made itself costs few of the platform's rate-limit points, whatever the
    number of ghost variants, and the bundle's products stay cached."""
    assert await handle(api, query) == f"product-{BOX}"
    await configure(api, SHIRT_S)
    standin.calls.clear()
    points = standin.bucket().available

    standin.shop.products[BOX].touch()
    assert await deliver(api, Webhook("products/update", update(standin))) == 200
    async with asyncio.timeout(TIMEOUT):
        while "ProductHandle" not in standin.calls:
            assert await handle(api, query) == f"product-{BOX}"
            await asyncio.sleep(0.01)
    assert set(standin.calls) <= {"ProductHandle", "ProductByHandle"}
    assert standin.calls["ProductHandle"] == 1
    assert points - standin.bucket().available <= 4


@pytest.mark.parametrize(
    "changed",
    [
        {"updated_at": "2026-07-01T00:00:00Z"},
        {"updated_at": "2026-07-01T00:00:01.500Z"},
        {"updated_at": "2026-07-01T00:00:01"},
        {"updated_at": "yesterday"},
        {"updated_at": 1782864001},
        {"updated_at": None},
    ],
)
async def test_webhook_with_another_time_is_a_change(
    changed: Mapping[str, Any], api: Api, standin: Standin, deliver: Deliver, database: Database
) -> None:
    await configure(api, SHIRT_S)
    assert standin.shop.products[BOX].updated_at == "2026-07-01T00:00:01Z"
    assert await deliver(api, Webhook("products/update", update(standin, **changed))) == 200
    assert await recorded(database) == [Change(PRODUCT, BOX)]


async def test_webhook_without_a_time_is_a_change(
    api: Api, standin: Standin, deliver: Deliver, database: Database
) -> None:
    """A webhook without a time is treated as a change: webhook subscriptions created by earlier versions send only the id."""
    await configure(api, SHIRT_S)
    assert await deliver(api, Webhook("products/update", {"id": BOX})) == 200
    assert await recorded(database) == [Change(PRODUCT, BOX)]


async def test_webhook_before_our_record_is_a_change(
    api: Api, standin: Standin, deliver: Deliver, database: Database
) -> None:
    """A webhook about the service's own change is treated as reporting somebody else's change if it arrives before the service
    has recorded the change, for instance while the service is still reading the platform's response."""
    webhook = Webhook("products/update", update(standin, updated_at="2026-07-01T00:00:01Z"))
    assert await deliver(api, webhook) == 200
    await configure(api, SHIRT_S)
    assert await recorded(database) == [Change(PRODUCT, BOX)]


async def test_time_of_our_change_on_another_product_is_a_change(
    api: Api, standin: Standin, deliver: Deliver, database: Database
) -> None:
    await configure(api, SHIRT_S)
    assert await deliver(api, Webhook("products/update", update(standin, id=SHIRT))) == 200
    assert await recorded(database) == [Change(PRODUCT, SHIRT)]


@pytest.mark.parametrize("published", ["true", "false"])
async def test_webhook_of_a_product_that_a_bundle_contains_is_a_change(
    published: str, api: Api, standin: Standin, deliver: Deliver, database: Database, load_shop: LoadShop
) -> None:
    """A webhook about a product that a bundle contains is treated as a change, so that anything a merchant changed within the
    same second is shown."""
    box_inside = f"""
  - {{id: 44, name: Boxes, type: native, layout: single-page, platformProductId: "8", parentVariantId: "80001",
     published: {published},
     sections: [{{id: 1, name: All, order: 0, products: [{{bundleItemId: 1, platformProductId: "{BOX}"}}]}}]}}
"""
    await load_shop(WITH_PAIR + box_inside)
    await api.refresh()
    await configure(api, SHIRT_S)
    assert await deliver(api, Webhook("products/update", update(standin))) == 200
    assert await recorded(database) == [Change(PRODUCT, BOX)]
