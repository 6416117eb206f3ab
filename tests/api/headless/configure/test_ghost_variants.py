"""Configure creates ghost variants, and uses them again (docs/contract.md#ghost-variants)."""

import asyncio
import re
from decimal import Decimal

import pytest

from bundlesvc.domain.errors import PlatformUnavailable
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import (
    catalogue_ghost_prices,
    catalogue_ghosts,
    configured_bundles,
    ghost_variants,
)
from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.api.discount_strings import claims
from tests.api.selection import configure_body, pricing
from tests.api.stored import rows
from tests.conftest import LoadShop

HEX_64 = re.compile(r"[0-9a-f]{64}\Z")
GHOSTS_FROM = 8 * 10**15


async def ghost(api: Api, *chosen: str, bundle: int = 30, **more: object) -> int:
    """Configure a bundle, and return the id of its ghost variant."""
    type_ = {30: "multiple-products", 31: "single-product"}[bundle]
    response = await api.post(f"/bundles/{bundle}/configure", configure_body(*chosen, type=type_, **more))
    return int(response.held().json["variant_id"])


async def ghost_prices(database: Database) -> dict[int, str]:
    return {row["variant_id"]: row["price"] for row in await rows(database, catalogue_ghosts)}


@pytest.mark.parametrize(("bundle", "type_"), [(30, "multiple-products"), (31, "single-product")])
async def test_other_types_put_a_ghost_variant_into_the_cart(
    counted: Api, database: Database, bundle: int, type_: str
) -> None:
    response = (await counted.post(f"/bundles/{bundle}/configure", configure_body("1001@1", type=type_))).held().json

    assert response == {
        "configured_bundle_id": 1,
        "variant_id": response["variant_id"],
        "product_id": "910",
        "discount": response["discount"],
        "subscription_id": None,
        "pricing": pricing("19.99", "17.99", "percentage 10.00"),
        "cart": None,
    }
    said = claims(response["discount"])
    assert (said["bundle"], said["bundleType"], said["variants"]) == (bundle, type_, {"1001": 1})
    (ghost,) = await rows(database, catalogue_ghosts)
    assert int(response["variant_id"]) == ghost["variant_id"] >= GHOSTS_FROM
    assert (ghost["product_id"], ghost["price"]) == (910, "17.99")
    assert HEX_64.match(ghost["option_value"])


async def test_equal_selections_share_a_ghost_variant(api: Api, api_with_test_key: Api, database: Database) -> None:
    shared = await ghost(api, "1001@1*2", "2001@2")

    assert await ghost(api, "1001@1*2", "2001@2") == shared
    assert await ghost(api, "2001@2", "1001@1", "1001@1") == shared
    assert await ghost_prices(database) == {shared: "43.18"}  # 47.98 minus 10% (4.798)
    assert len(await rows(database, configured_bundles)) == 3


async def test_different_selections_have_different_ghost_variants(api: Api) -> None:
    selections = [["1001@1"], ["1001@3"], ["1001@1*2"], ["1001@1", "1001@3"], ["1002@1"], ["1001@1", "2001@2"]]

    ghosts = [await ghost(api, *chosen) for chosen in selections]
    ghosts.append(await ghost(api, "1001@1", bundle=31))

    assert len(set(ghosts)) == 7
    assert min(ghosts) >= GHOSTS_FROM


async def test_different_prices_have_different_ghost_variants(
    api: Api, load_shop: LoadShop, database: Database
) -> None:
    cheap = await ghost(api, "1001@1")

    await load_shop(SHOP_TEXT.replace('title: S, price: "19.99"', 'title: S, price: "29.99"'))
    await api.refresh()
    dear = await ghost(api, "1001@1")

    assert await ghost_prices(database) == {cheap: "17.99", dear: "26.99"}
    assert cheap != dear


@pytest.mark.parametrize(
    ("chosen", "country", "discounted", "home", "own"),
    [
        pytest.param("1002@1", None, "17.99", "17.99", None, id="no country"),
        pytest.param("1002@1", "US", "17.18", "17.99", "18.90", id="cheaper in the market"),  # 17.18 * 1.10; not 20.78
        pytest.param(
            "1001@1*2", "US", "37.78", "35.98", None, id="the market makes it"
        ),  # 41.558; 35.98 * 1.155 = 41.56
        pytest.param("1001@1*3", "JP", "48.57", "53.97", "7771.00", id="one yen less"),  # 7771.2; 53.97 * 144 = 7771.68
        pytest.param("1002@1", "GB", "17.99", "17.99", None, id="no market"),
    ],
)
async def test_ghost_has_the_home_price_and_the_promised_market_price(
    api: Api, database: Database, chosen: str, country: str | None, discounted: str, home: str, own: str | None
) -> None:
    body = configure_body(chosen, type="multiple-products", countryCode=country)

    response = (await api.post("/bundles/30/configure", body)).held().json

    assert response["pricing"]["discountedPrice"] == discounted
    assert claims(response["discount"])["discounted"] == discounted
    assert await ghost_prices(database) == {int(response["variant_id"]): home}
    own_prices = await rows(database, catalogue_ghost_prices)
    assert [(row["country_code"], row["price"]) for row in own_prices] == ([(country, own)] if own else [])


@pytest.mark.parametrize("chosen", ["1001@1", "1002@1", "1001@1*3"])
async def test_every_country_shares_one_ghost_variant(api: Api, chosen: str) -> None:
    ghosts = [await ghost(api, chosen, countryCode=country) for country in ("US", "JP", None, "GB", "US", "JP")]

    assert len(set(ghosts)) == 1


async def test_shops_do_not_share_ghost_variants(api: Api, other_api: Api, database: Database) -> None:
    body = configure_body("1001@1", type="multiple-products")
    mine = (await api.post("/bundles/30/configure", body)).held().json
    foreign = (await other_api.post("/bundles/30/configure", {**body, "countryCode": "US"})).held().json

    stored = await rows(database, catalogue_ghosts)
    assert len({row["shop_id"] for row in stored}) == 2
    assert sorted(row["price"] for row in stored) == ["1489.00", "17.99"]
    assert claims(foreign["discount"])["shop"] == "other"
    assert (mine["product_id"], foreign["product_id"]) == ("910", "910")


OWN_PRODUCT = """
shop: {handle: demo, currency: EUR, headlessEnabled: true}
products: [{id: "910", title: Set, variants: [{id: "9101", title: Default Title, price: "5.00"}]}]
bundles:
  - {id: 30, name: Set, type: multiple-products, platformProductId: "910",
     sections: [{id: 1, products: [{bundleItemId: 1, platformProductId: "910"}]}]}
"""


async def test_ghost_variants_are_hidden_and_cannot_be_selected(make_api: MakeApi) -> None:
    api = await make_api(OWN_PRODUCT)
    before = (await api.get("/bundles/30/products")).held().json

    made = await ghost(api, "9101@1")
    await api.refresh()

    assert (await api.get("/bundles/30/products")).held().json == before
    chosen = {"products": [{"variant": str(made), "product": "910", "section": 1}]}
    assert (await api.post("/bundles/30/price", chosen)).held(400).code == "selection_invalid"


async def test_simultaneous_requests_create_one_ghost_variant(api: Api, database: Database) -> None:
    ghosts = await asyncio.gather(*(ghost(api, "1001@1") for _ in range(20)))

    assert len(set(ghosts)) == 1
    assert len(await rows(database, ghost_variants)) == len(await rows(database, catalogue_ghosts)) == 1
    assert len(await rows(database, configured_bundles)) == 20


class FailsOnce(EmbeddedPlatform):
    """A platform whose first attempt to create a ghost variant fails."""

    failed = False

    async def create_ghost_variant(
        self,
        tenant: Tenant,
        product_id: int,
        option_value: str,
        price: Decimal,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> int:
        if not self.failed:
            self.failed = True
            raise PlatformUnavailable
        return await super().create_ghost_variant(tenant, product_id, option_value, price)


async def test_platform_failure_stores_nothing(make_api: MakeApi, database: Database) -> None:
    api = await make_api(platform=FailsOnce(database, RevisionCache()))
    body = configure_body("1001@1", type="multiple-products")
    key = {"Idempotency-Key": "again"}

    failed = (await api.post("/bundles/30/configure", body, key)).held(503)
    left = [await rows(database, table) for table in (configured_bundles, ghost_variants, catalogue_ghosts)]
    retried = (await api.post("/bundles/30/configure", body, key)).held()

    assert (failed.code, left) == ("platform_unavailable", [[], [], []])
    assert "Idempotent-Replayed" not in retried.headers
