"""The possible effects of rounding when the currency of the market differs from the shop's (docs/checkout.md#what-is-charged)."""

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.running.properties import examples

CENT, YEN = Decimal("0.01"), Decimal(1)
RATE = Decimal("162.5")
NOISE = Decimal("1e-9")
"""The rounding error of decimal numbers with 28 digits."""
AMOUNTS = st.lists(st.tuples(st.integers(1, 20_000), st.integers(1, 50)), min_size=1, max_size=6)
PARTS = st.decimals(0, 1, places=4)


def rounded(amount: Decimal, unit: Decimal) -> Decimal:
    return (amount / unit).quantize(Decimal(1), ROUND_HALF_UP) * unit


def charged(prices: list[tuple[Decimal, int]], original: Decimal, discounted: Decimal) -> Decimal:
    """The charge, in yen, for a cart with these prices, reduced by the percentage that follows from the amounts in the discount
    string."""
    percentage = (original - discounted) * 100 / original
    return rounded(sum(price * count for price, count in prices) * (100 - percentage) / 100, YEN)


def promise(prices: list[tuple[Decimal, int]], left: Decimal) -> tuple[Decimal, Decimal]:
    original = sum((price * count for price, count in prices), Decimal(0))
    return original, rounded(original * left, CENT)


@examples(200)
@given(units=AMOUNTS, left=PARTS)
def test_prices_of_the_market_in_the_promise(units: list[tuple[int, int]], left: Decimal) -> None:
    yen = [(Decimal(price), count) for price, count in units]
    home = [(max(rounded(price / RATE, CENT), CENT), count) for price, count in yen]
    original, discounted = promise(home, left)

    off = abs(charged(yen, original, discounted) - discounted * RATE)

    count = sum(count for _, count in units)
    assert off <= count * (discounted / original) * CENT * RATE / 2 + YEN / 2 + NOISE


@examples(200)
@given(units=AMOUNTS, left=PARTS)
def test_prices_of_the_shop_in_the_promise(units: list[tuple[int, int]], left: Decimal) -> None:
    home = [(price * CENT, count) for price, count in units]
    yen = [(rounded(price * RATE, YEN), count) for price, count in home]
    original, discounted = promise(home, left)

    off = abs(charged(yen, original, discounted) - discounted * RATE)

    count = sum(count for _, count in units)
    assert off <= count * (discounted / original) * YEN / 2 + YEN / 2 + NOISE


@pytest.mark.parametrize(
    ("yen", "original", "discounted", "expected", "bound"),
    [
        ([(1609, 2), (1008, 1)], "26.00", "24.70", 4015, 3 * Decimal("0.95") * CENT * RATE / 2),
        ([(161, 10)], "9.90", "7.90", 1285, 10 * Decimal("7.90") / Decimal("9.90") / 2),
        ([(3, 100)], "2.00", "1.00", 150, 100 * Decimal("0.5") / 2),
    ],
)
def test_examples_of_the_guide(
    yen: list[tuple[int, int]], original: str, discounted: str, expected: int, bound: Decimal
) -> None:
    prices = [(Decimal(price), count) for price, count in yen]

    assert charged(prices, Decimal(original), Decimal(discounted)) == expected
    assert abs(expected - Decimal(discounted) * RATE) <= bound + YEN / 2
