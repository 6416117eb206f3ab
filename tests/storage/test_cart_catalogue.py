"""The demo's cart catalogue on both databases: variants of every kind, and markets."""

from dataclasses import replace
from decimal import Decimal

import pytest

from bundlesvc.demo.catalogue import EmbeddedCartCatalogue
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.storage.database.interface import Database
from tests.platforms.embedded.test_platform import VARIANTS
from tests.process.shop import BOX_VARIANT, PAIR_PRODUCT, PLAIN_MUG, SHIRT_M

PRICE = Decimal("22.99")


@pytest.fixture
def catalogue(database: Database) -> EmbeddedCartCatalogue:
    return EmbeddedCartCatalogue(database)


async def test_variants_have_the_title_and_image_of_their_product(
    tenant: Tenant, catalogue: EmbeddedCartCatalogue
) -> None:
    found = await catalogue.cart_variants(tenant, [SHIRT_M, PLAIN_MUG, BOX_VARIANT, 999])

    assert {id_: one.variant for id_, one in found.items()} == {
        id_: VARIANTS[id_] for id_ in (SHIRT_M, PLAIN_MUG, BOX_VARIANT)
    }
    assert (found[SHIRT_M].title, found[PLAIN_MUG].title) == ("Shirt", "Mug")
    assert not any(one.ghost for one in found.values())


async def test_ghost_variant_is_found_until_it_is_retired(
    tenant: Tenant, platform: EmbeddedPlatform, catalogue: EmbeddedCartCatalogue
) -> None:
    ghost = await platform.create_ghost_variant(tenant, PAIR_PRODUCT, "identity", PRICE)

    (found,) = (await catalogue.cart_variants(tenant, [ghost])).values()
    assert (found.variant.id, found.variant.price, found.ghost) == (ghost, PRICE, True)
    assert found.title == (await platform.products(tenant, [PAIR_PRODUCT])).value[PAIR_PRODUCT].title

    await platform.retire_ghost_variants(tenant, PAIR_PRODUCT, [ghost])
    assert await catalogue.cart_variants(tenant, [ghost]) == {}


async def test_variants_and_markets_of_other_shops_are_not_found(
    tenant: Tenant, platform: EmbeddedPlatform, catalogue: EmbeddedCartCatalogue
) -> None:
    ghost = await platform.create_ghost_variant(tenant, PAIR_PRODUCT, "identity", PRICE)
    other = replace(tenant, id=999)
    assert await catalogue.cart_variants(other, [SHIRT_M, ghost]) == {}
    assert await catalogue.markets(other) == {}


async def test_markets_have_their_currencies(tenant: Tenant, catalogue: EmbeddedCartCatalogue) -> None:
    assert await catalogue.markets(tenant) == {"JP": "JPY", "US": "USD"}
