"""Findings about a bundle's own discount, its minimum and its tiers."""

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

AT_MOST_2 = rules("items lte 2")  # max total 50 EUR


def flat(type_: str, value: str, minimum: str = "null") -> str:
    return f"discount: {{type: {type_}, value: {value}, minimum: {minimum}}}"


def tiered(type_: str, *tiers: str, operator: str = "max", minimum: str = "null") -> str:
    """Build a tiered discount. Each tier is given in a short form such as "items gte 3: 10"."""
    return (
        f"discount: {{type: {type_}, flatOrTiered: tiered, operator: {operator}, minimum: {minimum}, "
        f"tiers: [{', '.join(map(_tier, tiers))}]}}"
    )


def _tier(written: str) -> str:
    measure, operation, value, discount = written.replace(":", "").split()
    type_ = {"items": "total_products", "bulk": "bulk_buy", "amount": "total_price"}[measure]
    return f"{{type: {type_}, operation: {operation}, value: '{value}', discount: {discount}}}"


NEVER_REACHED = ["warning tier-never-reached discount.tiers.1"]
NEVER_WINS = ["warning tier-never-wins discount.tiers.1"]

FLAT = [
    Case("nothing", [flat("percentage", "0")], ["warning discount-takes-nothing discount.value"]),
    Case("something", [flat("percentage", "0.01")]),
    Case("a fixed nothing", [flat("fixed", "0.00")], ["warning discount-takes-nothing discount.value"]),
    Case(
        "a price above all",
        [AT_MOST_2, flat("price", "50")],
        ["warning discount-takes-nothing discount.value", "warning price-above-cheapest discount"],
    ),
    Case("a price that helps", [AT_MOST_2, flat("price", "49.99", "49.99")]),
    Case(
        "tiers that are not read",
        [tiered("percentage", "bulk gte 2: 10").replace("Tiered: tiered", "Tiered: flat, value: 5")],
        ["warning tiers-not-read discount.tiers"],
    ),
    Case("tiered without tiers", [tiered("percentage")], ["warning discount-takes-nothing discount"]),
    Case(
        "a minimum above all",
        [AT_MOST_2, flat("percentage", "10", "50.01")],
        ["warning minimum-never-reached discount.minimum"],
    ),
    Case("a minimum that is reached", [AT_MOST_2, flat("percentage", "10", "50.00")]),
    Case(
        "a minimum that the rules forbid",
        [rules("full-price lt 30"), flat("percentage", "10", "30")],
        ["warning minimum-never-reached discount.minimum"],
    ),
    Case("a minimum that the rules allow", [rules("full-price lte 30"), flat("percentage", "10", "30")]),
]

REACHED = [
    Case(
        "more items than allowed",
        [rules("items lte 5"), tiered("percentage", "items gte 5: 5", "items gte 6: 10")],
        NEVER_REACHED,
    ),
    Case("as many items as allowed", [rules("items lt 7"), tiered("percentage", "items gte 5: 5", "items gte 6: 10")]),
    Case(
        "fewer items than needed",
        [rules("items gte 3"), tiered("percentage", "items gte 3: 5", "items lt 3: 10")],
        NEVER_REACHED,
    ),
    Case(
        "no such multiple",
        [rules("multiples 3"), tiered("percentage", "items eq 6: 5", "items eq 7: 10")],
        NEVER_REACHED,
    ),
    Case("more than 200 items", [tiered("percentage", "items eq 200: 5", "items gt 200: 10")], NEVER_REACHED),
    Case(
        "sections allow fewer",
        [
            SHIRTS_THEN_MUGS,
            rules("items lte 2 @1", "items lte 2 @2"),
            tiered("percentage", "items gte 4: 5", "items gte 5: 10"),
        ],
        NEVER_REACHED,
    ),
    Case(
        "more of one product than allowed",
        [rules("each lte 2"), tiered("percentage", "bulk gte 2: 5", "bulk gte 3: 10")],
        NEVER_REACHED,
    ),
    Case(
        "as many of one product as items",
        [rules("items lte 3"), tiered("percentage", "bulk gte 3: 5", "bulk gte 4: 10")],
        NEVER_REACHED,
    ),
    Case(
        "4 items of 2 products are 2 of one",
        [rules("items gte 4"), tiered("percentage", "bulk lte 2: 5", "bulk lt 2: 10")],
        NEVER_REACHED,
    ),
    Case(
        "more than items can cost",
        [AT_MOST_2, tiered("percentage", "amount gte 50: 5", "amount gt 50: 10")],
        NEVER_REACHED,
    ),
    Case(
        "less than items cost",
        [rules("items gte 2"), tiered("percentage", "amount lte 16: 5", "amount lt 16: 10")],
        NEVER_REACHED,
    ),
    Case(
        "less than the minimum",
        [tiered("percentage", "amount lte 30: 5", "amount lt 30: 10", minimum="30")],
        NEVER_REACHED,
    ),
    Case(
        "too few items for the minimum",
        [tiered("percentage", "items lte 2: 5", "items lte 1: 10", minimum="26")],
        NEVER_REACHED,
    ),
    Case("enough items for the minimum", [tiered("percentage", "items lte 1: 10", "items lte 2: 5", minimum="25")]),
]

WINNING = [
    Case("less for more", [tiered("percentage", "items gte 2: 10", "items gte 3: 5")], NEVER_WINS),
    Case("more for more", [tiered("percentage", "items gte 2: 10", "items gte 3: 15")]),
    Case("less for fewer", [tiered("percentage", "items gte 3: 10", "items gte 2: 5")]),
    Case("the same for more", [tiered("percentage", "items gte 2: 10", "items gte 3: 10")], NEVER_WINS),
    Case(
        "the same for fewer",
        [tiered("percentage", "items gte 3: 10", "items gte 2: 10")],
        ["warning tier-never-wins discount.tiers.0"],
    ),
    Case("the same twice", [tiered("percentage", "items gte 3: 10", "items gt 2: 10")], NEVER_WINS),
    Case("adding up", [tiered("percentage", "items gte 2: 10", "items gte 3: 5", operator="cumulative")]),
    Case("no operator", [tiered("fixed", "items gte 2: 5", "items gte 3: 4", operator="null")], NEVER_WINS),
    Case(
        "a higher price for more",
        [rules("items gte 3"), tiered("price", "items gte 3: 20", "items gte 4: 22")],
        NEVER_WINS,
    ),
    Case(
        "a higher price for more, adding up",
        [rules("items gte 3"), tiered("price", "items gte 3: 20", "items gte 4: 22", operator="cumulative")],
        NEVER_WINS,
    ),
    Case("a lower price for more", [rules("items gte 3"), tiered("price", "items gte 3: 20", "items gte 4: 19")]),
    Case("of one product means at all", [tiered("percentage", "items gte 3: 10", "bulk gte 3: 5")], NEVER_WINS),
    Case("at all does not mean of one product", [tiered("percentage", "bulk gte 3: 10", "items gte 3: 5")]),
    Case(
        "at all means of one product, of two",
        [rules("items gte 5"), tiered("percentage", "bulk gte 3: 10", "items gte 5: 5")],
        NEVER_WINS,
    ),
    Case("items mean an amount", [tiered("percentage", "amount gte 24: 10", "items gte 3: 5")], NEVER_WINS),
    Case("items do not mean an amount", [tiered("percentage", "amount gt 24: 10", "items gte 3: 5")]),
    Case("an amount means items", [tiered("percentage", "items gte 3: 10", "amount gt 50: 5")], NEVER_WINS),
    Case("an amount does not mean items", [tiered("percentage", "items gte 3: 10", "amount gte 50: 5")]),
    Case(
        "always, by the rules",
        [rules("items gte 3"), tiered("percentage", "items gte 2: 10", "amount lte 30: 5")],
        NEVER_WINS,
    ),
    Case(
        "nothing",
        [tiered("percentage", "items gte 2: 10", "items gte 3: 0")],
        ["warning discount-takes-nothing discount.tiers.1"],
    ),
    Case(
        "a price above all",
        [AT_MOST_2, tiered("price", "items eq 2: 15.99", "items eq 1: 25")],
        ["warning discount-takes-nothing discount.tiers.1", "warning price-above-cheapest discount"],
    ),
]


@pytest.mark.parametrize("case", FLAT, ids=str)
def test_a_flat_discount(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", REACHED, ids=str)
def test_tiers_that_are_never_reached(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", WINNING, ids=str)
def test_tiers_that_never_win(case: Case) -> None:
    assert_found(case)


def test_prices_of_a_live_platform_are_unknown() -> None:
    assert found(live(rules("items lte 2"), flat("price", "999999", "99999999"))) == []
    tiers = tiered("percentage", "amount gte 100000: 5", "items gte 3: 1", "items gte 4: 0.5")
    assert found(live(tiers)) == ["warning tier-never-wins discount.tiers.2"]


def test_the_product_of_a_free_item_on_a_live_platform_is_unknown() -> None:
    one_variant = "sections: [{id: 1, products: [{bundleItemId: 1, platformProductId: 100, variantIds: [1001]}]}]"
    parts = (one_variant, rules("each-variant lte 2"), tiered("percentage", "bulk gte 2: 5", "bulk gte 3: 10"))
    free = nodes(condition("c", "total-products", "gte", "2"), action("a", "free-item", "c", variantId=7))
    assert found(live(*parts)) == NEVER_REACHED
    assert found(live(*parts, free)) == []


def test_prices_of_markets_count() -> None:
    market = "{countryCode: CH, currency: CHF, exchangeRate: 1, priceAdjustment: 10}"
    assert found(shop(AT_MOST_2, flat("percentage", "10", "55.00"), markets=market)) == []
    assert found(shop(AT_MOST_2, flat("percentage", "10", "55.01"), markets=market)) == [
        "warning minimum-never-reached discount.minimum"
    ]


def test_discounts_of_a_bundle_that_cannot_be_bought_are_not_checked() -> None:
    assert found(shop(rules("items gte 3", "each lte 1"), flat("percentage", "0"))) == [
        "error amounts-contradict limitRules.1"
    ]
