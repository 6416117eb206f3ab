"""The charges for subscribers, computed with fractions, without code from the service, the simulator or the function.

When a plan reduces prices, the platform rounds the price of each unit. The subscriber was promised the discounted price of the
whole selection less the plan's percentage, rounded once, and pays that amount, or the plan's own prices where these are already
lower.
"""

import json
from fractions import Fraction
from math import floor
from random import Random
from typing import Any

import pytest
from cryptography.fernet import Fernet

from tests.cart_transform.carts import Cart, Line, run_cart
from tests.cart_transform.module import DISCOUNT

KEY = Fernet.generate_key()
UNITS = {"EUR": 100, "CHF": 100, "JPY": 1, "KWD": 1000}
"""Minor units of each currency."""
DECIMALS = {"EUR": 2, "CHF": 2, "JPY": 0, "KWD": 3}


def half_up(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


def less(units: int, percentage: int) -> int:
    """Reduce an amount in minor units by a percentage; the reduction is rounded half up."""
    return units - half_up(Fraction(units * percentage, 100))


def written(units: int, currency: str) -> str:
    decimals = DECIMALS[currency]
    digits = f"{units:0{decimals + 1}d}"
    return f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits


def cart_of(prices: list[int], counts: list[int], discounted: int, plan: int, currency: str) -> Cart:
    """A cart whose lines have the plan's prices, and whose promise is based on the prices without the plan. All amounts are in
    minor units."""
    original = sum(price * count for price, count in zip(prices, counts, strict=True))
    claims: dict[str, Any] = {
        "v": 3, "shop": "demo", "bundle": 42, "bundleType": "native", "configured": 7, "parent": 9, "type": "fixed",
        "value": "1.00", "original": "1.00", "discounted": "1.00", "currency": "EUR", "anywhere": False,
        "market": {"country": "XX", "currency": currency, "original": original, "discounted": discounted},
        "variants": {str(index): count for index, count in enumerate(counts, 11)}, "fees": {},
        "subscription": {"group": 1, "frequency": 1, "unit": "week", "percentage": f"{plan}.00"},
        "unique": "f" * 32, "test": False, "iat": 1_800_000_000,
    }  # fmt: skip
    token = Fernet(KEY).encrypt(json.dumps(claims).encode()).decode()
    mark = {"_bundle_data": f"7#9#{'f' * 32}"}
    lines = [
        Line(str(index), index, count, written(half_up(Fraction(price * (100 - plan), 100)), currency), mark, True)
        for index, (price, count) in enumerate(zip(prices, counts, strict=True), 11)
    ]
    config = {"shop": "demo", "keys": [KEY.decode()]}
    return Cart(lines, json.dumps({"7": {"discount": token}}), config, currency, "1.0", country="XX")


def taken_off(cart: Cart, currency: str) -> int:
    """The total that the function takes off, in minor units."""
    candidates = [one for each in run_cart(cart, DISCOUNT) for one in each["productDiscountsAdd"]["candidates"]]
    amounts = [Fraction(one["value"]["fixedAmount"]["amount"]) * UNITS[currency] for one in candidates]
    assert all(amount.denominator == 1 for amount in amounts)
    return int(sum(amounts))


def cost(cart: Cart, currency: str) -> int:
    return int(sum(Fraction(line.unit_price) * line.quantity for line in cart.lines) * UNITS[currency])


@pytest.mark.parametrize(
    ("currency", "price", "count", "discounted", "plan", "charged"),
    [
        ("EUR", 10, 12, 120, 5, 114),  # each 0.095 is rounded back to 0.10: 1.20 in total instead of the promised 1.14
        ("EUR", 10, 12, 108, 5, 103),  # 5.4 cents off 1.08
        ("EUR", 10, 200, 2000, 5, 1900),
        ("EUR", 1000, 3, 2700, 5, 2565),
        ("JPY", 10, 12, 120, 5, 114),
        ("KWD", 10, 12, 108, 5, 103),
        ("KWD", 1255, 3, 0, 5, 0),
        ("EUR", 9, 12, 108, 50, 54),  # each 4.5 is rounded up to 5: 0.60 in total instead of the promised 0.54
        ("EUR", 999, 3, 2997, 0, 2997),
    ],
)
def test_subscribers_pay_what_they_were_promised(
    currency: str, price: int, count: int, discounted: int, plan: int, charged: int
) -> None:
    cart = cart_of([price], [count], discounted, plan, currency)

    assert cost(cart, currency) - taken_off(cart, currency) == charged


@pytest.mark.parametrize("currency", UNITS)
def test_any_subscriber_pays_the_promise_or_the_lower_plan_price(currency: str) -> None:
    random = Random(currency)
    for _ in range(150):
        counts = [random.choice([1, 2, 12, 60]) for _ in range(random.choice([1, 2, 4]))]
        prices = [random.choice([1, 9, 10, 30, 99, 1005, random.randrange(1, 5_000)]) for _ in counts]
        original = sum(price * count for price, count in zip(prices, counts, strict=True))
        discounted = random.choice([original, original * 9 // 10, random.randrange(original + 1)])
        plan = random.choice([1, 5, 10, 15, 33, 50])
        cart = cart_of(prices, counts, discounted, plan, currency)

        charged = cost(cart, currency) - taken_off(cart, currency)

        assert charged == min(less(discounted, plan), cost(cart, currency)), (prices, counts, discounted, plan)
