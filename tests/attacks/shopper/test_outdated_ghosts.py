"""A shopper keeps the id of a ghost variant, and buys it again and again after its discount has ended, its bundle has been
unpublished, its prices have been raised or its stock has run out.

Ghost variants are therefore checked again; otherwise, an outdated one would remain for sale at the old price forever."""

from dataclasses import dataclass
from decimal import Decimal

import pytest

from bundlesvc.api.app_keys import GHOST_UPKEEP
from bundlesvc.demo.catalogue import EmbeddedCartCatalogue
from bundlesvc.domain.shop import Tenant
from bundlesvc.services.ghosts.upkeep import GhostUpkeep
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.api.embed.conftest import EMBED
from tests.api.selection import configure_body
from tests.conftest import LoadShop
from tests.fakes import FakeClock

SEVERAL = 30
GRACE = 24 * 60 * 60
BUNDLE = 'name: Several, type: multiple-products, platformProductId: "910", sections: *sections'
DISCOUNT = f'{BUNDLE}, discount: {{type: percentage, value: "10.00"}}'
SHIRT_M = '{id: "1002", title: M, price: "19.99"'
STOCK_OF_S = "inventoryQuantity: 5"

CHANGES = {
    "the discount is gone": (DISCOUNT, BUNDLE),
    "the bundle is unpublished": (DISCOUNT, f"{DISCOUNT}, published: false"),
    "the bundle is removed": ("id: 30, name: Several", "id: 39, name: Several"),
    "a price is raised": (SHIRT_M, SHIRT_M.replace("19.99", "24.99")),
    "the stock is sold": (STOCK_OF_S, "inventoryQuantity: 0"),
}


@dataclass
class Shop:
    """The attacked service, and the checkout of its shop."""

    api: Api
    load: LoadShop
    checkout: EmbeddedCartCatalogue
    tenant: Tenant
    clock: FakeClock

    async def configure(self, country: str | None = None) -> int:
        """Configure a small and a medium shirt, and return the id of the ghost variant."""
        where = {} if country is None else {"countryCode": country}
        body = configure_body("1001@1", "1002@1", type="multiple-products", **where)
        response = await self.api.post(f"/bundles/{SEVERAL}/configure", body)
        return int(response.held().json["variant_id"])

    async def change(self, old: str, new: str) -> None:
        assert old in SHOP_TEXT
        await self.load(SHOP_TEXT.replace(old, new))

    async def check_ghosts(self) -> None:
        upkeep: GhostUpkeep = self.api.client.app[GHOST_UPKEEP]
        await upkeep.run()

    async def price_of(self, variant_id: int) -> Decimal | None:
        """The price of the variant in the checkout; None if it cannot be bought."""
        found = (await self.checkout.cart_variants(self.tenant, [variant_id])).get(variant_id)
        return None if found is None else found.variant.price


@pytest.fixture
async def shop(make_api: MakeApi, load_shop: LoadShop, database: Database, clock: FakeClock) -> Shop:
    api = await make_api()
    tenant = await SqlKeyStore(database).tenant("demo")
    assert tenant is not None
    return Shop(api, load_shop, EmbeddedCartCatalogue(database), tenant, clock)


@pytest.mark.parametrize("change", CHANGES)
async def test_an_outdated_ghost_is_for_sale_until_the_grace_period_ends(change: str, shop: Shop) -> None:
    variant = await shop.configure()
    await shop.change(*CHANGES[change])

    await shop.check_ghosts()
    shop.clock.move(GRACE - 1)
    await shop.check_ghosts()
    assert await shop.price_of(variant) == Decimal("35.98"), "it may be in a cart"

    shop.clock.move(1)
    await shop.check_ghosts()
    assert await shop.price_of(variant) is None


async def test_a_ghost_with_a_valid_promise_stays_for_sale(shop: Shop) -> None:
    variant = await shop.configure()
    for _ in range(10):
        shop.clock.move(GRACE)
        await shop.check_ghosts()
    assert await shop.price_of(variant) == Decimal("35.98")


async def test_a_promise_renewed_within_the_grace_period_stays_valid(shop: Shop) -> None:
    variant = await shop.configure()
    await shop.change(*CHANGES["the discount is gone"])
    await shop.check_ghosts()
    await shop.load(SHOP_TEXT)
    shop.clock.move(2 * GRACE)
    await shop.check_ghosts()
    assert await shop.price_of(variant) == Decimal("35.98")
    assert await shop.configure() == variant


async def test_configuring_again_does_not_prolong_the_old_price(shop: Shop) -> None:
    """A selection that is configured again gets a ghost variant at today's price; the old ghost variant is retired all the
    same."""
    old = await shop.configure()
    await shop.change(*CHANGES["the discount is gone"])
    await shop.api.refresh()
    for _ in range(4):
        shop.clock.move(GRACE // 4)
        new = await shop.configure()
        await shop.check_ghosts()
    assert new != old
    assert await shop.price_of(new) == Decimal("39.98")
    assert await shop.price_of(old) is None


async def test_configuring_at_home_every_day_does_not_prolong_an_old_price_abroad(shop: Shop) -> None:
    ghost = await shop.configure("US")
    assert await shop.configure() == ghost, "one ghost variant serves both, each at its price"
    await shop.change('prices: {"1002": "21.00"}', 'prices: {"1002": "41.00"}')
    await shop.check_ghosts()
    for _ in range(4):
        assert await shop.configure() == ghost
        shop.clock.move(GRACE // 4)
    assert await shop.price_of(ghost) is not None

    await shop.check_ghosts()

    assert await shop.price_of(ghost) is None
    assert await shop.configure() != ghost


async def test_configured_bundles_of_a_retired_ghost_are_still_found(shop: Shop) -> None:
    variant = await shop.configure()
    await shop.change(*CHANGES["the discount is gone"])
    shop.clock.move(GRACE)
    await shop.check_ghosts()
    assert await shop.price_of(variant) is None
    (await shop.api.get(f"{EMBED}/bundle/{SEVERAL}/variant/{variant}")).held()
    content = await shop.api.post(f"{EMBED}/content", {"bundles": [{"variantId": variant}]})
    assert content.held().json["bundles"][0]["content"] == "1 x Shirt - S\n1 x Shirt - M"
