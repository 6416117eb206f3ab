"""Findings about limit rules that conflict with what is offered, with sections or with required products."""

import pytest

from tests.shop_file.lint.linted import (
    SHIRTS_THEN_MUGS,
    Case,
    action,
    assert_found,
    condition,
    found,
    live,
    nodes,
    rules,
    shop,
)

EMPTY = "sections: [{id: 2, order: 2}, {id: 1, order: 1, products: [{bundleItemId: 1, platformProductId: 100}]}]"
HIDING = nodes(condition("c", "total-products", "gte", "9"), action("a", "hide-section", "c", sectionId=2))
SHIRT = "requiredProducts: [{platformProductId: 100}]"

SECTIONS = [
    Case(
        "a minimum where nothing is offered",
        [EMPTY, rules("items gte 1 @2")],
        ["error section-offers-nothing limitRules.0"],
    ),
    Case(
        "a maximum where nothing is offered",
        [EMPTY, rules("items lte 1 @2")],
        ["warning section-offers-nothing limitRules.0"],
    ),
    Case(
        "a multiple where nothing is offered",
        [EMPTY, rules("multiples 2 @2")],
        ["error section-offers-nothing limitRules.0"],
    ),
    Case(
        "a weight where nothing is offered",
        [EMPTY, rules("weight gt 0 @2")],
        ["error section-offers-nothing limitRules.0"],
    ),
    Case(
        "the rule that never holds is reported",
        [EMPTY, rules("items lte 4 @2", "items gte 2 @2")],
        ["error section-offers-nothing limitRules.1"],
    ),
    Case(
        "of each product where nothing is offered",
        [EMPTY, rules("each gte 2 @2")],
        ["warning section-offers-nothing limitRules.0"],
    ),
    Case("no rule where nothing is offered", [EMPTY]),
    Case("required products may stand in any section", [EMPTY, rules("items gte 1 @2"), SHIRT]),
    Case(
        "a section that may be hidden",
        [EMPTY, rules("items gte 1 @2"), HIDING],
        ["warning section-offers-nothing limitRules.0"],
    ),
    Case("different products", [rules("different gte 3 @1")], ["error too-few-products limitRules.0"]),
    Case("as many different products", [rules("different gte 2 @1")]),
    Case("at most of each", [rules("each lte 2 @1", "items gte 5 @1")], ["error amounts-contradict limitRules.0"]),
    Case("enough of each", [rules("each lte 2 @1", "items gte 4 @1")]),
    Case(
        "at most of each variant",
        [rules("each-variant lte 1 @1", "items gte 4 @1")],
        ["error amounts-contradict limitRules.0"],
    ),
    Case("enough of each variant", [rules("each-variant lte 1 @1", "items gte 3 @1")]),
    Case(
        "more of each variant in a section than in the whole bundle",
        [rules("each-variant gt 1 @1", "each-variant lte 1", "items gte 1 @1")],
        ["error amounts-contradict limitRules.0"],
    ),
    Case(
        "at most of each in the whole bundle",
        [rules("each lte 2", "items gte 5 @1")],
        ["error amounts-contradict limitRules.0"],
    ),
    Case(
        "a section that is too heavy",
        [rules("weight lte 0.599 @1", "items gte 3 @1")],
        ["error weight-unreachable limitRules.0"],
    ),
    Case("a section that is light enough", [rules("weight lte 0.600 @1", "items gte 3 @1")]),
    Case(
        "a section that is too light",
        [rules("weight gt 0.700 @1", "items lte 2 @1")],
        ["error weight-unreachable limitRules.0"],
    ),
    Case("a section that is heavy enough", [rules("weight gte 0.700 @1", "items lte 2 @1")]),
    Case(
        "a section that is too dear",
        [rules("full-price lt 16 @1", "items gte 2 @1")],
        ["error price-unreachable limitRules.0"],
    ),
    Case("a section that is cheap enough", [rules("full-price lte 16 @1", "items gte 2 @1")]),
    Case("a section's discounted price may be nothing", [rules("price lt 1 @1", "items gte 2 @1")]),
    Case(
        "a section's discounted price is no more than its price",
        [rules("price gt 50 @1", "items lte 2 @1")],
        ["error price-unreachable limitRules.0"],
    ),
]

WHOLE = [
    Case("too few different products", [rules("different gt 2")], ["error too-few-products limitRules.0"]),
    Case("as many different products", [rules("different gt 1")]),
    Case(
        "different products without items",
        [rules("different eq 2", "items eq 1")],
        ["error amounts-contradict limitRules.0"],
    ),
    Case("different products with items", [rules("different eq 2", "items eq 2")]),
    Case(
        "fewer different products than items",
        [rules("different lte 1", "each lte 2", "items gte 3")],
        ["error amounts-contradict limitRules.0"],
    ),
    Case("exactly 2 of each makes no 3", [rules("each eq 2", "items eq 3")], ["error amounts-contradict limitRules.0"]),
    Case("exactly 2 of each makes 4", [rules("each eq 2", "items eq 4")]),
    Case("products and variants", [rules("each eq 1", "each-variant eq 2")], ["error amounts-contradict limitRules.0"]),
    Case(
        "sections need more",
        [SHIRTS_THEN_MUGS, rules("items lte 3", "items gte 2 @1", "items gte 2 @2")],
        ["error totals-contradict limitRules.0"],
    ),
    Case("sections need as many", [SHIRTS_THEN_MUGS, rules("items lte 4", "items gte 2 @1", "items gte 2 @2")]),
    Case(
        "sections allow fewer",
        [SHIRTS_THEN_MUGS, rules("items gte 5", "items lte 2 @1", "items lte 2 @2")],
        ["error totals-contradict limitRules.0"],
    ),
    Case("sections allow as many", [SHIRTS_THEN_MUGS, rules("items gte 4", "items lte 2 @1", "items lte 2 @2")]),
    Case("no section may have any", [rules("items lte 0 @1")], ["error totals-contradict limitRules"]),
    Case(
        "sections leave gaps",
        [SHIRTS_THEN_MUGS, rules("items eq 5", "items eq 4 @1", "items eq 2 @2", "items eq 0 @2")],
        ["error totals-contradict limitRules.0"],
    ),
    Case(
        "sections and multiples",
        [SHIRTS_THEN_MUGS, rules("multiples 5", "items eq 4 @1", "items lte 0 @2")],
        ["error totals-contradict limitRules.0"],
    ),
    Case(
        "a section that may be hidden",
        [SHIRTS_THEN_MUGS, rules("items lte 3", "items gte 2 @1", "items gte 2 @2"), HIDING],
    ),
    Case(
        "required products besides sections",
        [SHIRTS_THEN_MUGS, rules("items lte 2", "items gte 2 @2"), SHIRT.replace("100", "200")],
    ),
    Case("too heavy", [rules("weight lt 0.2")], ["error weight-unreachable limitRules.0"]),
    Case("light enough", [rules("weight lte 0.2")]),
    Case("too light", [rules("weight gt 70")], ["error weight-unreachable limitRules.0"]),
    Case("heavy enough", [rules("weight gte 70")]),
    Case("too dear", [rules("full-price lt 8.00")], ["error price-unreachable limitRules.0"]),
    Case("cheap enough", [rules("full-price lte 8.00")]),
    Case(
        "too dear with what is required",
        [rules("full-price lt 20.00"), SHIRT],
        ["error price-unreachable limitRules.0"],
    ),
    Case("cheap enough with what is required", [rules("full-price lte 20.00"), SHIRT]),
    Case("too cheap", [rules("full-price gt 5000")], ["error price-unreachable limitRules.0"]),
    Case("dear enough", [rules("full-price gte 5000")]),
]

TEN_PERCENT = "discount: {type: percentage, value: 10}"
HALF_BY_SUBSCRIPTION = "subscription: {groups: [{id: 1, options: [{frequency: 1, unit: month, discount: 50}]}]}"
FOR_THIRTY = "discount: {type: price, value: 30}"
FOR_THIRTY_IN_FOURS = "discount: {type: price, tiers: [{type: total_products, operation: gte, value: 4, discount: 30}]}"


def adding_up(one: str, other: str) -> str:
    """Build a discount with two cumulative tiers."""
    return (
        "discount: {type: percentage, operator: cumulative, tiers: ["
        f"{{type: total_products, operation: gte, value: 1, discount: {one}}}, "
        f"{{type: total_price, operation: gte, value: 8, discount: {other}}}]}}"
    )


def required(product_id: int, quantity: int = 1, variant_ids: str = "") -> str:
    return f"{{platformProductId: {product_id}, quantity: {quantity}, variantIds: [{variant_ids}]}}"


DISCOUNTED = [
    Case(
        "ten percent off the cheapest", [rules("price lt 7.20"), TEN_PERCENT], ["error price-unreachable limitRules.0"]
    ),
    Case("ten percent off, cheap enough", [rules("price lte 7.20"), TEN_PERCENT]),
    Case("no discount, too dear", [rules("price lte 7.99")], ["error price-unreachable limitRules.0"]),
    Case("a subscription may take more off", [rules("price lte 4.00"), HALF_BY_SUBSCRIPTION]),
    Case(
        "a subscription takes no more",
        [rules("price lte 3.99"), HALF_BY_SUBSCRIPTION],
        ["error price-unreachable limitRules.0"],
    ),
    Case(
        "a price for the bundle is all that it costs",
        [rules("price gt 30", "items gte 4"), FOR_THIRTY],
        ["error price-unreachable limitRules.0"],
    ),
    Case("a price for the bundle", [rules("price gte 30", "items gte 4"), FOR_THIRTY]),
    Case(
        "a price for the bundle from a minimum on",
        [rules("price gt 30", "items gte 4"), "discount: {type: price, value: 30, minimum: 60}"],
    ),
    Case("tiers may not hold", [rules("price gt 30", "items gte 5"), FOR_THIRTY_IN_FOURS]),
    Case("tiers that add up", [rules("price lt 4"), adding_up("30", "20.1")]),
    Case(
        "tiers that add up to too little",
        [rules("price lt 4"), adding_up("30", "20")],
        ["error price-unreachable limitRules.0"],
    ),
]

REQUIRED = [
    Case(
        "more than may be of one product",
        [f"requiredProducts: [{required(100, 2)}]", rules("each lte 1")],
        ["error required-out-of-bounds requiredProducts.0"],
    ),
    Case("as many as may be of one product", [f"requiredProducts: [{required(100, 2)}]", rules("each lte 2")]),
    Case("variants of a product add up", [f"requiredProducts: [{required(100, 2)}]", rules("each-variant lte 1")]),
    Case(
        "more than a selection holds",
        [f"requiredProducts: [{required(100, 201)}]"],
        ["error required-out-of-bounds requiredProducts.0"],
    ),
    Case("as many as a selection holds", [f"requiredProducts: [{required(100, 200)}]"]),
    Case(
        "more than the bundle allows",
        [f"requiredProducts: [{required(100, 2)}, {required(200)}]", rules("items lte 2")],
        ["error required-out-of-bounds requiredProducts"],
    ),
    Case(
        "as many as the bundle allows",
        [f"requiredProducts: [{required(100, 2)}, {required(200)}]", rules("items lte 3")],
    ),
    Case(
        "one unit may count twice",
        [f"requiredProducts: [{required(100, variant_ids='1001')}, {required(100)}]", rules("items lte 1")],
    ),
    Case(
        "more products than may differ",
        [f"requiredProducts: [{required(100)}, {required(200)}]", rules("different lte 1")],
        ["error amounts-contradict limitRules.0"],
    ),
    Case(
        "too heavy with what is required",
        [f"requiredProducts: [{required(200, 2)}]", rules("weight lt 0.7")],
        ["error weight-unreachable limitRules.0"],
    ),
    Case("light enough with what is required", [f"requiredProducts: [{required(200, 2)}]", rules("weight lte 0.7")]),
]


@pytest.mark.parametrize("case", SECTIONS, ids=str)
def test_rules_of_a_section(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", WHOLE, ids=str)
def test_rules_of_the_whole_bundle(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", DISCOUNTED, ids=str)
def test_rules_about_the_discounted_price(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", REQUIRED, ids=str)
def test_rules_and_required_products(case: Case) -> None:
    assert_found(case)


def test_a_market_with_lower_prices_can_make_a_rule_hold() -> None:
    rule = rules("full-price lt 8.00")
    market = "{countryCode: PL, currency: PLN, exchangeRate: 4, priceAdjustment: %s}"
    assert found(shop(rule, markets=market % -10)) == []
    assert "error price-unreachable limitRules.0" in found(shop(rule, markets=market % 10))


def test_products_of_a_live_platform_are_unknown() -> None:
    assert (
        found(
            live(
                rules(
                    "weight lt 0.001",
                    "price gt 100000",
                    "each-variant lte 1",
                    "items gte 9",
                )
            )
        )
        == []
    )
    assert found(live(rules("different gte 3"))) == ["error too-few-products limitRules.0"]
    assert found(live(rules("each lte 2", "items gte 5"))) == ["error amounts-contradict limitRules.0"]
