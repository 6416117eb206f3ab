"""The expected prices in a request are compared with the promised prices as numbers, in currencies with 0, 2 and 3 decimal
places."""

from decimal import Decimal

import pytest

from bundlesvc.domain.errors import PriceChanged
from bundlesvc.domain.expected_price import check_expected_price
from bundlesvc.domain.pricing.presentment import Presentment
from bundlesvc.domain.pricing.selection_price import Pricing
from bundlesvc.domain.selection import ExpectedPrice

EUROS = Pricing(Decimal("45.00"), Decimal("42.75"), "percentage", Decimal(5), "EUR")
YEN = Pricing(Decimal(1700), Decimal(1609), "percentage", Decimal(5), "JPY")
DINARS = Presentment(Decimal("9.380"), Decimal("8.442"), "KWD")
YEN_THERE = Presentment(Decimal(4031), Decimal(3628), "JPY")


@pytest.mark.parametrize(
    ("pricing", "presentment", "expected"),
    [
        (EUROS, None, ExpectedPrice()),
        (EUROS, None, ExpectedPrice("42.75")),
        (EUROS, None, ExpectedPrice("042.750")),
        (EUROS, None, ExpectedPrice("42.75", "42.75")),
        (YEN, None, ExpectedPrice("1609.00")),
        (YEN, None, ExpectedPrice("1609")),
        (EUROS, DINARS, ExpectedPrice("42.75", "8.442")),
        (EUROS, YEN_THERE, ExpectedPrice(presentment="3628")),
        (EUROS, YEN_THERE, ExpectedPrice(presentment="3628.00")),
    ],
)
def test_expected_prices_that_are_right(
    pricing: Pricing, presentment: Presentment | None, expected: ExpectedPrice
) -> None:
    check_expected_price(expected, pricing, presentment)


@pytest.mark.parametrize(
    ("pricing", "presentment", "expected", "found"),
    [
        (EUROS, None, ExpectedPrice("40.50"), [("expectedPrice", "40.50", "42.75")]),
        (EUROS, None, ExpectedPrice("42.755"), [("expectedPrice", "42.755", "42.75")]),
        (EUROS, None, ExpectedPrice(presentment="8.442"), [("expectedPresentment", "8.442", "42.75")]),
        (YEN, None, ExpectedPrice("16.09"), [("expectedPrice", "16.09", "1609.00")]),
        (EUROS, DINARS, ExpectedPrice("42.75", "8.44"), [("expectedPresentment", "8.44", "8.442")]),
        (EUROS, YEN_THERE, ExpectedPrice("42.75", "3629"), [("expectedPresentment", "3629", "3628")]),
        (EUROS, YEN_THERE, ExpectedPrice("1", "2"), [("expectedPrice", "1", "42.75"), ("expectedPresentment", "2", "3628")]),
    ],
)  # fmt: skip
def test_expected_prices_that_are_wrong(
    pricing: Pricing, presentment: Presentment | None, expected: ExpectedPrice, found: list[tuple[str, str, str]]
) -> None:
    with pytest.raises(PriceChanged) as raised:
        check_expected_price(expected, pricing, presentment)

    faults = raised.value.faults
    assert [(fault.path, fault.extra["expected"], fault.extra["actual"]) for fault in faults] == found
    assert {fault.code for fault in faults} == {"different_price"}
