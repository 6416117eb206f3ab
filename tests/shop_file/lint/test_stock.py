"""Findings about products that are not ACTIVE or not in stock."""

import pytest

from tests.shop_file.lint.linted import (
    PRODUCTS,
    SHIRTS_AND_MUGS,
    SHIRTS_THEN_MUGS,
    TEA,
    Case,
    action,
    assert_found,
    condition,
    country,
    found,
    live,
    nodes,
    rules,
    shop,
)

ARCHIVED = "sections: [{id: 1, products: [{bundleItemId: 1, platformProductId: 400}]}]"
WITH_ARCHIVED = SHIRTS_AND_MUGS.replace("}]}]", "}, {bundleItemId: 4, platformProductId: 400}]}]")
TEA_TWICE = TEA.replace("}]}]", "}]}, {id: 2, products: [{bundleItemId: 4, platformProductId: 300}]}]")
TEA_THEN_MUGS = SHIRTS_THEN_MUGS.replace("100", "300")
HIDING = nodes(country("c", "US"), action("a", "hide-section", "c", sectionId=1))

SECTIONS = [
    Case("more than in stock", [TEA, rules("items gte 3 @1")], ["error section-out-of-stock sections.0"]),
    Case("as many as in stock", [TEA, rules("items gte 2 @1")]),
    Case("no minimum", [TEA]),
    Case(
        "nothing ACTIVE",
        [ARCHIVED, rules("items gte 1 @1")],
        ["error section-out-of-stock sections.0"],
    ),
    Case(
        "where it may be hidden",
        [TEA_THEN_MUGS, rules("items gte 3 @1"), HIDING],
        ["warning section-out-of-stock sections.0"],
    ),
    Case(
        "where all may be hidden",
        [TEA, rules("items gte 3 @1"), HIDING],
        ["error bundle-out-of-stock", "warning section-out-of-stock sections.0"],
    ),
    Case(
        "too few different products",
        [WITH_ARCHIVED, rules("different gte 3 @1")],
        ["error section-out-of-stock sections.0"],
    ),
    Case(
        "enough different products",
        [WITH_ARCHIVED, rules("different gte 2 @1")],
        [],
    ),
    Case("too light for want of stock", [TEA, rules("weight gt 0.1 @1")], ["error section-out-of-stock sections.0"]),
    Case("heavy enough with the stock", [TEA, rules("weight gte 0.1 @1")]),
    Case(
        "a rule that can never hold is reported once",
        [TEA, rules("items gte 3 @1", "each lte 2 @1")],
        ["error amounts-contradict limitRules.1"],
    ),
]

WHOLE = [
    Case("more than in stock", [TEA, rules("items gte 3")], ["error bundle-out-of-stock"]),
    Case("as many as in stock", [TEA, rules("items gte 2")]),
    Case("nothing ACTIVE", [ARCHIVED], ["error bundle-out-of-stock"]),
    Case(
        "not the same unit twice", [TEA_TWICE, rules("items gte 2 @1", "items gte 1 @2")], ["error bundle-out-of-stock"]
    ),
    Case("a unit for each section", [TEA_TWICE, rules("items gte 1 @1", "items gte 1 @2")]),
    Case("too cheap for want of stock", [TEA, rules("full-price gt 10")], ["error bundle-out-of-stock"]),
    Case("dear enough with the stock", [TEA, rules("full-price gte 10")]),
]

REQUIRED = [
    Case(
        "archived", ["requiredProducts: [{platformProductId: 400}]"], ["error required-not-active requiredProducts.0"]
    ),
    Case(
        "more than in stock",
        ["requiredProducts: [{platformProductId: 300, quantity: 3}]"],
        ["error required-out-of-stock requiredProducts.0"],
    ),
    Case("as many as in stock", ["requiredProducts: [{platformProductId: 300, quantity: 2}]"]),
    Case(
        "without a variant",
        ["requiredProducts: [{platformProductId: 500}]"],
        ["error required-out-of-stock requiredProducts.0"],
    ),
    Case(
        "each of them is reported",
        [
            "requiredProducts: [{platformProductId: 200}, {platformProductId: 400}, {platformProductId: 300, quantity: 9}]"
        ],
        ["error required-not-active requiredProducts.1", "error required-out-of-stock requiredProducts.2"],
    ),
]


@pytest.mark.parametrize("case", SECTIONS, ids=str)
def test_sections_out_of_stock(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", WHOLE, ids=str)
def test_bundles_out_of_stock(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", REQUIRED, ids=str)
def test_required_products_out_of_stock(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize(
    ("stock", "findings"),
    [
        ("inventoryTracked: true, inventoryQuantity: 0", ["error required-out-of-stock requiredProducts.0"]),
        ("inventoryTracked: true, inventoryQuantity: -2", ["error required-out-of-stock requiredProducts.0"]),
        ("inventoryTracked: true, inventoryQuantity: 1", []),
        ("inventoryTracked: true, inventoryPolicy: continue, inventoryQuantity: -2", []),
        ("inventoryTracked: false, inventoryQuantity: 0", []),
    ],
)
def test_what_counts_as_in_stock(stock: str, findings: list[str]) -> None:
    products = PRODUCTS.replace("grams: 350", f"grams: 350, {stock}")
    assert found(shop("requiredProducts: [{platformProductId: 200}]", products=products)) == findings


@pytest.mark.parametrize("status", ["ACTIVE", "DRAFT", "ARCHIVED"])
@pytest.mark.parametrize(
    ("kind", "severity"), [("native", "warning"), ("multiple-products", "error"), ("single-product", "error")]
)
def test_the_status_of_the_bundles_own_product(status: str, kind: str, severity: str) -> None:
    products = PRODUCTS.replace("title: Box,", f"title: Box, status: {status},")
    findings = [] if status == "ACTIVE" else [f"{severity} bundle-product-not-active platformProductId"]
    assert found(shop(kind=kind, products=products)) == findings


@pytest.mark.parametrize(
    ("variant", "findings"),
    [
        (2001, []),
        (3001, []),
        (4001, ["warning free-item-unavailable conditions.1"]),
    ],
)
def test_free_items(variant: int, findings: list[str]) -> None:
    free = nodes(
        condition("c", "total-products", "gte", "3"), action("a", "free-item", "c", variantId=variant, quantity=3)
    )
    assert found(shop(free)) == findings


SELLS_NOTHING = "warning section-sells-nothing sections"


def test_an_optional_section_that_sells_nothing() -> None:
    assert found(shop(SHIRTS_THEN_MUGS.replace("200", "400"))) == [f"{SELLS_NOTHING}.1"]
    assert found(shop(SHIRTS_THEN_MUGS.replace("200", "500"))) == [f"{SELLS_NOTHING}.1"]
    assert found(shop(SHIRTS_THEN_MUGS.replace("200", "300"))) == []
    assert found(shop(WITH_ARCHIVED)) == []
    assert found(shop(SHIRTS_THEN_MUGS.replace("200", "400"), rules("items gte 1 @2"))) == [
        "error section-out-of-stock sections.1"
    ]


def test_paths_have_the_places_of_the_file_whatever_the_order_of_sections() -> None:
    sections = SHIRTS_THEN_MUGS.replace("id: 1, name", "id: 1, order: 9, name").replace("200", "400")
    assert found(shop(sections)) == [f"{SELLS_NOTHING}.1"]
    assert found(shop(sections.replace("100", "400").replace("400", "100", 1))) == [f"{SELLS_NOTHING}.1"]
    assert found(shop(sections.replace("400", "200").replace("100", "400"))) == [f"{SELLS_NOTHING}.0"]


def test_stock_of_a_live_platform_is_unknown() -> None:
    assert found(live(ARCHIVED, "requiredProducts: [{platformProductId: 300, quantity: 9}]")) == []
