"""Carts that were once charged too little or too much, each tested against amounts calculated by hand."""

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import NamedTuple

import pytest

from tests.promises.checkout import charges
from tests.promises.markets import Json
from tests.promises.purchases import Plan, Purchase, honest
from tests.promises.shoppers import Bought, Shoppers, Wish
from tests.promises.shops import KINDS, random_shop
from tests.promises.trial import Trial

OWN: Json = {"minimum": None, "flatOrTiered": "flat", "operator": None, "tiers": [], "value": "0.00"}
TEN_OFF = OWN | {"type": "fixed", "value": "10.00"}
FROM_15 = OWN | {
    "type": "percentage",
    "flatOrTiered": "tiered",
    "tiers": [{"type": "total_price", "operation": "gte", "value": "15.00", "discount": "50.00"}],
}
TWENTY_FOR_ALL = OWN | {"type": "price", "value": "20.00"}
TEN_PERCENT = OWN | {"type": "percentage", "value": "10.00"}
NOTHING_OFF = OWN | {"type": "percentage", "value": "0.00"}
ALL_OFF = OWN | {"type": "percentage", "value": "100.00"}
IN_SWEDEN: list[Json] = [
    {"id": "c", "kind": "condition", "type": "country", "operation": "eq", "value": "SE"},
    {
        "id": "a",
        "kind": "action",
        "type": "discount",
        "when": "c",
        "discount": {"type": "percentage", "value": "60.00"},
    },
]
NOT_IN_SWEDEN: list[Json] = [
    IN_SWEDEN[0],
    {"id": "g", "kind": "group", "mode": "none", "children": ["c"]},
    IN_SWEDEN[1] | {"when": "g"},
]
CHF_18 = {"CH": ("CHF", "0.94", "18.00")}
USD_20 = {"US": ("USD", "1.10", "20.00"), "JP": ("JPY", "160", "1920")}
DEAR = {"CH": ("CHF", "0.94", "94.00"), "US": ("USD", "1.10", "30.00")}
SWEDEN = {"SE": ("EUR", "1", "12.00")}
KUWAIT = {"KW": ("KWD", "0.3326", "0.01")}


class Row(NamedTuple):
    """An example: the discount and conditions of a bundle that costs 12.00 EUR in the shop's currency; the markets with their
    prices; where the bundle is configured and where it is bought; the charge there, and what configuring it there would
    promise."""

    name: str
    discount: Json
    conditions: list[Json]
    markets: dict[str, tuple[str, str, str]]
    configured: str | None
    country: str
    charged: str
    promised: str


ROWS = [
    Row("an amount in a dear market", TEN_OFF, [], CHF_18, None, "CH", "18.00", "8.60"),
    Row("an amount where it was configured", TEN_OFF, [], CHF_18, "CH", "CH", "8.60", "8.60"),
    Row("a tier that one market reaches", FROM_15, [], USD_20, "US", "JP", "1920", "1920"),
    Row("a tier where it was configured", FROM_15, [], USD_20, "US", "US", "10.00", "10.00"),
    Row("a price made for a dear market", TWENTY_FOR_ALL, [], DEAR, "CH", "US", "30.00", "22.00"),
    Row("a condition on the country", NOTHING_OFF, IN_SWEDEN, SWEDEN, "SE", "IS", "12.00", "12.00"),
    Row("no country, where a condition names it", TEN_PERCENT, NOT_IN_SWEDEN, SWEDEN, None, "SE", "12.00", "10.80"),
    Row("a percentage, in another market", TEN_PERCENT, [], CHF_18, None, "CH", "16.20", "16.20"),
    Row("a percentage, at home", TEN_PERCENT, [], CHF_18, "CH", "IS", "10.80", "10.80"),
    Row("all of an amount with three decimals", ALL_OFF, [], KUWAIT, "KW", "KW", "0", "0"),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
async def test_a_promise_in_a_market(trial: Trial, row: Row) -> None:
    shoppers = await _shop(trial, "12.00", row.discount, row.conditions, row.markets)
    bought = await shoppers.configure(_wish(shoppers.file), row.configured)
    purchase = replace(honest(shoppers.file, row.configured, [bought], shoppers.config), country=row.country)

    there = purchase.promise(bought)
    assert there is not None
    assert there.market.discounted == Fraction(row.promised)
    assert _charged(purchase, bought) == {Fraction(row.charged)}


async def test_a_merge_into_another_variant(trial: Trial) -> None:
    shoppers = await _shop(trial, "12.00", TEN_PERCENT, [], {})
    bought = await shoppers.configure(_wish(shoppers.file), None)
    purchase = honest(shoppers.file, None, [bought], shoppers.config)

    assert _charged(purchase, bought) == {Fraction("10.80")}
    assert _charged(replace(purchase, parents={bought.id: 9002}), bought) == {12}


@pytest.mark.parametrize(
    ("price", "count", "months", "charged"),
    [
        ("0.10", 12, 2, "1.14"),  # 5%: each 0.095 is rounded back to 0.10
        ("0.10", 1, 2, "0.09"),  # 0.10 - 0.005, which is rounded to 0.01
        ("0.03", 20, 3, "0.52"),  # 12.5%: 0.60 - 0.08, rounded up from 0.075
        ("0.11", 12, 2, "1.20"),  # 0.1045 is rounded to 0.10: the lines cost less than the promised 1.25
        ("9.99", 2, 2, "18.98"),
        ("9.99", 2, 1, "19.98"),  # a plan of 0%
    ],
)
async def test_a_plan_whose_rounded_price_is_the_original(
    trial: Trial, price: str, count: int, months: int, charged: str
) -> None:
    shoppers = await _shop(trial, price, NOTHING_OFF, [], {})
    bought = await shoppers.configure(_wish(shoppers.file, count, months), None)
    purchase = honest(shoppers.file, None, [bought], shoppers.config)

    assert _charged(purchase, bought) == {Fraction(charged)}


async def test_every_plan_price_of_small_amounts(trial: Trial) -> None:
    """A subscriber pays the promised price, or the total of the lines as rounded under the plan if that is less."""
    for cents in range(1, 21):
        shoppers = await _shop(trial, f"{cents / 100:.2f}", TEN_PERCENT, [], {}, f"cents-{cents}")
        for count in (1, 7, 12):
            bought = await shoppers.configure(_wish(shoppers.file, count, 2), None)
            lines = _half_up(Fraction(cents * 95, 100)) * count
            left = cents * count - _half_up(Fraction(cents * count, 10))
            promised = left - _half_up(Fraction(left * 5, 100))
            purchase = honest(shoppers.file, None, [bought], shoppers.config)
            assert _charged(purchase, bought) == {Fraction(min(lines, promised), 100)}, (cents, count)


def _half_up(cents: Fraction) -> int:
    return int(cents + Fraction(1, 2))


async def test_a_plan_on_a_neighbour(trial: Trial) -> None:
    """With a selling plan on a line outside the bundles, no bundle in the cart is merged. The charge is the same as with a
    merge."""
    shoppers = await _shop(trial, "9.99", TEN_PERCENT, [], {})
    bought = await shoppers.configure(_wish(shoppers.file, 3), None)
    purchase = replace(honest(shoppers.file, None, [bought], shoppers.config), neighbours=1, beside=True)

    assert _charged(purchase, bought) == {Fraction("26.97")}


async def test_a_plan_that_was_not_configured_is_no_subscription(trial: Trial) -> None:
    """A bundle that is configured with a plan but bought without it costs the one-time price, even if another line has a plan."""
    shoppers = await _shop(trial, "0.10", NOTHING_OFF, [], {})
    bought = await shoppers.configure(_wish(shoppers.file, 12, 2), None)
    purchase = replace(honest(shoppers.file, None, [bought], shoppers.config), neighbours=1, beside=True)

    assert _charged(replace(purchase, plans={}), bought) == {Fraction("1.20")}


async def test_another_plan_in_another_market(trial: Trial) -> None:
    """In a purchase with a selling plan, a percentage discount is valid only in the market for which the bundle was configured:
    elsewhere the function cannot know how much the plan reduces the price."""
    shoppers = await _shop(trial, "10.00", TEN_PERCENT, [], {"CH": ("CHF", "1", "10.00")})
    bought = await shoppers.configure(_wish(shoppers.file, 1, 2), None)
    purchase = honest(shoppers.file, None, [bought], shoppers.config)

    half = replace(purchase, country="CH", plans={bought.id: Plan(Fraction(50))})
    assert _charged(half, bought) == {5}


async def _shop(
    trial: Trial,
    price: str,
    discount: Json,
    conditions: list[Json],
    markets: dict[str, tuple[str, str, str]],
    handle: str = "examples",
) -> Shoppers:
    """Load a shop with one bundle. Variant 1001 costs `price`. Each market has its own currency, its own exchange rate, and its
    own price for that variant."""
    file = random_shop(Random(0), handle, "EUR")
    for product in file["products"]:
        for variant in product["variants"]:
            if variant["id"] == "1001":
                variant["price"] = price
    file["markets"] = [
        {
            "countryCode": country,
            "currency": currency,
            "exchangeRate": rate,
            "priceAdjustment": "0",
            "prices": {"1001": there},
            "unavailableVariantIds": [],
        }
        for country, (currency, rate, there) in markets.items()
    ]
    bundle = file["bundles"][list(KINDS).index("percentage")]
    file["bundles"] = [bundle | {"discount": discount, "conditions": conditions}]
    return await trial.shoppers(file)


def _wish(file: Json, count: int = 1, months: int | None = None) -> Wish:
    return Wish(file["bundles"][0], {1001: count}, months)


def _charged(purchase: Purchase, bought: Bought) -> set[Fraction]:
    """Return the possible charges for the bundle, one for each interpretation of the platform's rules."""
    return {charge.bundles[bought.id] for charge in charges(purchase.cart())}
