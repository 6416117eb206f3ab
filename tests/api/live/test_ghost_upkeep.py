"""Ghost variants on a live platform: webhooks mark ghost variants for a check, and background jobs remove those whose promise is
broken."""

import asyncio
from decimal import Decimal

import pytest

from bundlesvc.api.app_keys import GHOST_UPKEEP
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from bundlesvc.services.ghosts.variants import GHOST_REST
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.ghosts.administration import SqlGhostAdmin
from bundlesvc.storage.ghosts.retirement import CLAIM_SECONDS
from bundlesvc.storage.ghosts.upkeep import RETRY_SECONDS, SqlGhostStore
from tests.api.conftest import Api
from tests.api.live.conftest import Deliver
from tests.cli.live_shop import BOX, SHIRT, SHOP_FILE
from tests.conftest import LoadShop
from tests.fakes import FakeClock
from tests.standin.app.webhooks import Webhook, inventory_level_body, product_body
from tests.standin.data.generated import product
from tests.standin.faults import server_error
from tests.standin.server import Standin

PAIR = 43
DAY = 24 * 60 * 60
SHIRT_S, MUG_VARIANT = 10001, 20001
WITH_PAIR = (
    SHOP_FILE
    + f"""
  - {{id: {PAIR}, name: Pair, type: multiple-products, layout: single-page, platformProductId: "{BOX}",
     sections: [{{id: 1, name: All, order: 0, products: [
       {{bundleItemId: 1, platformProductId: "1"}}, {{bundleItemId: 2, platformProductId: "2"}}]}}]}}
"""
)


@pytest.fixture
async def two(apis: list[Api], load_shop: LoadShop) -> list[Api]:
    """Two processes that serve a shop whose bundle needs ghost variants."""
    await load_shop(WITH_PAIR)
    for api in apis:
        await api.refresh()
    return apis


async def configure(api: Api, *variants: int) -> int:
    """Configure these variants, and return the id of the ghost variant."""
    products = [{"variant": f"{one}", "product": f"{one // 10000}", "section": 1} for one in variants]
    response = await api.post(f"/bundles/{PAIR}/configure", {"type": "multiple-products", "products": products})
    return int(response.held().json["variant_id"])


async def look_after_ghosts(api: Api) -> None:
    await api.client.app[GHOST_UPKEEP].run()


def on_the_platform(standin: Standin) -> set[int]:
    """The ids of the ghost variants on the platform."""
    return {variant.id for variant in standin.shop.products[BOX].variants[1:]}


async def states(database: Database) -> dict[int, str]:
    return {ghost.variant_id: ghost.state for ghost in await SqlGhostAdmin(database).all()}


async def raise_price(standin: Standin, deliver: Deliver, api: Api) -> None:
    shirt = standin.shop.products[SHIRT]
    for variant in shirt.variants:
        variant.price += Decimal(5)
    assert await deliver(api, Webhook("products/update", product_body(shirt))) == 200


async def test_raised_price_retires_the_ghost_after_the_grace(
    two: list[Api], standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    """A raised price retires the ghost variant after the grace period, even when the webhook arrives at the other process."""
    shirt, mug = [await configure(two[1], variant) for variant in (SHIRT_S, MUG_VARIANT)]
    await raise_price(standin, deliver, two[0])
    assert await states(database) == {shirt: "marked", mug: "live"}

    await look_after_ghosts(two[1])
    assert await states(database) == {shirt: "marked", mug: "live"}
    assert on_the_platform(standin) == {shirt, mug}

    clock.move(DAY)
    await look_after_ghosts(two[1])
    assert await states(database) == {shirt: "retired", mug: "live"}
    assert on_the_platform(standin) == {mug}


async def test_sold_out_variant(
    two: list[Api], standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    mug = await configure(two[0], MUG_VARIANT)
    variant = standin.shop.products[MUG_VARIANT // 10000].variants[0]
    variant.quantity = 0
    assert await deliver(two[0], Webhook("inventory_levels/update", inventory_level_body(variant))) == 200
    assert await states(database) == {mug: "marked"}
    clock.move(DAY)
    await look_after_ghosts(two[0])
    assert on_the_platform(standin) == set()


async def test_every_change_marks_the_ghost_even_with_an_equal_body(
    two: list[Api], standin: Standin, deliver: Deliver, database: Database
) -> None:
    """Every change marks the ghost variant for a check, even when two webhooks have the same body, which contains only the
    product's id."""
    shirt = await configure(two[0], SHIRT_S)
    for _ in range(2):
        assert await deliver(two[0], Webhook("products/update", {"id": SHIRT})) == 200
        assert await states(database) == {shirt: "marked"}
        await look_after_ghosts(two[0])
        assert await states(database) == {shirt: "live"}


async def test_change_that_breaks_no_promise_leaves_the_ghost_live(
    two: list[Api], standin: Standin, deliver: Deliver, database: Database
) -> None:
    shirt = await configure(two[0], SHIRT_S)
    changed = standin.shop.products[SHIRT]
    changed.title = "Linen Shirt"
    assert await deliver(two[0], Webhook("products/update", product_body(changed))) == 200
    assert await states(database) == {shirt: "marked"}
    await look_after_ghosts(two[0])
    assert await states(database) == {shirt: "live"}


async def test_failed_platform_calls_are_retried(
    two: list[Api], standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    """Failed calls to the platform are retried: here, first the fetch of the prices, then the removal of the ghost variant."""
    shirt = await configure(two[0], SHIRT_S)
    await raise_price(standin, deliver, two[0])
    clock.move(DAY)
    standin.fail_next(server_error(), "ProductsById", times=None)
    await look_after_ghosts(two[0])
    assert await states(database) == {shirt: "marked"}

    standin.heal()
    standin.fail_next(server_error(), "DeleteVariants", times=None)
    clock.move(RETRY_SECONDS)
    await look_after_ghosts(two[0])
    assert await states(database) == {shirt: "retired"}
    assert on_the_platform(standin) == {shirt}

    standin.heal()
    clock.move(CLAIM_SECONDS)
    await look_after_ghosts(two[1])
    assert on_the_platform(standin) == set()


class Died(Exception):
    """Raised to simulate the death of the process."""


async def die(*_: object) -> None:
    raise Died


STEPS = {
    "before the platform removed it": (ShopifyPlatform, "retire_ghost_variants"),
    "before it was recorded": (SqlGhostStore, "removed"),
}


@pytest.mark.parametrize("step", STEPS)
async def test_removal_that_a_crash_interrupted_is_finished_by_a_later_pass(
    step: str,
    two: list[Api],
    standin: Standin,
    deliver: Deliver,
    clock: FakeClock,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shirt, mug = await configure(two[0], SHIRT_S), await configure(two[0], MUG_VARIANT)
    await raise_price(standin, deliver, two[0])
    clock.move(DAY)
    with monkeypatch.context() as patch:
        patch.setattr(*STEPS[step], die)
        with pytest.raises(Died):
            await look_after_ghosts(two[0])
    assert (shirt in on_the_platform(standin)) == (step == "before the platform removed it")
    assert await gone(database) == {shirt: None, mug: None}

    clock.move(CLAIM_SECONDS)
    await look_after_ghosts(two[1])
    assert on_the_platform(standin) == {mug}
    assert await gone(database) == {shirt: int(clock.now()), mug: None}
    calls = standin.calls["DeleteVariants"]
    clock.move(DAY)
    await look_after_ghosts(two[1])
    assert standin.calls["DeleteVariants"] == calls, "it is removed once"


async def gone(database: Database) -> dict[int, int | None]:
    """The time at which each ghost variant was removed from the platform, by variant id."""
    return {ghost.variant_id: ghost.gone_at for ghost in await SqlGhostAdmin(database).all()}


@pytest.mark.parametrize("step", ["before the platform removed it", "before it was recorded"])
async def test_making_room_that_a_crash_interrupted_is_finished_by_a_pass(
    step: str,
    two: list[Api],
    standin: Standin,
    clock: FakeClock,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An upkeep pass finishes a removal that a crash interrupted: the process dies while a configure request is removing the
    oldest ghost variant of a full product."""
    monkeypatch.setattr("bundlesvc.services.ghosts.variants.GHOSTS_PER_PRODUCT", 10)
    made = []
    for shirts in range(1, 11):
        made.append(await configure(two[0], *[SHIRT_S] * shirts))
        clock.move(1)
    oldest, *others = made
    clock.move(GHOST_REST)
    body = {"type": "multiple-products", "products": [{"variant": f"{MUG_VARIANT}", "product": "2", "section": 1}]}
    with monkeypatch.context() as patch:
        patch.setattr(*({**STEPS, "before it was recorded": (SqlConfiguredStore, "removed")}[step]), die)
        (await two[0].post(f"/bundles/{PAIR}/configure", body)).held(500)
    assert (oldest in on_the_platform(standin)) == (step == "before the platform removed it")
    assert await gone(database) == dict.fromkeys(made)

    clock.move(CLAIM_SECONDS)
    await look_after_ghosts(two[1])
    assert on_the_platform(standin) == set(others)
    assert await gone(database) == {oldest: int(clock.now()), **dict.fromkeys(others)}
    assert await configure(two[1], MUG_VARIANT) in on_the_platform(standin)


async def test_product_full_of_the_shops_own_variants(two: list[Api], standin: Standin) -> None:
    standin.shop.add(product(BOX, variants=2048))
    body = {"type": "multiple-products", "products": [{"variant": f"{MUG_VARIANT}", "product": "2", "section": 1}]}
    response = (await two[0].post(f"/bundles/{PAIR}/configure", body)).held(503)
    assert response.code == "ghost_variants_full"
    assert int(response.headers["Retry-After"]) >= 1


async def test_two_processes_remove_each_ghost_once(
    two: list[Api], standin: Standin, deliver: Deliver, clock: FakeClock
) -> None:
    for count in range(1, 9):
        await configure(two[0], *[SHIRT_S] * count)
    await raise_price(standin, deliver, two[0])
    clock.move(DAY)
    before = standin.calls["DeleteVariants"]
    await asyncio.gather(*(look_after_ghosts(api) for api in two * 3))
    assert on_the_platform(standin) == set()
    assert standin.calls["DeleteVariants"] == before + 1


async def test_prices_of_many_ghosts_are_fetched_together(
    two: list[Api], standin: Standin, deliver: Deliver, database: Database
) -> None:
    made = [await configure(two[0], *[SHIRT_S] * shirts, MUG_VARIANT) for shirts in range(1, 9)]
    await raise_price(standin, deliver, two[0])
    before = standin.calls["ProductsById"]
    await look_after_ghosts(two[0])
    assert standin.calls["ProductsById"] == before + 1
    assert await states(database) == dict.fromkeys(made, "marked")
