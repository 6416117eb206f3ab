"""Prices (docs/contract.md#prices), valid selections (docs/contract.md#selections), conditions (docs/contract.md#conditions).

Shirts 1001 and 1002 cost 19.99, and shirts 1003 and 1004 21.50; mug 2001 costs 8.00, and mug 2002 9.50; scarf 3001 costs 15.00,
sock 4001 5.00, lamp 5001 30.00, card 6001 3.00, card 6002 3.50, and tea 7001 0.05.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import MarketPrice, Product, Variant
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import catalogue_ghosts, configured_bundles, ghost_variants
from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.api.selection import details, item, items, price_body, pricing, without_presentment
from tests.api.stored import rows

# fmt: off
PRICES = [
    # Bundle 20: a tenth off.
    (20, ["1001@1"], pricing("19.99", "17.99", "percentage 10.00")),                         # 1.999
    (20, ["1001@1", "2001@2"], pricing("27.99", "25.19", "percentage 10.00")),               # 2.799
    (20, ["1002@3", "2002@3"], pricing("29.49", "26.54", "percentage 10.00")),               # 2.949
    (20, ["7001@3"], pricing("0.05", "0.04", "percentage 10.00")),                           # 0.005: half up
    (20, ["7001@3*200"], pricing("10.00", "9.00", "percentage 10.00")),
    # 21: 15.00 off at 19.99 or more
    (21, ["1001@1"], pricing("19.99", "4.99", "fixed 15.00")),
    (21, ["2001@2"], pricing("8.00", "8.00")),
    (21, ["2001@2*2", "7001@3*79"], pricing("19.95", "19.95")),
    # 22: a fixed price of 30.00
    (22, ["1001@1*2"], pricing("39.98", "30.00", "price 30.00")),
    (22, ["1001@1"], pricing("19.99", "19.99")),
    # 23: the best of 5% for two or more items, 7.5% for three or more of one product, 12.5% above 60.00, 1% for a single item
    (23, ["1001@1"], pricing("19.99", "19.79", "percentage 1.00")),                          # 0.1999
    (23, ["1001@1", "2001@2"], pricing("27.99", "26.59", "percentage 5.00")),                # 1.3995
    # three units of one product, counted across sections
    (23, ["1001@1*2", "1002@3"], pricing("59.97", "55.47", "percentage 7.50")),              # 4.49775
    (23, ["1001@1*2", "1003@1"], pricing("61.48", "53.79", "percentage 12.50")),             # 7.685
    # both tiers take off 0.01; the first one wins
    (23, ["7001@3*3"], pricing("0.15", "0.14", "percentage 5.00")),
    (23, ["7001@3"], pricing("0.05", "0.05")),                                               # 0.0005: nothing
    # 24: 20% for two or more items, 30% for two or more of one product, 60% for 50.00 or more; they add up, to at most 100%
    (24, ["1001@1"], pricing("19.99", "19.99")),
    (24, ["1001@1", "2001@2"], pricing("27.99", "22.39", "percentage 20.00")),               # 5.598
    (24, ["1001@1", "1002@3"], pricing("39.98", "19.99", "percentage 50.00")),
    (24, ["1001@1*3"], pricing("59.97", "0.00", "percentage 100.00")),
    # 25: a set price of 35.00 for two or more items, and 25.00 for up to three; if both apply, the lower one wins
    (25, ["1001@1"], pricing("19.99", "19.99")),
    (25, ["1001@1*2"], pricing("39.98", "25.00", "price 25.00")),
    (25, ["1001@1*4"], pricing("79.96", "35.00", "price 35.00")),
    # 26: 2.00 off below 20.00, 3.00 off up to 19.99, 100.00 off for three or more items; without an operator, the best tier wins
    (26, ["1001@1"], pricing("19.99", "16.99", "fixed 3.00")),
    (26, ["1003@1"], pricing("21.50", "21.50")),
    (26, ["1001@1*3"], pricing("59.97", "0.00", "fixed 100.00")),
    (26, ["7001@3*3"], pricing("0.15", "0.00", "fixed 2.00")),                               # all take off 0.15; the first wins
    # 27: none
    (27, ["1001@1", "2001@2", "7001@3"], pricing("28.04", "28.04")),
    # 60: the graph gives 15% for three or more items, and 4.50 off for two; otherwise, the bundle's own 10% applies
    (60, ["1001@1"], pricing("19.99", "17.99", "percentage 10.00")),
    (60, ["1001@1", "2001@2"], pricing("27.99", "23.49", "fixed 4.50")),
    (60, ["1001@1*2", "2001@2"], pricing("47.98", "40.78", "percentage 15.00")),             # 7.197
    # 62: the graph's discount of 0.00 applies and takes nothing off
    (62, ["1001@1"], pricing("19.99", "19.99")),
    # 61: 10% off, and one card 6002 free with two or more other items
    (61, ["1001@1", "6002@0"], pricing("23.49", "21.14", "percentage 10.00")),               # 6002 set aside, so one item; 2.349
    (61, ["1001@1", "2001@2", "6002@0"], pricing("31.49", "25.19", "percentage 10.00")),     # 2.799 of 27.99
    (61, ["1001@1", "2001@2", "6002@2"], pricing("31.49", "25.19", "percentage 10.00")),
    (61, ["1001@1", "2001@2", "6002@3*2"], pricing("34.99", "28.34", "percentage 10.00")),   # 3.149 of 31.49
    # 10: the graph gives 15% for three or more items or for 1002 in section 1; otherwise, the bundle's own discount is 5% for
    # three or more, and 12.5% above 60.00
    (10, ["1001@1", "6001@0"], pricing("22.99", "22.99")),
    (10, ["1002@1", "6001@0"], pricing("22.99", "19.54", "percentage 15.00")),               # 3.4485
    (10, ["1002@3", "6001@2"], pricing("22.99", "22.99")),
    (10, ["1001@1", "1003@1", "6001@1"], pricing("44.49", "37.82", "percentage 15.00")),     # 6.6735
]
# fmt: on


@pytest.fixture
def api(shared_api: Api) -> Api:
    return shared_api


@pytest.fixture
def api_with_test_key(shared_api_with_test_key: Api) -> Api:
    return shared_api_with_test_key


@pytest.fixture
def other_api(shared_other_api: Api) -> Api:
    return shared_other_api


@pytest.mark.parametrize(("bundle", "chosen", "expected"), PRICES)
async def test_prices(api: Api, bundle: int, chosen: list[str], expected: dict[str, str]) -> None:
    response = await api.post(f"/bundles/{bundle}/price", price_body(*chosen))

    assert response.held().json == expected


# Market prices in EUR: in the US, 1001 20.99, 1002 19.09 (fixed at 21.00 USD), 2002 9.97 (though not sold there); in Japan, 1001
# 17.99, 2001 7.20.
@pytest.mark.parametrize(
    ("country", "chosen", "expected"),
    [
        pytest.param("US", ["1001@1"], pricing("20.99", "18.89", "percentage 10.00"), id="US"),  # 2.099
        pytest.param("us", ["1001@1"], pricing("20.99", "18.89", "percentage 10.00"), id="lower case"),
        pytest.param("US", ["1002@1"], pricing("19.09", "17.18", "percentage 10.00"), id="fixed price"),  # 1.909
        pytest.param("US", ["2002@3"], pricing("9.97", "8.97", "percentage 10.00"), id="not sold there"),  # 0.997
        pytest.param("JP", ["1001@1", "2001@2"], pricing("25.19", "22.67", "percentage 10.00"), id="JP"),  # 2.519
        pytest.param("GB", ["1001@1"], pricing("19.99", "17.99", "percentage 10.00"), id="no market"),
        pytest.param(None, ["1001@1"], pricing("19.99", "17.99", "percentage 10.00"), id="null"),
    ],
)
async def test_prices_in_a_country_are_in_the_shops_currency(
    api: Api, country: str | None, chosen: list[str], expected: dict[str, str]
) -> None:
    response = await api.post("/bundles/20/price", price_body(*chosen, countryCode=country))

    assert without_presentment(response.held().json) == expected


@pytest.mark.parametrize(
    ("country", "chosen", "expected"),
    [
        pytest.param(None, ["1001@1"], pricing("1985.00", "1489.00", "percentage 25.00", "JPY"), id="one"),  # 496.25
        pytest.param(None, ["1001@1*2"], pricing("3970.00", "2977.00", "percentage 25.00", "JPY"), id="two"),  # 992.5
        pytest.param("US", ["1001@1"], pricing("2382.00", "1786.00", "percentage 25.00", "JPY"), id="US"),  # 595.5
    ],
)
async def test_prices_of_a_shop_without_minor_unit_and_features(
    other_api: Api, country: str | None, chosen: list[str], expected: dict[str, str]
) -> None:
    """Prices in a currency without minor units. The shop has no features, so the conditions and the subscription program of
    bundle 10 have no effect."""
    response = await other_api.post("/bundles/10/price", price_body(*chosen, countryCode=country))

    assert without_presentment(response.held().json) == expected


@pytest.mark.parametrize(
    ("option", "discounted"),
    [
        pytest.param(None, "17.99", id="one-time"),
        pytest.param({"id": 7, "frequency": 1, "unit": "month"}, "17.99", id="no discount of its own"),
        pytest.param({"id": 7, "frequency": 2, "unit": "week"}, "17.09", id="5%"),  # 0.8995 of 17.99
        pytest.param({"id": 8, "frequency": 1, "unit": "year"}, "14.39", id="20%"),  # 3.598 of 17.99
        pytest.param({"id": 8, "frequency": 1, "unit": "year", "email": None, "more": 1}, "14.39", id="more fields"),
    ],
)
async def test_prices_of_subscriptions(api: Api, option: object, discounted: str) -> None:
    """The option's percentage is taken off the discounted price. `discountType` names the bundle's discount."""
    response = await api.post("/bundles/50/price", price_body("1001@1", subscription=option))

    assert response.held().json == pricing("19.99", discounted, "percentage 10.00")


async def test_price_ignores_rules(api: Api) -> None:
    """`price` ignores the rules: a selection has a price even if it is sold out, archived, a draft, too small, hidden or
    blocked."""
    response = await api.post("/bundles/40/price", price_body("1004@1", "5001@3", "3001@3", "4001@3", "2001@2"))
    abroad = await api.post("/bundles/40/price", price_body("2001@2", countryCode="US"))

    assert response.held().json == pricing("79.50", "71.55", "percentage 10.00")
    assert without_presentment(abroad.held().json) == pricing("8.40", "7.56", "percentage 10.00")


async def test_ids_may_be_global_and_unknown_fields_are_ignored(api: Api) -> None:
    global_ids = {"variant": "gid://platform/ProductVariant/1001", "product": "gid://platform/Product/100"}
    body = {"products": [{**global_ids, "section": 1, "more": [1]}], "type": 7, "unknown": {}}

    response = await api.post("/bundles/20/price", body)

    assert response.held().json == pricing("19.99", "17.99", "percentage 10.00")


async def test_optional_fields_may_be_null(api: Api) -> None:
    body = price_body("1001@1", countryCode=None, subscription=None, bundleContent=None)

    assert (await api.post("/bundles/20/price", body)).held().json["discountedPrice"] == "17.99"


async def test_price_stores_nothing(make_api: MakeApi, database: Database) -> None:
    api = await make_api()
    for bundle in (20, 30):
        (await api.post(f"/bundles/{bundle}/price", price_body("1001@1"))).held()

    assert [await rows(database, table) for table in (configured_bundles, ghost_variants, catalogue_ghosts)] == [[]] * 3


class MaxAgeRecorder(EmbeddedPlatform):
    """A platform that records the maximum age passed to each read of products or prices."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, RevisionCache())
        self.max_ages: list[float | None] = []

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        self.max_ages.append(max_age)
        return replace(await super().products(tenant, product_ids, max_age), lifetime=0.0)

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, MarketPrice]]:
        self.max_ages.append(max_age)
        return await super().market_prices(tenant, variants, country, max_age)


async def test_price_and_configure_do_not_use_too_old_data(
    make_api: MakeApi, database: Database, settings: Settings
) -> None:
    """The `price_max_age` setting limits the age of the data used by `price` and `configure`; data for reads may be older."""
    platform = MaxAgeRecorder(database)
    api = await make_api(platform=platform, settings=replace(settings, price_max_age=7))
    body = price_body("1001@1", countryCode="US", type="native")

    for action in ("price", "configure"):
        (await api.post(f"/bundles/20/{action}", body)).held()
        assert platform.max_ages == [7, 7]
        platform.max_ages.clear()
    (await api.get("/bundles/20/products?countryCode=US")).held()
    assert platform.max_ages == [None, None]


async def test_test_key_prices_unpublished_bundles(api: Api, api_with_test_key: Api) -> None:
    body = price_body("1001@1")

    assert (await api.post("/bundles/70/price", body)).held(404).code == "not_found"
    assert (await api_with_test_key.post("/bundles/70/price", body)).held().json["discountedPrice"] == "17.99"


WRONG_OWNER = {**item("2001@1"), "product": "100"}

INVALID = [
    pytest.param(20, [], ["products"], id="no items"),
    pytest.param(20, items("7001@3*201"), ["products"], id="201 items"),
    pytest.param(20, items("1001@4"), ["products.0.section"], id="unknown section"),
    pytest.param(20, items("1001@0"), ["products.0.section"], id="outside of the sections"),
    pytest.param(20, items("2001@1"), ["products.0.section"], id="another section's product"),
    pytest.param(20, items("2002@2"), ["products.0.variant"], id="not one of the section's variants"),
    pytest.param(20, items("1003@3"), ["products.0.variant"], id="not one of this section's variants"),
    pytest.param(20, items("9991@1"), ["products.0.product"], id="unknown product"),
    pytest.param(20, items("9101@1"), ["products.0.product"], id="product of no section"),
    pytest.param(20, items("1009@1"), ["products.0.variant"], id="unknown variant"),
    pytest.param(20, [WRONG_OWNER], ["products.0.variant"], id="another product's variant"),
    pytest.param(20, items("6001@0"), ["products.0.product"], id="required elsewhere"),
    pytest.param(10, items("6002@0"), ["products.0.section"], id="not the variant that is required"),
    pytest.param(61, items("6001@0"), ["products.0.product"], id="not the variant that is free"),
    pytest.param(71, items("1001@1"), ["products.0.section"], id="a bundle without sections"),
    pytest.param(
        20,
        [*items("1001@1", "2001@1", "1001@1", "1001@9", "9991@1"), WRONG_OWNER, *items("2001@1")],
        ["products.1.section", "products.3.section", "products.4.product", "products.5.variant", "products.6.section"],
        id="all at once",
    ),
]


@pytest.mark.parametrize(("bundle", "products", "paths"), INVALID)
async def test_items_that_the_bundle_does_not_offer_are_refused(
    api: Api, bundle: int, products: object, paths: list[str]
) -> None:
    for action in ("price", "configure"):
        response = await api.post(f"/bundles/{bundle}/{action}", {"type": "native", "products": products})

        assert response.held(400).code == "selection_invalid"
        assert [detail["path"] for detail in details(response)] == paths


@pytest.mark.parametrize(
    ("bundle", "chosen"),
    [
        pytest.param(10, "6001@0", id="required, outside of the sections"),
        pytest.param(10, "6001@3", id="required, in a section that does not offer it"),
        pytest.param(40, "6002@0", id="required in any variant"),
        pytest.param(61, "6002@0", id="free item, outside of the sections"),
        pytest.param(61, "6002@1", id="free item, in a section that does not offer it, not fired"),
        pytest.param(20, "7001@3*200", id="200 items"),
    ],
)
async def test_items_that_the_bundle_offers(api: Api, bundle: int, chosen: str) -> None:
    assert (await api.post(f"/bundles/{bundle}/price", price_body(chosen))).status == 200


async def test_shop_without_the_feature_has_no_free_items(make_api: MakeApi) -> None:
    api = await make_api(SHOP_TEXT.replace("[conditions, ", "["))

    refused = await api.post("/bundles/61/price", price_body("1001@1", "2001@2", "6002@0"))
    own_discount = await api.post("/bundles/60/price", price_body("1001@1*3"))

    assert refused.held(400).paths == ["products.2.product"]
    assert own_discount.held().json == pricing("59.97", "53.97", "percentage 10.00")


async def test_another_shops_products_are_not_offered(other_api: Api) -> None:
    """Products of another shop are not offered: product 200 exists only in the demo shop, whose bundle 10 offers it."""
    response = await other_api.post("/bundles/10/price", price_body("2001@1"))

    assert response.held(400).paths == ["products.0.product"]


async def test_up_to_a_hundred_faults_are_named(api: Api) -> None:
    response = await api.post("/bundles/20/price", price_body("1001@9*150"))

    assert response.held(400).code == "selection_invalid"
    assert response.paths == [f"products.{index}.section" for index in range(100)]


def percent(value: object) -> dict[str, object]:
    return {"type": "percentage", "value": value}


def fixed(value: object) -> dict[str, object]:
    return {"type": "fixed", "value": value}


THREE, TWO, ONE = ["1001@1*3"], ["1001@1*2"], ["1001@1"]
OF_THREE, OF_TWO = percent("15.00"), fixed("4.50")


@pytest.mark.parametrize(
    ("bundle", "chosen", "sent"),
    [
        pytest.param(60, THREE, percent("15.00"), id="as the nodes have it"),
        pytest.param(60, THREE, percent("15"), id="equal as a number"),
        pytest.param(60, THREE, percent(15), id="a number"),
        pytest.param(60, THREE, percent(15.0), id="a fraction"),
        pytest.param(60, THREE, {**percent("15.00"), "more": True}, id="more fields"),
        pytest.param(60, TWO, fixed("4.5"), id="the second action"),
        pytest.param(60, ONE, None, id="null"),
        pytest.param(62, ONE, fixed("0"), id="that takes nothing off"),
        pytest.param(20, ONE, None, id="null without conditions"),
    ],
)
async def test_matching_conditions_discount_is_accepted(api: Api, bundle: int, chosen: list[str], sent: object) -> None:
    body = price_body(*chosen, bundleContent={"conditionsDiscount": sent})

    assert (await api.post(f"/bundles/{bundle}/price", body)).status == 200


@pytest.mark.parametrize(
    ("bundle", "chosen", "sent", "own"),
    [
        pytest.param(60, THREE, percent("14.99"), OF_THREE, id="another value"),
        pytest.param(60, THREE, fixed("15.00"), OF_THREE, id="another type"),
        pytest.param(60, THREE, fixed("4.50"), OF_THREE, id="one that did not win"),
        pytest.param(60, TWO, percent("15.00"), OF_TWO, id="one that did not fire"),
        pytest.param(60, ONE, percent("10.00"), None, id="the bundle's own"),
        pytest.param(60, THREE, {}, OF_THREE, id="empty"),
        pytest.param(60, THREE, {"type": "percentage"}, OF_THREE, id="no value"),
        pytest.param(60, THREE, percent(None), OF_THREE, id="null value"),
        pytest.param(60, THREE, percent(True), OF_THREE, id="a boolean"),
        pytest.param(60, THREE, percent("fifteen"), OF_THREE, id="words"),
        pytest.param(60, THREE, percent("NaN"), OF_THREE, id="not a number"),
        pytest.param(60, THREE, percent("sNaN"), OF_THREE, id="a number that signals"),
        pytest.param(60, THREE, percent(["15.00"]), OF_THREE, id="a list"),
        pytest.param(60, THREE, percent("1_5"), OF_THREE, id="an underscore"),
        pytest.param(60, THREE, percent("\N{ARABIC-INDIC DIGIT ONE}\N{ARABIC-INDIC DIGIT FIVE}"), OF_THREE, id="other digits"),
        pytest.param(60, THREE, "percentage 15.00", OF_THREE, id="text"),
        pytest.param(60, THREE, 15, OF_THREE, id="number"),
        pytest.param(60, THREE, [], OF_THREE, id="empty list"),
        pytest.param(60, THREE, False, OF_THREE, id="false"),
        pytest.param(20, ONE, percent("10.00"), None, id="a bundle without conditions"),
    ],
)  # fmt: skip
async def test_different_conditions_discount_is_refused(
    api: Api, bundle: int, chosen: list[str], sent: object, own: object
) -> None:
    body = {**price_body(*chosen, bundleContent={"conditionsDiscount": sent}), "type": "native"}

    for action in ("price", "configure"):
        response = await api.post(f"/bundles/{bundle}/{action}", body)

        assert response.held(400).code == "conditions_discount_mismatch"
        (detail,) = details(response)
        assert (detail["path"], detail["conditionsDiscount"]) == ("bundleContent.conditionsDiscount", own)


async def test_without_the_feature_any_conditions_discount_is_refused(other_api: Api) -> None:
    """Without the `conditions` feature, every conditions discount is refused, even the one that the nodes of bundle 10 would
    give."""
    body = price_body("1001@1", bundleContent={"conditionsDiscount": percent("90.00")})

    response = await other_api.post("/bundles/10/price", body)

    assert response.held(400).code == "conditions_discount_mismatch"
    assert details(response)[0]["conditionsDiscount"] is None


SUBSCRIPTION: dict[str, Any] = {"id": 7, "frequency": 2, "unit": "week"}


@pytest.mark.parametrize(
    ("bundle", "changed"),
    [
        pytest.param(50, {"id": 9}, id="no such group"),
        pytest.param(50, {"id": 8}, id="another group's option"),
        pytest.param(50, {"frequency": 3}, id="no such frequency"),
        pytest.param(50, {"frequency": 0}, id="frequency 0"),
        pytest.param(50, {"unit": "month"}, id="no such unit"),
        pytest.param(50, {"unit": "fortnight"}, id="no unit at all"),
        pytest.param(51, {}, id="mode disabled"),
        pytest.param(20, {}, id="no program"),
    ],
)
async def test_subscription_that_is_not_offered_has_no_price(api: Api, bundle: int, changed: dict[str, Any]) -> None:
    body = price_body("1001@1", subscription=SUBSCRIPTION | changed)

    assert (await api.post(f"/bundles/{bundle}/price", body)).held(400).code == "subscription_invalid"


async def test_without_the_feature_a_subscription_has_no_price(other_api: Api) -> None:
    body = price_body("1001@1", subscription={"id": 7, "frequency": 1, "unit": "month"})

    assert (await other_api.post("/bundles/10/price", body)).held(400).code == "subscription_invalid"
