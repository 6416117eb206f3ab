"""The products of a bundle, with and without a country (docs/contract.md#resources)."""

from collections.abc import Mapping, Sequence

import pytest

from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.database.interface import Database
from tests.api.conftest import Api, MakeApi
from tests.api.headless.reading.expected_bundles import WHOLE
from tests.api.headless.reading.expected_products import (
    JAPAN,
    PRODUCTS,
    UNITED_STATES,
    WITHOUT_MARKET,
    option,
    product,
    variant,
)
from tests.api.selection import Json


async def test_products_whatever_their_status_in_order_of_first_use(api: Api) -> None:
    assert (await api.get("/bundles/10/products")).held().json == {"products": PRODUCTS}


async def test_key_decides_whose_product_an_id_names(other_api: Api) -> None:
    assert (await other_api.get("/bundles/10/products")).held().json == {
        "products": [
            product(
                100,
                "Poster",
                "ACTIVE",
                [option("Size", 1, "A3")],
                [variant(1001, "A3", "1985.00", 80, "A3", sku="PO-3")],
            )
        ]
    }


async def test_bundle_without_products_has_an_empty_list(api: Api) -> None:
    assert (await api.get("/bundles/71/products")).held().json == {"products": []}


@pytest.mark.parametrize(
    ("query", "products"),
    [
        pytest.param("countryCode=US", UNITED_STATES, id="US"),
        pytest.param("countryCode=us", UNITED_STATES, id="lower case"),
        pytest.param("countryCode=uS&lang=de&unknown=1", UNITED_STATES, id="unknown parameters are ignored"),
        pytest.param("countryCode=JP", JAPAN, id="JPY"),
        pytest.param("countryCode=GB", WITHOUT_MARKET, id="no market"),
        pytest.param("countryCode=XK", WITHOUT_MARKET, id="Kosovo"),
        pytest.param("", PRODUCTS, id="empty query"),
    ],
)
async def test_products_in_a_country(api: Api, query: str, products: list[Json]) -> None:
    assert (await api.get(f"/bundles/10/products?{query}")).held().json == {"products": products}


async def test_products_in_a_country_of_another_shop(other_api: Api) -> None:
    response = await other_api.get("/bundles/10/products?countryCode=US")

    # 1985 * 1.20 * 0.0065 = 15.483; 15.48 ÷ 0.0065 = 2381.54
    sold = response.held().json["products"][0]["variants"][0]
    assert (sold["price"], sold["presentmentPrice"], sold["presentmentCurrency"], sold["priceInShopCurrency"]) == (
        "1985.00",
        "15.48",
        "USD",
        "2382.00",
    )
    assert sold["exchangeRate"] == "0.0065"


@pytest.mark.parametrize(
    "country",
    ["", "%20", "ZZ", "USA", "U", "U%53A", "UK", "EU", "%C3%9F", "12", "US%00", "US%20", "%F0%9F%87%BA%F0%9F%87%B8"],
)
async def test_unknown_country_is_refused(api: Api, country: str) -> None:
    response = (await api.get(f"/bundles/10/products?countryCode={country}")).held(400)

    assert response.code == "invalid_request"
    assert response.paths == ["countryCode"]


async def test_only_products_read_country_code(api: Api) -> None:
    assert (await api.get("/bundles/10?countryCode=ZZ")).held().json == WHOLE
    assert (await api.get("/settings?countryCode=ZZ")).status == 200


class Forgetful(EmbeddedPlatform):
    """A platform on which the tea and the cards have been deleted."""

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        known = [product_id for product_id in product_ids if product_id not in (700, 600)]
        return await super().products(tenant, known, max_age)


async def test_product_deleted_on_the_platform_is_left_out(make_api: MakeApi, database: Database) -> None:
    api = await make_api(platform=Forgetful(database, RevisionCache()))

    response = await api.get("/bundles/10/products")

    kept = [each for each in PRODUCTS if each["platformProductId"] not in ("700", "600")]
    assert response.held().json == {"products": kept}
