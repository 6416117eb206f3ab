"""Findings about parts of a native bundle that make its discount valid in one market only."""

import pytest

from tests.shop_file.lint.linted import (
    Case,
    action,
    condition,
    country,
    discount_action,
    live,
    nodes,
    noted,
    rules,
    shop,
)
from tests.shop_file.lint.test_discounts import flat, tiered

MARKET = "{countryCode: CH, currency: CHF, exchangeRate: 1}"
MANY_ITEMS = condition("c", "total-products", "gte", "3")
MUCH = condition("c", "total-price", "gte", "30")


def _note(path: str) -> list[str]:
    return [f"note bound-to-a-market {path}"]


CASES = [
    Case("no discount", []),
    Case("a percentage", [flat("percentage", "10")]),
    Case("tiers on items", [tiered("percentage", "items gte 2: 10", "bulk gte 3: 15")]),
    Case("a percentage from a number of items", [nodes(MANY_ITEMS, discount_action("a", "c"))]),
    Case("an amount", [flat("fixed", "3")], _note("discount.type")),
    Case("a price", [flat("price", "5")], _note("discount.type")),
    Case("a minimum", [flat("percentage", "10", "20")], _note("discount.minimum")),
    Case(
        "a tier on the amount", [tiered("percentage", "items gte 2: 5", "amount gte 30: 10")], _note("discount.tiers.1")
    ),
    Case(
        "tiers that are not read",
        [
            flat("percentage", "10").replace(
                "}", ", flatOrTiered: flat, tiers: [{type: total_price, operation: gte, value: 9, discount: 5}]}"
            )
        ],
    ),
    Case("a discount in one country", [nodes(country("c", "CH"), discount_action("a", "c"))], _note("conditions.0")),
    Case("a discount from an amount", [nodes(MUCH, discount_action("a", "c"))], _note("conditions.0")),
    Case(
        "an amount from a number of items",
        [nodes(MANY_ITEMS, discount_action("a", "c", "fixed", "3"))],
        _note("conditions.1.discount.type"),
    ),
    Case("a free item", [nodes(MANY_ITEMS, action("a", "free-item", "c", variantId=2001))], _note("conditions.1")),
    Case(
        "a country that is blocked",
        [nodes(country("c", "CH"), action("a", "block-cart", "c", text="No"))],
        _note("conditions.0"),
    ),
    Case("a message in one country", [nodes(country("c", "CH"), action("a", "message", "c", text="Hello"))]),
    Case("a rule on the price", [rules("price lte 50")], _note("limitRules.0")),
    Case("a rule on the number of items", [rules("items lte 5")]),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_binds_a_discount_to_a_market(case: Case) -> None:
    assert noted(shop(*case.parts, markets=MARKET)) == list(case.findings)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_shop_without_markets_has_no_notes(case: Case) -> None:
    assert noted(shop(*case.parts)) == []


def test_ghost_variants_have_the_price_of_each_market() -> None:
    assert noted(shop(flat("fixed", "3"), markets=MARKET, kind="multiple-products")) == []


def test_a_condition_on_the_country_shows_that_a_live_shop_has_markets() -> None:
    in_one_country = nodes(country("c", "CH"), discount_action("a", "c"))
    assert noted(live(flat("fixed", "3"))) == []
    assert noted(live(flat("fixed", "3"), in_one_country)) == _note("discount.type") + _note("conditions.0")


def test_conditions_without_the_feature_are_not_noted() -> None:
    parts = nodes(country("c", "CH"), discount_action("a", "c"))
    assert noted(shop(parts, markets=MARKET, features="")) == []
