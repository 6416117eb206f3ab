"""Configure: rules, response, discount string, ghost variants, stored rows (docs/contract.md#configure)."""

import asyncio
import re
from dataclasses import replace
from decimal import Decimal
from typing import Any

import orjson
import pytest
from cryptography.fernet import Fernet

from bundlesvc.domain.errors import PlatformUnavailable
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import (
    catalogue_ghost_prices,
    catalogue_ghosts,
    configured_bundles,
    ghost_variants,
    subscriptions,
)
from bundlesvc.token_cipher import DISCOUNT, derived_keys, discount_cipher
from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.api.headless.test_pricing import PRICES
from tests.api.selection import Json, configure_body, details, price_body, pricing
from tests.api.stored import rows
from tests.conftest import SECRET_KEY, LoadShop, MakeKey
from tests.fakes import START, FakeClock, FakeIds

HEX_64 = re.compile(r"[0-9a-f]{64}\Z")
GHOSTS_FROM = 8 * 10**15


def claims(token: str, secret: str = SECRET_KEY) -> Any:
    """Decrypt the claims of a discount string."""
    return orjson.loads(discount_key(secret).decrypt(token))


def discount_key(secret: str = SECRET_KEY) -> Fernet:
    """The key that encrypts discount strings, derived from a secret."""
    [key] = derived_keys([secret], DISCOUNT)
    return Fernet(key)


@pytest.fixture
async def counted(make_api: MakeApi) -> Api:
    """The service with sequential ids: the first configured bundle gets the id 1 and the unique id 2, the second one 3 and 4, and
    so on."""
    return await make_api(ids=FakeIds())


async def test_whole_response_for_a_native_bundle(counted: Api) -> None:
    """The whole response for a native bundle. 1001 is in two sections but forms one line of three units: 3 * 19.99 + 8.00 =
    67.97; the discount of 10% is 6.797."""
    body = configure_body("1001@1", "2001@2", "1001@3", "1001@1")

    response = (await counted.post("/bundles/20/configure", body)).held().json

    mark = {"_bundle_data": f"1#9001#{2:032x}"}
    token = response["discount"]
    bundles = response["cart"]["attributes"]["_bundles"]
    assert response == {
        "configured_bundle_id": 1,
        "variant_id": "9001",
        "product_id": "900",
        "discount": token,
        "subscription_id": None,
        "pricing": pricing("67.97", "61.17", "percentage 10.00"),
        "cart": {
            "line_items": [
                {"id": 1001, "quantity": 3, "properties": mark},
                {"id": 2001, "quantity": 1, "properties": mark},
            ],
            "attributes": {"_bundles": bundles},
        },
    }
    assert orjson.loads(bundles) == {
        "1": {
            "configuredBundleId": 1,
            "discount": token,
            "title": "A tenth off",
            "items": [{"variantId": 1001, "count": 3}, {"variantId": 2001, "count": 1}],
            "image": "https://img.example/tenth.png",
            "note": "",
            "id": 20,
        }
    }
    assert claims(token) == {
        "v": 3,
        "shop": "demo",
        "bundle": 20,
        "bundleType": "native",
        "configured": 1,
        "parent": 9001,
        "type": "percentage",
        "value": "10.00",
        "original": "67.97",
        "discounted": "61.17",
        "currency": "EUR",
        "market": {"country": None, "currency": "EUR", "original": 6797, "discounted": 6117},
        "anywhere": True,
        "variants": {"1001": 3, "2001": 1},
        "fees": {},
        "subscription": None,
        "unique": f"{2:032x}",
        "test": False,
        "iat": int(START),
    }


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


async def test_response_must_not_be_stored_and_has_a_content_type(api: Api) -> None:
    response = (await api.post("/bundles/20/configure", configure_body("1001@1"))).held()

    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Content-Type"].startswith("application/json")
    assert "Idempotent-Replayed" not in response.headers


async def test_ids_are_random(api: Api) -> None:
    responses = [(await api.post("/bundles/20/configure", configure_body("1001@1"))).held().json for _ in range(6)]

    ids = [response["configured_bundle_id"] for response in responses]
    marks = [response["cart"]["line_items"][0]["properties"]["_bundle_data"].split("#") for response in responses]
    assert all(1 <= id_ < 2**53 for id_ in ids)
    assert len(set(ids)) == 6
    assert max(ids) > 2**40  # ids cannot be guessed by counting upward from 1
    assert [mark[:2] for mark in marks] == [[str(id_), "9001"] for id_ in ids]
    assert all(re.fullmatch("[0-9a-f]{32}", mark[2]) for mark in marks)
    assert len({mark[2] for mark in marks}) == 6


async def test_configure_charges_what_price_returns(api: Api) -> None:
    """Configure charges the price that `price` returns, for every listed selection that stock and rules allow."""
    configurable = {20, 21, 22, 23, 24, 25, 26, 27, 60, 62, 10}
    rows_ = [(bundle, chosen, expected) for bundle, chosen, expected in PRICES if bundle in configurable]
    assert len(rows_) > 30

    responses = [await api.post(f"/bundles/{bundle}/configure", configure_body(*chosen)) for bundle, chosen, _ in rows_]

    assert [response.held().json["pricing"] for response in responses] == [expected for _, _, expected in rows_]
    for response, (_, _, expected) in zip(responses, rows_, strict=True):
        said = claims(response.json["discount"])
        assert [said["original"], said["discounted"], said["type"], said["value"], said["currency"]] == list(
            expected.values()
        )


# Rules that are not met.


def limit(index: int, rule: str, operation: str, section: int | None, limit: str, actual: str, missing: str) -> Json:
    return {
        "path": f"limitRules.{index}",
        "code": "limit_not_met",
        "rule": rule,
        "unit": "money" if "price" in rule else "weight" if "weight" in rule else "items",
        "operation": operation,
        "sectionId": section,
        "limit": limit,
        "actual": actual,
        "missing": missing,
    }


def by_place(found: list[Json]) -> list[Json]:
    return sorted(found, key=lambda detail: orjson.dumps(detail, option=orjson.OPT_SORT_KEYS))


async def test_every_rule_that_is_not_met_is_named_at_once(api: Api) -> None:
    """All rules that are not met are reported in one response.

    In the US market: 3 * 20.99 + 22.57 + 8.40 + 15.75 + 9.97 = 119.66; the discount of 10% is 11.97, of which 0.84 is allocated
    to the mug (variant 2001)."""
    body = configure_body("1001@1*3", "1004@1", "2001@2", "3001@3", "2002@3", type="single-product", countryCode="US")

    response = await api.post("/bundles/40/configure", body)

    assert response.held(400).code == "rules_not_met"
    assert by_place(details(response)) == by_place(
        [
            {"path": "type", "code": "type_mismatch"},
            {"path": "products.3", "code": "sold_out", "platformVariantId": "1004"},
            {"path": "products.4", "code": "product_hidden", "platformProductId": "200"},
            {"path": "products.5", "code": "not_active", "platformProductId": "300"},
            {"path": "products.5", "code": "section_hidden", "sectionId": 3},
            {"path": "products.6", "code": "not_sold_in_country", "platformVariantId": "2002"},
            {"path": "products.6", "code": "section_hidden", "sectionId": 3},
            {
                "path": "requiredProducts.0",
                "code": "required_missing",
                "platformProductId": "600",
                "limit": "2",
                "actual": "0",
                "missing": "2",
            },
            limit(0, "bundle-price", "lte", None, "100.00", "107.69", "0"),
            limit(1, "bundle-price-before-discount", "gte", None, "120", "119.66", "0.34"),
            limit(2, "total-number-of-products", "gt", None, "7.00", "7", "1"),
            {**limit(3, "amount-of-one-product", "lte", None, "1", "4", "0"), "platformProductId": "100"},
            {**limit(3, "amount-of-one-product", "lte", None, "1", "2", "0"), "platformProductId": "200"},
            {**limit(4, "amount-of-one-variant", "lt", None, "3.0", "3", "0"), "platformVariantId": "1001"},
            limit(5, "number-of-different-products", "gte", None, "5", "3", "2"),
            limit(6, "multiples-of", "eq", None, "5", "7", "3"),
            limit(7, "amount-of-weight", "lte", None, "1.3", "1.65", "0"),
            {**limit(8, "total-number-of-products", "eq", 1, "6", "4", "2"), "alternatives": ["6", "12"]},
            limit(10, "bundle-price", "gt", 2, "8.00", "7.56", "0.45"),
            limit(11, "amount-of-weight", "gt", 2, "0.35", "0.35", "0.001"),
            {"path": "conditions", "code": "blocked"},
        ]
    )
    assert [detail["message"] for detail in response.json["details"] if detail["code"] == "blocked"] == [
        "Not to the United States"
    ]


def not_sold(index: int, code: str, variant: str) -> Json:
    return {"path": f"products.{index}", "code": code, "platformVariantId": variant}


def not_active(index: int, product: str) -> Json:
    return {"path": f"products.{index}", "code": "not_active", "platformProductId": product}


def six_or_twelve(index: int, nearest: str, actual: str, missing: str) -> Json:
    found = limit(index, "total-number-of-products", "eq", None, nearest, actual, missing)
    return {**found, "alternatives": ["6", "12"]}


NO_CARD = {
    "path": "requiredProducts.0",
    "code": "required_missing",
    "platformProductId": "600",
    "limit": "1",
    "actual": "0",
    "missing": "1",
}
TOO_FEW = limit(0, "total-number-of-products", "gte", None, "2", "1", "1")
SHIRTS_TOO_HEAVY = limit(1, "amount-of-weight", "lte", 1, "0.90", "1.05", "0")
TOO_HEAVY = limit(2, "amount-of-weight", "lte", None, "1.2", "1.275", "0")
MUGS_AND_TEA = ["2001@2*3", "7001@3*3", "1002@1"]

REFUSED = [
    pytest.param(20, configure_body("1001@1*4", "1001@3*2"), [not_sold(0, "sold_out", "1001")], id="more than 5"),
    pytest.param(20, configure_body("5001@3"), [not_sold(0, "sold_out", "5001")], id="stock below zero"),
    pytest.param(20, configure_body("4001@3"), [not_active(0, "400")], id="draft"),
    pytest.param(20, configure_body("2001@2", "3001@3*2"), [not_active(1, "300")], id="archived"),
    pytest.param(
        20, configure_body("2002@3", countryCode="us"), [not_sold(0, "not_sold_in_country", "2002")], id="country"
    ),
    pytest.param(
        20, configure_body("1001@1", type="multiple-products"), [{"path": "type", "code": "type_mismatch"}], id="type"
    ),
    pytest.param(10, configure_body("1001@1", "2001@2"), [NO_CARD], id="required"),
    pytest.param(10, configure_body("6001@0"), [TOO_FEW], id="required counts"),
    pytest.param(10, configure_body("1002@1*5", "6001@0"), [SHIRTS_TOO_HEAVY], id="weight of a section"),
    pytest.param(41, configure_body("7001@3*3"), [six_or_twelve(0, "6", "3", "3")], id="3 of 6 or 12"),
    pytest.param(41, configure_body("7001@3*7"), [six_or_twelve(0, "6", "7", "0")], id="7 of 6 or 12"),
    pytest.param(41, configure_body("7001@3*10"), [six_or_twelve(1, "12", "10", "2")], id="10 of 6 or 12"),
    pytest.param(41, configure_body(*MUGS_AND_TEA), [six_or_twelve(0, "6", "7", "0"), TOO_HEAVY], id="two rules"),
]


@pytest.mark.parametrize(("bundle", "body", "expected"), REFUSED)
async def test_rules_that_are_not_met(
    api: Api, database: Database, bundle: int, body: Json, expected: list[Json]
) -> None:
    response = await api.post(f"/bundles/{bundle}/configure", body)

    assert response.held(400).code == "rules_not_met"
    assert by_place(details(response)) == by_place(expected)
    assert await rows(database, configured_bundles) == []


@pytest.mark.parametrize(
    ("bundle", "chosen"),
    [
        pytest.param(20, ["1001@1*3", "1001@3*2"], id="all of the stock"),
        pytest.param(20, ["1002@1*20"], id="untracked"),
        pytest.param(20, ["1003@1*20"], id="sold beyond stock"),
        pytest.param(20, ["7001@3*200"], id="200 items"),
        pytest.param(41, ["7001@3*6"], id="6 of 6 or 12"),
        pytest.param(41, ["7001@3*12"], id="12 of 6 or 12"),
        pytest.param(10, ["1002@1*4", "6001@0"], id="0.84 of 0.90 kg"),
        pytest.param(10, ["2001@2*9", "6001@0"], id="the section's weight, not the bundle's"),
    ],
)
async def test_rules_that_are_met(api: Api, bundle: int, chosen: list[str]) -> None:
    assert (await api.post(f"/bundles/{bundle}/configure", configure_body(*chosen))).held().status == 200


HOMELESS = """
shop: {handle: demo, currency: EUR, headlessEnabled: true}
products: [{id: "100", title: Shirt, variants: [{id: "1001", price: "5.00"}]}]
bundles:
  - {id: 1, name: Nowhere, type: native, sections: [{id: 1, products: [{bundleItemId: 1, platformProductId: "100"}]}]}
  - {id: 2, name: Here, type: native, platformProductId: "100",
     sections: [{id: 1, products: [{bundleItemId: 1, platformProductId: "100"}]}]}
  - {id: 3, name: Set, type: single-product, sections: [{id: 1, products: [{bundleItemId: 1, platformProductId: "100"}]}]}
"""


@pytest.mark.parametrize(("bundle", "type_"), [(1, "native"), (2, "native"), (3, "single-product")])
async def test_bundle_without_a_product_can_be_priced_but_not_configured(
    make_api: MakeApi, bundle: int, type_: str
) -> None:
    """A bundle without a product, or a native bundle without a parent variant, can be priced but not configured."""
    api = await make_api(HOMELESS)

    assert (await api.post(f"/bundles/{bundle}/price", price_body("1001@1"))).status == 200
    response = await api.post(f"/bundles/{bundle}/configure", configure_body("1001@1", type=type_))
    assert response.held(400).code == "rules_not_met"
    assert [detail["code"] for detail in details(response)] == ["blocked"]


async def test_configure_does_not_reserve_stock(api: Api) -> None:
    for _ in range(3):
        (await api.post("/bundles/20/configure", configure_body("1001@1*5"))).held()


async def test_structure_comes_before_rules(api: Api) -> None:
    response = await api.post("/bundles/40/configure", configure_body("1001@9", type="single-product"))

    assert response.held(400).code == "selection_invalid"


async def test_unpublished_bundles_are_configured_with_test_keys_and_marked(
    api: Api, api_with_test_key: Api, database: Database
) -> None:
    body = configure_body("1001@1")

    assert (await api.post("/bundles/70/configure", body)).held(404).code == "not_found"
    tested = (await api_with_test_key.post("/bundles/70/configure", body)).held().json
    (await api.post("/bundles/20/configure", body)).held()

    assert claims(tested["discount"])["test"] is True
    stored = {row["bundle_id"]: bool(row["test"]) for row in await rows(database, configured_bundles)}
    assert stored == {70: True, 20: False}


# The discount string.


@pytest.mark.parametrize(
    ("bundle", "body", "said"),
    [
        pytest.param(
            27,
            configure_body("1001@1"),
            {"type": "none", "value": "0.00", "original": "19.99", "discounted": "19.99", "variants": {"1001": 1}},
            id="none",
        ),
        pytest.param(
            61,
            configure_body("6002@0", "1001@1", "2001@2", type="multiple-products"),
            {"original": "31.49", "discounted": "25.19", "variants": {"1001": 1, "2001": 1, "6002": 1}},
            id="granted units at full price",
        ),
        pytest.param(
            60,
            configure_body("1001@1", "2001@2"),
            {"type": "fixed", "value": "4.50", "original": "27.99", "discounted": "23.49"},
            id="discount of the graph",
        ),
        pytest.param(
            50,
            configure_body(
                "1001@1", subscription={"id": 8, "frequency": 1, "unit": "year", "email": "mira@mail.example"}
            ),
            {
                "type": "percentage",
                "value": "10.00",
                "original": "19.99",
                "discounted": "17.99",
                "subscription": {"group": 8, "frequency": 1, "unit": "year", "percentage": "20.00"},
            },
            id="subscription",
        ),
        pytest.param(
            20,
            configure_body("1001@1", countryCode="US"),
            {"type": "percentage", "value": "10.00", "original": "20.99", "discounted": "18.89", "currency": "EUR"},
            id="country",
        ),
    ],
)
async def test_contents_of_the_discount_string(api: Api, bundle: int, body: Json, said: Json) -> None:
    response = (await api.post(f"/bundles/{bundle}/configure", body)).held().json

    found = claims(response["discount"])
    assert {name: found[name] for name in said} == said
    assert found["configured"] == response["configured_bundle_id"]


async def test_discount_string_is_compact_and_has_the_time(api: Api, clock: FakeClock) -> None:
    clock.move(1000.9)

    token = (await api.post("/bundles/20/configure", configure_body("1001@1"))).held().json["discount"]

    raw = discount_key().decrypt(token)
    assert raw == orjson.dumps(orjson.loads(raw))
    assert orjson.loads(raw)["iat"] == int(START) + 1000
    assert discount_key().extract_timestamp(token) == int(START) + 1000


MANY = "\n".join(
    [
        "shop: {handle: demo, currency: EUR, headlessEnabled: true}",
        "products:",
        "  - {id: '900', title: Box, variants: [{id: '9001', price: '0'}]}",
        *(f"  - {{id: '{n}', title: P{n}, variants: [{{id: '{n}1', price: '1.00'}}]}}" for n in range(100, 121)),
        "bundles:",
        "  - id: 1",
        "    name: Many",
        "    type: native",
        "    platformProductId: '900'",
        "    parentVariantId: '9001'",
        "    sections:",
        "      - id: 1",
        "        products:",
        *(f"          - {{bundleItemId: {n}, platformProductId: '{n}'}}" for n in range(100, 121)),
    ]
)
TWENTY_ONE = [f"{n}1@1" for n in range(100, 121)]


async def test_more_than_twenty_variants_are_named_by_a_digest(make_api: MakeApi) -> None:
    api = await make_api(MANY)

    async def variants(*chosen: str) -> Any:
        response = (await api.post("/bundles/1/configure", configure_body(*chosen))).held().json
        return claims(response["discount"])["variants"]

    twenty_one = await variants(*TWENTY_ONE)
    assert re.fullmatch("sha256:[0-9a-f]{64}", twenty_one)
    assert await variants(*reversed(TWENTY_ONE)) == twenty_one
    assert await variants(*TWENTY_ONE, TWENTY_ONE[0]) != twenty_one
    assert await variants(*TWENTY_ONE[1:]) == {each.removesuffix("@1"): 1 for each in TWENTY_ONE[1:]}


async def test_first_secret_key_encrypts_and_all_decrypt(make_api: MakeApi, settings: Settings) -> None:
    """The first secret key encrypts and all keys decrypt, so keys can be rotated: an old key is kept until no strings encrypted
    with it remain."""
    new_key = Fernet.generate_key().decode()
    before = await make_api()
    after = await make_api(settings=replace(settings, secret_keys=(new_key, SECRET_KEY)))

    old = (await before.post("/bundles/20/configure", configure_body("1001@1"))).held().json["discount"]
    new = (await after.post("/bundles/20/configure", configure_body("1001@1"))).held().json["discount"]

    assert claims(new, new_key)["bundle"] == 20
    opened = [discount_cipher((new_key, SECRET_KEY)).unseal(token)["bundle"] for token in (old, new)]
    assert opened == [20, 20]


# Ghost variants.


async def ghost(api: Api, *chosen: str, bundle: int = 30, **more: object) -> int:
    """Configure a bundle, and return the id of its ghost variant."""
    type_ = {30: "multiple-products", 31: "single-product"}[bundle]
    response = await api.post(f"/bundles/{bundle}/configure", configure_body(*chosen, type=type_, **more))
    return int(response.held().json["variant_id"])


async def ghost_prices(database: Database) -> dict[int, str]:
    return {row["variant_id"]: row["price"] for row in await rows(database, catalogue_ghosts)}


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


# What is stored.


def stored_item(variant: int, section: int, count: int, title: str, variant_title: str, unit_price: str) -> Json:
    return {
        "variant_id": variant,
        "product_id": variant // 10,
        "section_id": section,
        "count": count,
        "title": title,
        "variant_title": variant_title,
        "unit_price": unit_price,
    }


async def test_stored_fields_of_a_configured_bundle(counted: Api, database: Database) -> None:
    body = configure_body("2001@2", "1001@1*2", "6002@0", countryCode="us", type="multiple-products")

    response = (await counted.post("/bundles/61/configure", body)).held().json

    (row,) = await rows(database, configured_bundles)
    stored = orjson.loads(row.pop("items"))
    expected_row = {
        "id": 1,
        "bundle_id": 61,
        "bundle_type": "multiple-products",
        "title": "Free card",
        "product_id": 910,
        "variant_id": int(response["variant_id"]),
        "country": "US",
        "test": False,
        "unique_id": f"{2:032x}",
        "original": "54.05",  # 8.40 + 2 * 20.99 + 3.67
        "discounted": "45.34",  # 50.38 - 5.04
        "discount_type": "percentage",
        "discount_value": "10.00",
        "currency": "EUR",
        "configured_at": int(START),
    }
    assert {name: row[name] for name in expected_row} == expected_row
    expected = [
        stored_item(2001, 2, 1, "Mug", "White / Left", "8.40"),
        stored_item(1001, 1, 2, "Shirt", "S", "20.99"),
        stored_item(6002, 0, 1, "Card", "Moon", "3.67"),
    ]
    assert [{name: item[name] for name in expected[0]} for item in stored] == expected


@pytest.mark.parametrize("country", [None, "US"])
async def test_configured_bundle_is_on_disk_before_the_response(
    api: Api, settings: Settings, database: Database, country: str | None
) -> None:
    """A configured bundle is visible to another connection before the response is sent, even during many simultaneous
    requests."""

    async def call() -> bool:
        response = await api.post("/bundles/20/configure", configure_body("1001@1", countryCode=country))
        return response.held().json["configured_bundle_id"] in [
            row["id"] for row in await rows(database, configured_bundles)
        ]

    assert all(await asyncio.gather(*(call() for _ in range(10))))


MIRA = {"id": 7, "email": "mira@mail.example", "frequency": 2, "unit": "week"}


async def test_subscription_is_stored_as_pending(api: Api, database: Database) -> None:
    body = configure_body("1001@1", subscription=MIRA)

    response = (await api.post("/bundles/50/configure", body)).held().json

    (row,) = await rows(database, subscriptions)
    assert row.pop("shop_id") is not None
    assert row == {
        "id": response["subscription_id"],
        "configured_bundle_id": response["configured_bundle_id"],
        "group_id": 7,
        "frequency": 2,
        "unit": "week",
        "email": "mira@mail.example",
        "status": "pending",
        "order_id": None,
        "contract": None,
        "ended": None,
        "next_date": "2027-01-29",
        "created_at": int(START),
    }
    assert type(response["subscription_id"]) is int
    assert response["pricing"] == pricing("19.99", "17.09", "percentage 10.00")


async def test_optional_subscription_may_be_chosen_or_not(api: Api, database: Database) -> None:
    chosen = await api.post("/bundles/10/configure", configure_body("1001@1", "6001@0", subscription=MIRA))
    left_out = await api.post("/bundles/10/configure", configure_body("1001@1", "6001@0", subscription=None))

    assert chosen.held().json["pricing"]["discountedPrice"] == "21.84"  # 5% of 22.99: 1.1495
    assert left_out.held().json["subscription_id"] is None
    assert len(await rows(database, subscriptions)) == 1


@pytest.mark.parametrize(
    ("bundle", "subscription", "paths"),
    [
        pytest.param(50, None, ["subscription"], id="required, and missing"),
        pytest.param(51, MIRA, ["subscription"], id="disabled"),
        pytest.param(20, MIRA, ["subscription"], id="no program"),
        pytest.param(50, MIRA | {"id": 9}, ["subscription.id"], id="no such group"),
        pytest.param(50, MIRA | {"frequency": 1}, ["subscription.frequency"], id="no such option"),
        pytest.param(50, MIRA | {"frequency": -2}, ["subscription.frequency"], id="negative"),
        pytest.param(50, MIRA | {"email": "mira"}, ["subscription.email"], id="no address"),
        pytest.param(50, MIRA | {"email": ""}, ["subscription.email"], id="empty address"),
        pytest.param(50, MIRA | {"email": "mira@mail"}, ["subscription.email"], id="no domain"),
        pytest.param(50, MIRA | {"email": "a b@mail.example"}, ["subscription.email"], id="a space"),
        pytest.param(50, MIRA | {"email": "a@mail.example\nBcc: b@mail.example"}, ["subscription.email"], id="a line"),
        pytest.param(50, MIRA | {"email": f"{'a' * 64}@{'b' * 250}.example"}, ["subscription.email"], id="too long"),
        pytest.param(50, MIRA | {"email": "mira", "id": 9}, ["subscription.email", "subscription.id"], id="both"),
    ],
)
async def test_invalid_subscriptions_are_refused(
    api: Api, database: Database, bundle: int, subscription: object, paths: list[str]
) -> None:
    body = configure_body("1001@1", subscription=subscription)

    response = await api.post(f"/bundles/{bundle}/configure", body)

    assert response.held(400).code == "subscription_invalid"
    assert sorted(response.paths) == paths
    assert [await rows(database, table) for table in (configured_bundles, subscriptions)] == [[], []]


async def test_shop_without_the_feature_neither_requires_nor_takes_subscriptions(other_api: Api) -> None:
    once = await other_api.post("/bundles/10/configure", configure_body("1001@1"))
    subscribed = await other_api.post(
        "/bundles/10/configure", configure_body("1001@1", subscription=MIRA | {"frequency": 1, "unit": "month"})
    )

    assert once.held().json["pricing"] == pricing("1985.00", "1489.00", "percentage 25.00", "JPY")
    assert subscribed.held(400).code == "subscription_invalid"


async def test_configured_bundles_belong_to_the_shop_of_the_key(
    api: Api, other_api: Api, database: Database, make_key: MakeKey
) -> None:
    (await api.post("/bundles/20/configure", configure_body("1001@1"))).held()
    (await other_api.post("/bundles/10/configure", configure_body("1001@1"))).held()

    stored = await rows(database, configured_bundles)
    assert {(row["bundle_id"], row["title"], row["currency"]) for row in stored} == {
        (20, "A tenth off", "EUR"),
        (10, "Wall", "JPY"),
    }
    assert len({row["shop_id"] for row in stored}) == 2


async def test_another_shops_bundle_is_not_found(api: Api) -> None:
    for action in ("price", "configure"):
        response = await api.post(f"/bundles/99/{action}", configure_body("1001@1"))
        assert response.held(404).json["detail"] == "Not found."


@pytest.mark.parametrize("visitor", ["", "visitor", "3f0c7a52", 7, {}, True])
async def test_visitor_id_must_be_a_uuid(api: Api, visitor: object) -> None:
    response = await api.post("/bundles/20/configure", configure_body("1001@1", visitorId=visitor))

    assert (response.held(400).code, response.paths) == ("invalid_request", ["visitorId"])


async def test_visitor_id_is_optional(api: Api) -> None:
    for visitor in (None, "3f0c7a52-6f8e-4b39-9e4b-0c6f5d1a2b3c", "3F0C7A52-6F8E-4B39-9E4B-0C6F5D1A2B3C"):
        (await api.post("/bundles/20/configure", configure_body("1001@1", visitorId=visitor))).held()


EXPERIMENT = f"""{SHOP_TEXT.replace("activeFeatures: [", "activeFeatures: [ab-testing, ")}
experiments:
  - {{id: exp-1, bundleId: 20, arms: [{{bundleId: 20, weight: "0.000001"}}, {{bundleId: 21, weight: "1000000"}}]}}
"""
"""An A/B test that serves bundle 21 to practically every visitor of bundle 20."""


@pytest.mark.parametrize(
    ("bundle", "visitor", "stored"),
    [
        pytest.param(21, "3f0c7a52-6f8e-4b39-9e4b-0c6f5d1a2b3c", ("exp-1", 1), id="the visitor's arm"),
        pytest.param(20, "3f0c7a52-6f8e-4b39-9e4b-0c6f5d1a2b3c", (None, None), id="another arm"),
        pytest.param(22, "3f0c7a52-6f8e-4b39-9e4b-0c6f5d1a2b3c", (None, None), id="no experiment"),
        pytest.param(21, None, (None, None), id="no visitor"),
    ],
)
async def test_arm_of_a_visitor_is_stored(
    make_api: MakeApi, database: Database, bundle: int, visitor: str | None, stored: tuple[str | None, int | None]
) -> None:
    api = await make_api(EXPERIMENT)

    (await api.post(f"/bundles/{bundle}/configure", configure_body("1001@1", visitorId=visitor))).held()

    (row,) = await rows(database, configured_bundles)
    assert (row["experiment_id"], row["arm"]) == stored


async def test_configure_and_price_agree_in_a_country_with_a_subscription(api: Api) -> None:
    """Configure and price agree for a subscription in a market.

    In euros: 20.99 - 2.10 = 18.89; a further 5% (0.9445) off gives 17.95. In dollars: 23.09 - 2.31 = 20.78; a further 5%
    (1.039) off gives 19.74."""
    more: Json = {"countryCode": "US", "subscription": MIRA}

    priced = await api.post("/bundles/50/price", price_body("1001@1", **more))
    configured = await api.post("/bundles/50/configure", configure_body("1001@1", **more))

    expected = pricing("20.99", "17.95", "percentage 10.00")
    in_dollars = {"originalPrice": "23.09", "discountedPrice": "19.74", "currency": "USD"}
    assert priced.held().json == expected | {"presentment": in_dollars}
    assert configured.held().json["pricing"] == expected
    assert configured.json["presentment"] == in_dollars
