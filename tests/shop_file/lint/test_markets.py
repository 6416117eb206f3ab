"""Findings about markets in which a bundle cannot be bought."""

import pytest

from tests.shop_file.lint.linted import (
    SHIRTS_AND_MUGS,
    SHIRTS_THEN_MUGS,
    Case,
    action,
    country,
    found,
    nodes,
    rules,
    shop,
)

US = "{{countryCode: US, currency: USD, exchangeRate: 1, priceAdjustment: {adjustment}, unavailableVariantIds: [{gone}]}}"
OUT_OF_REACH = ["warning market-out-of-reach markets.0"]
SHIRT = "requiredProducts: [{platformProductId: 100}]"


@pytest.mark.parametrize(
    ("gone", "adjustment", "case"),
    [
        ("", 0, Case("everything is sold", [SHIRT])),
        ("1001", 0, Case("another variant is sold", [SHIRT])),
        ("1001, 1002", 0, Case("what is required is not sold", [SHIRT], OUT_OF_REACH)),
        ("1001, 1002", 0, Case("something else is sold", [SHIRTS_AND_MUGS])),
        ("1001, 1002, 2001", 0, Case("nothing is sold", [SHIRTS_AND_MUGS], OUT_OF_REACH)),
        ("2001", 0, Case("a section's minimum", [SHIRTS_THEN_MUGS, rules("items gte 1 @2")], OUT_OF_REACH)),
        ("2001", 0, Case("no minimum", [SHIRTS_THEN_MUGS, rules("items gte 1 @1")])),
        ("", 25, Case("cheap enough", [rules("full-price lte 10.00")])),
        ("", 26, Case("too dear", [rules("full-price lte 10.00")], OUT_OF_REACH)),
        ("", 26, Case("prices without a rule", [SHIRTS_AND_MUGS])),
        (
            "2001",
            0,
            Case(
                "cannot be bought anywhere",
                [SHIRTS_AND_MUGS, rules("full-price lte 5")],
                ["error price-unreachable limitRules.0"],
            ),
        ),
    ],
    ids=str,
)
def test_what_is_sold_in_a_market(gone: str, adjustment: int, case: Case) -> None:
    text = shop(*case.parts, markets=US.format(gone=gone, adjustment=adjustment))
    assert found(text) == list(case.findings)


def test_a_blocked_country_is_not_reported() -> None:
    markets = US.format(gone="1001, 1002, 2001", adjustment=0)
    assert found(shop(blocking("US"), markets=markets)) == []
    assert found(shop(blocking("CA"), markets=markets)) == OUT_OF_REACH


def blocking(code: str) -> str:
    return nodes(country("c", code), action("a", "block-cart", "c", text="Not there"))


def test_each_market_is_reported() -> None:
    markets = ", ".join(US.format(gone="1001, 1002, 2001", adjustment=0).replace("US", code) for code in ("US", "CA"))
    assert found(shop(markets=markets)) == [f"warning market-out-of-reach markets.{place}" for place in (0, 1)]
