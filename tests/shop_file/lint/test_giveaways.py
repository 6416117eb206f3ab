"""Findings about discounts that take off the whole price, and about set prices that are not below it."""

import pytest

from tests.shop_file.lint.linted import (
    PRODUCTS,
    SHIRTS_THEN_MUGS,
    TEA,
    Case,
    action,
    assert_found,
    condition,
    discount_action,
    found,
    lint,
    live,
    nodes,
    rules,
    shop,
)
from tests.shop_file.lint.test_discounts import flat, tiered

ALL = ["error discount-takes-all discount"]
MEANT = ["warning discount-takes-all discount"]
ABOVE = ["warning price-above-cheapest discount"]
AT_LEAST_2 = rules("items gte 2")
AT_LEAST_3 = condition("c", "total-products", "gte", "3")

TAKES_ALL = [
    Case("as much as the cheapest", [flat("fixed", "8.00")], ALL),
    Case("less than the cheapest", [flat("fixed", "7.99")]),
    Case("as much as two", [AT_LEAST_2, flat("fixed", "16.00")], ALL),
    Case("less than two", [AT_LEAST_2, flat("fixed", "15.99")]),
    Case("only from a minimum on", [flat("fixed", "8.00", "8.01")]),
    Case("from a minimum that is reached", [flat("fixed", "20.00", "8.01")], ALL),
    Case("with what is required", [flat("fixed", "20.00"), "requiredProducts: [{platformProductId: 100}]"], ALL),
    Case("less than what is required", [flat("fixed", "19.99"), "requiredProducts: [{platformProductId: 100}]"]),
    Case("with what a section needs", [SHIRTS_THEN_MUGS, rules("items gte 1 @1"), flat("fixed", "20.00")], ALL),
    Case("less than what a section needs", [SHIRTS_THEN_MUGS, rules("items gte 1 @1"), flat("fixed", "19.99")]),
    Case("of different products", [rules("different gte 2"), flat("fixed", "28.00")], ALL),
    Case("less than different products", [rules("different gte 2"), flat("fixed", "27.99")]),
    Case("one of each variant", [rules("each-variant lte 1", "items gte 2"), flat("fixed", "28.00")], ALL),
    Case("out of stock", [TEA, rules("items gte 3"), flat("fixed", "15.00")], ["error bundle-out-of-stock"]),
    Case("all percent", [flat("percentage", "100")], MEANT),
    Case("nearly all percent", [flat("percentage", "99.99")]),
    Case("a price of nothing", [flat("price", "0")], MEANT),
    Case("a price of a cent", [flat("price", "0.01")]),
    Case("a tier", [tiered("fixed", "items gte 3: 24")], ALL),
    Case("a smaller tier", [tiered("fixed", "items gte 3: 23.99")]),
    Case("tiers that add up", [tiered("percentage", "items gte 2: 60", "items gte 3: 40", operator="cumulative")], ALL),
    Case(
        "tiers that do not add up to all",
        [tiered("percentage", "items gte 2: 60", "items gte 3: 39.9", operator="cumulative")],
    ),
    Case("a tier of all percent", [tiered("percentage", "items gte 3: 100")], MEANT),
]

SETS_A_PRICE = [
    Case("above the cheapest", [flat("price", "8.01")], ABOVE),
    Case("as the cheapest", [flat("price", "8.00")], ABOVE),
    Case("below the cheapest", [flat("price", "7.99")]),
    Case("from a minimum on", [flat("price", "8.01", "8.01")]),
    Case("above a minimum", [flat("price", "20", "16")], ABOVE),
    Case("above two", [AT_LEAST_2, flat("price", "16")], ABOVE),
    Case("below two", [AT_LEAST_2, flat("price", "15.99")]),
    Case("a tier above its cheapest", [tiered("price", "items gte 3: 24")], ABOVE),
    Case("a tier below its cheapest", [tiered("price", "items gte 3: 23.99")]),
]

GRAPH = [
    Case(
        "takes all",
        [nodes(AT_LEAST_3, discount_action("a", "c", "fixed", "24"))],
        ["error discount-takes-all conditions.1.discount"],
    ),
    Case("takes less", [nodes(AT_LEAST_3, discount_action("a", "c", "fixed", "23.99"))]),
    Case(
        "takes all percent",
        [nodes(AT_LEAST_3, discount_action("a", "c", "percentage", "100"))],
        ["warning discount-takes-all conditions.1.discount"],
    ),
    Case(
        "a price above",
        [nodes(AT_LEAST_3, discount_action("a", "c", "price", "24"))],
        ["warning price-above-cheapest conditions.1.discount"],
    ),
    Case("a price below", [nodes(AT_LEAST_3, discount_action("a", "c", "price", "23.99"))]),
    Case(
        "nothing, so that the bundle's own does not apply",
        [flat("fixed", "8"), nodes(discount_action("a", None, "fixed", "0"))],
    ),
    Case(
        "its own where none fires",
        [flat("fixed", "8"), nodes(AT_LEAST_3, discount_action("a", "c", "fixed", "1"))],
        ALL,
    ),
    Case("free units alone", [TEA, flat("fixed", "4.99"), nodes(action("a", "free-item", variantId=3001))]),
    Case(
        "blocked",
        [
            flat("fixed", "8"),
            nodes(condition("c", "total-price", "lt", "20"), action("a", "block-cart", "c", text="No")),
        ],
    ),
]


@pytest.mark.parametrize("case", TAKES_ALL, ids=str)
def test_discounts_that_take_off_the_whole_price(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", SETS_A_PRICE, ids=str)
def test_discount_prices_above_the_cheapest_selection(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", GRAPH, ids=str)
def test_discounts_of_conditions(case: Case) -> None:
    assert_found(case)


def test_the_message_shows_the_selection() -> None:
    (finding,) = lint(shop(rules("different gte 2", "items gte 3"), flat("fixed", "40")))
    assert finding.message == (
        "A selection of 2 x 'Mug', 1 x 'Shirt (S)' for 36.00 EUR can be bought, and the discount takes off the whole price."
    )


def test_a_selection_that_costs_nothing_is_no_example() -> None:
    free = PRODUCTS.replace("price: 20.00", "price: 0.00").replace("price: 25.00", "price: 0.00")
    sections = "sections: [{id: 1, products: [{bundleItemId: 1, platformProductId: 100}]}]"
    assert found(shop(sections, flat("fixed", "8"), products=free)) == []


def test_a_bundle_sold_by_subscription_only() -> None:
    monthly = "subscription: {mode: required, groups: [{id: 1, options: [{frequency: 1, unit: month, discount: 100}]}]}"
    assert found(shop(flat("fixed", "8"), monthly)) == ALL
    assert found(shop(flat("fixed", "7.99"), monthly)) == []


def test_a_product_that_nobody_can_personalise_is_no_example() -> None:
    unanswerable = "personalisation: {200: [{key: k, type: dropdown, required: true}]}"
    assert found(shop(flat("fixed", "8"), unanswerable)) == ["warning field-without-options personalisation.200.0"]


def test_prices_of_a_live_platform_are_unknown() -> None:
    assert found(live(flat("fixed", "1000000"))) == found(live(flat("percentage", "100"))) == []
