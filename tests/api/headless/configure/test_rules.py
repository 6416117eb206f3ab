"""The rules that a selection must meet to be configured (docs/contract.md#valid-selections)."""

import orjson
import pytest

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles
from tests.api.conftest import Api, MakeApi
from tests.api.selection import Json, configure_body, details, price_body
from tests.api.stored import rows


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
