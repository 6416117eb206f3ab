"""The embedded platform: products, market prices, ghost variants."""

import asyncio
from dataclasses import replace
from decimal import Decimal

import pytest
from sqlalchemy import select

from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.ghosts.prices import MarketTerms
from bundlesvc.domain.identifiers import GHOST_VARIANT_FLOOR, MAX_ID
from bundlesvc.domain.product import MarketPrice, Variant
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import catalogue_ghosts
from tests.process.shop import GIFT_BOX, MUG, PAIR_PRODUCT, PLAIN_MUG, SCARCE_SHIRT, SHIRT, SHIRT_M, SHOP

VARIANTS: dict[int, Variant] = {
    variant.id: variant for product in read_shop_file(SHOP).products for variant in product.variants
}
PRICE = Decimal("22.99")


async def in_market(
    platform: EmbeddedPlatform, tenant: Tenant, country: str, variants: dict[int, Variant] | None = None
) -> dict[int, MarketPrice]:
    return dict((await platform.market_prices(tenant, (variants or VARIANTS).values(), country)).value)


async def test_products_are_found_by_id(tenant: Tenant, platform: EmbeddedPlatform) -> None:
    reading = await platform.products(tenant, [MUG, SHIRT, 999, MUG])
    assert {key: product.title for key, product in reading.value.items()} == {MUG: "Mug", SHIRT: "Shirt"}
    assert (reading.age, reading.lifetime) == (0.0, None)
    assert (await platform.products(tenant, [])).value == {}


async def test_a_product_is_found_by_its_handle(tenant: Tenant, platform: EmbeddedPlatform) -> None:
    assert await platform.product_by_handle(tenant, "shirt") == SHIRT
    assert await platform.handle_of(tenant, SHIRT) == "shirt"
    assert await platform.handle_of(tenant, 77) is None
    for unknown in ("hat", "", "shirt\0", "\0", "🧢", "x" * 1000):
        assert await platform.product_by_handle(tenant, unknown) is None
    assert await platform.product_by_handle(replace(tenant, id=999), "shirt") is None


async def test_a_variant_is_found_without_its_product(tenant: Tenant, platform: EmbeddedPlatform) -> None:
    for variant_id, variant in VARIANTS.items():
        assert await platform.variant(tenant, variant_id) == variant
    assert await platform.variant(tenant, 999) is None
    assert await platform.variant(replace(tenant, id=999), PLAIN_MUG) is None


async def test_a_variant_that_a_newer_file_omits_is_not_found(
    tenant: Tenant, platform: EmbeddedPlatform, shop_files: SqlShopFileStore
) -> None:
    stored = await shop_files.stored("demo")
    assert stored is not None
    await shop_files.replace(replace(stored, products=stored.products[1:], bundles=()))
    later = replace(tenant, revision=tenant.revision + 1)
    assert await platform.variant(later, SHIRT_M) is None
    assert await platform.variant(later, PLAIN_MUG) is not None


async def test_settings_come_from_the_shop(tenant: Tenant, platform: EmbeddedPlatform) -> None:
    assert (await platform.shop(tenant)).currency == "EUR"
    with pytest.raises(PlatformNotConnected):
        await platform.shop(replace(tenant, shop=replace(tenant.shop, settings=None)))


async def test_the_embedded_platform_has_no_selling_plans(tenant: Tenant, platform: EmbeddedPlatform) -> None:
    assert await platform.selling_plans(tenant, [GIFT_BOX]) == {}


@pytest.mark.parametrize(
    ("country", "variant", "expected"),
    [
        (
            "US",
            SCARCE_SHIRT,
            ("23.09", "USD", "20.99", True, "1.10"),
        ),  # 19.99 x 1.05 x 1.10 = 23.08845, ÷ 1.10 = 20.990…
        ("US", SHIRT_M, ("21.00", "USD", "19.09", True, "1.10")),  # fixed; ÷ 1.10 = 19.0909…
        ("US", PLAIN_MUG, ("9.24", "USD", "8.40", False, "1.10")),  # 8 x 1.155, not sold there
        ("JP", SCARCE_SHIRT, ("2879", "JPY", "17.99", True, "160")),  # 19.99 x 0.9 x 160 = 2878.56, ÷ 160 = 17.99375
        ("JP", PLAIN_MUG, ("1152", "JPY", "7.20", True, "160")),
        ("DE", SCARCE_SHIRT, ("19.99", "EUR", "19.99", True, None)),  # no market: the shop's own price
        ("DE", PLAIN_MUG, ("8.00", "EUR", "8.00", True, None)),
    ],
)
async def test_market_prices_are_adjusted_and_converted(
    country: str,
    variant: int,
    expected: tuple[str, str, str, bool, str | None],
    tenant: Tenant,
    platform: EmbeddedPlatform,
) -> None:
    price, currency, in_shop_currency, for_sale, rate = expected
    found = (await in_market(platform, tenant, country))[variant]
    assert found == MarketPrice(
        Decimal(price), currency, Decimal(in_shop_currency), for_sale, Decimal(rate) if rate else None
    )


@pytest.mark.parametrize(
    ("own", "price", "in_shop_currency"),
    [
        ("0.00", "0.00", "0.00"),
        ("0.01", "0.01", "0.01"),  # 0.01155 and 0.00909…
        ("1.00", "1.16", "1.05"),  # 1.155, half up; 1.0545…
        ("10.00", "11.55", "10.50"),
        ("99999999.99", "115499999.99", "104999999.99"),
    ],
)
async def test_market_prices_are_rounded_half_up_once_each_way(
    own: str, price: str, in_shop_currency: str, tenant: Tenant, platform: EmbeddedPlatform
) -> None:
    variant = replace(VARIANTS[SCARCE_SHIRT], price=Decimal(own))
    found = (await in_market(platform, tenant, "US", {variant.id: variant}))[variant.id]
    assert (str(found.presentment_price), str(found.price_in_shop_currency)) == (price, in_shop_currency)


@pytest.mark.parametrize(
    ("country", "currency", "adjustment", "rate"),
    [("US", "USD", "5", "1.10"), ("JP", "JPY", "-10", "160"), ("DE", "EUR", "0", "1")],
)
async def test_every_country_has_terms_and_a_price_list(
    country: str, currency: str, adjustment: str, rate: str, tenant: Tenant, platform: EmbeddedPlatform
) -> None:
    found = await platform.market_terms(tenant, country)
    assert found == MarketTerms(currency, Decimal(adjustment), Decimal(rate), country)


async def test_a_newer_revision_has_newer_data(
    tenant: Tenant, platform: EmbeddedPlatform, shop_files: SqlShopFileStore
) -> None:
    await platform.products(tenant, [SHIRT])
    await platform.market_terms(tenant, "US")
    stored = await shop_files.stored("demo")
    assert stored is not None
    products = tuple(replace(product, title="New") for product in stored.products)
    await shop_files.replace(replace(stored, products=products, markets=()))

    assert (await platform.products(tenant, [SHIRT])).value[SHIRT].title == "Shirt"
    later = replace(tenant, revision=tenant.revision + 1)
    assert (await platform.products(later, [SHIRT])).value[SHIRT].title == "New"
    assert (await platform.market_terms(later, "US")).adjustment == 0


async def ghost_ids(database: Database) -> list[tuple[int, str, bool]]:
    ghosts = catalogue_ghosts.c
    query = select(ghosts.variant_id, ghosts.price, ghosts.retired).order_by(ghosts.variant_id)
    return await database.read(lambda connection: [tuple(row) for row in connection.execute(query)])


async def test_ids_of_ghost_variants_are_random(tenant: Tenant, platform: EmbeddedPlatform) -> None:
    made = {await platform.create_ghost_variant(tenant, PAIR_PRODUCT, f"{number}", PRICE) for number in range(200)}
    assert len(made) == 200
    assert all(8 * 10**15 <= variant_id <= 2**53 - 1 for variant_id in made)
    assert max(made) - min(made) > 10**14, "200 random ids lie far apart"
    assert not any(variant_id + 1 in made for variant_id in made)


async def test_a_taken_id_is_not_used_again(tenant: Tenant, database: Database, shop_files: SqlShopFileStore) -> None:
    draws = iter([GHOST_VARIANT_FLOOR, GHOST_VARIANT_FLOOR, GHOST_VARIANT_FLOOR, MAX_ID, GHOST_VARIANT_FLOOR])
    platform = EmbeddedPlatform(database, RevisionCache(), lambda: next(draws))
    first = await platform.create_ghost_variant(tenant, PAIR_PRODUCT, "a", PRICE)
    await platform.retire_ghost_variants(tenant, PAIR_PRODUCT, [first])
    second = await platform.create_ghost_variant(tenant, GIFT_BOX, "b", PRICE)
    assert (first, second) == (GHOST_VARIANT_FLOOR, MAX_ID)
    await shop_files.replace(replace(read_shop_file(SHOP), shop=replace(tenant.shop, handle="other")))
    other = replace(tenant, id=tenant.id + 1)
    assert await platform.create_ghost_variant(other, PAIR_PRODUCT, "a", PRICE) == first, "another shop may use it"


async def test_a_market_price_of_a_ghost_applies_in_its_country_and_shop_only(
    tenant: Tenant, platform: EmbeddedPlatform
) -> None:
    ghost = await platform.create_ghost_variant(tenant, PAIR_PRODUCT, "a", PRICE)
    await platform.set_ghost_price(tenant, ghost, await platform.market_terms(tenant, "JP"), Decimal(1000))
    variant = {ghost: replace(VARIANTS[SCARCE_SHIRT], id=ghost, price=PRICE)}
    assert (await in_market(platform, tenant, "JP", variant))[ghost] == MarketPrice(
        Decimal(1000), "JPY", Decimal("6.25"), available_for_sale=True, exchange_rate=Decimal(160)
    )
    for other, country in ((tenant, "FR"), (replace(tenant, id=999), "JP")):
        assert (await in_market(platform, other, country, variant))[ghost].presentment_price == PRICE


async def test_equal_option_values_share_a_ghost_variant_of_a_product(
    tenant: Tenant, platform: EmbeddedPlatform, database: Database
) -> None:
    first = await platform.create_ghost_variant(tenant, PAIR_PRODUCT, "a", PRICE)
    assert await platform.create_ghost_variant(tenant, PAIR_PRODUCT, "a", PRICE) == first
    other_product = await platform.create_ghost_variant(tenant, GIFT_BOX, "a", PRICE)
    assert other_product != first
    assert await ghost_ids(database) == sorted([(first, "22.99", False), (other_product, "22.99", False)])


async def test_simultaneous_calls_create_one_ghost_variant(
    tenant: Tenant, platform: EmbeddedPlatform, database: Database
) -> None:
    made = await asyncio.gather(
        *(platform.create_ghost_variant(tenant, PAIR_PRODUCT, identity, PRICE) for identity in "ab" * 50)
    )
    assert made[::2] == [made[0]] * 50
    assert made[1::2] == [made[1]] * 50
    assert len(await ghost_ids(database)) == 2


async def test_ids_of_retired_ghosts_are_not_reused(
    tenant: Tenant, platform: EmbeddedPlatform, database: Database
) -> None:
    made = [await platform.create_ghost_variant(tenant, PAIR_PRODUCT, identity, PRICE) for identity in "abc"]
    await platform.retire_ghost_variants(tenant, PAIR_PRODUCT, made[1:])

    again = await platform.create_ghost_variant(tenant, PAIR_PRODUCT, "c", PRICE)
    newer = await platform.create_ghost_variant(tenant, PAIR_PRODUCT, "d", PRICE)

    assert len({*made, again, newer}) == 5
    assert await platform.create_ghost_variant(tenant, PAIR_PRODUCT, "a", PRICE) == made[0]
    retired = {variant_id for variant_id, _, retired in await ghost_ids(database) if retired}
    assert retired == set(made[1:])


async def test_retiring_a_ghost_leaves_the_others(
    tenant: Tenant, platform: EmbeddedPlatform, database: Database
) -> None:
    made = await platform.create_ghost_variant(tenant, PAIR_PRODUCT, "a", PRICE)
    await platform.retire_ghost_variants(tenant, GIFT_BOX, [made])
    await platform.retire_ghost_variants(replace(tenant, id=999), PAIR_PRODUCT, [made])
    await platform.retire_ghost_variants(tenant, PAIR_PRODUCT, [])
    assert await ghost_ids(database) == [(made, "22.99", False)]
    await platform.retire_ghost_variants(tenant, PAIR_PRODUCT, [made, 999])
    await platform.retire_ghost_variants(tenant, PAIR_PRODUCT, [made])
    assert await ghost_ids(database) == [(made, "22.99", True)]


async def test_many_ghosts_are_retired_at_once(tenant: Tenant, platform: EmbeddedPlatform, database: Database) -> None:
    """One call can retire more ghost variants than the number of query parameters that some builds of SQLite accept."""
    made = await asyncio.gather(
        *(platform.create_ghost_variant(tenant, PAIR_PRODUCT, f"{number}", PRICE) for number in range(1200))
    )
    await platform.retire_ghost_variants(tenant, PAIR_PRODUCT, made)
    assert all(retired for _, _, retired in await ghost_ids(database))


async def test_a_product_does_not_list_its_ghost_variants(tenant: Tenant, platform: EmbeddedPlatform) -> None:
    await platform.create_ghost_variant(tenant, PAIR_PRODUCT, "a", PRICE)
    later = replace(tenant, revision=tenant.revision + 1)
    (product,) = (await platform.products(later, [PAIR_PRODUCT])).value.values()
    assert [variant.id for variant in product.variants] == [9011]
