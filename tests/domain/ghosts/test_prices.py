"""The price of a ghost variant in a market, and when the variant needs a price of its own there."""

from decimal import Decimal

import pytest

from bundlesvc.domain.ghosts.prices import GhostPrice, MarketTerms, needs_own_price, wanted_price
from bundlesvc.domain.money import half_unit

D = Decimal


def terms(currency: str = "USD", adjustment: str = "0", rate: str | None = "1") -> MarketTerms:
    return MarketTerms(currency, D(adjustment), None if rate is None else D(rate), "list")


@pytest.mark.parametrize(
    ("price", "market", "wanted", "needed"),
    [
        (GhostPrice(D("18.00"), D("18.00")), terms(), "18.00", False),
        (GhostPrice(D("18.00"), D("19.80")), terms(adjustment="100"), "19.80", True),
        (GhostPrice(D("18.00"), D("19.80")), terms(adjustment="10"), "19.80", False),
        (GhostPrice(D("10.00"), D("10.01")), terms(), "10.01", True),
        (GhostPrice(D("10.00"), D("9.99")), terms(), "9.99", True),
        (GhostPrice(D("35.98"), D("37.78")), terms(adjustment="5", rate="1.10"), "41.56", False),  # promised: 41.558
        (GhostPrice(D("53.97"), D("48.57")), terms("JPY", "-10", "160"), "7771", True),  # converted: 7772
        (GhostPrice(D("1.00"), D("1.25")), terms("JPY", "0", "10"), "13", True),
        (GhostPrice(D("1.20"), D("1.25")), terms("JPY", "0", "10"), "13", False),  # converted: 12, promised: 12.5
        (GhostPrice(D("18.00"), D("0.00")), terms(), "0.00", True),
        (GhostPrice(D("0.00"), D("5.00")), terms(), "5.00", True),
        (GhostPrice(D("18.00"), D("5.00")), terms(adjustment="-100"), "5.00", True),
        (GhostPrice(D("18.00"), D("17.10"), D("12.975")), terms("MXN", "-5", None), "221.87", False),
        (GhostPrice(D("18.00"), D("18.00"), D("12.975")), terms("MXN", "-5", None), "233.55", True),
        (GhostPrice(D("18.00"), D("18.00"), D("9")), terms("MXN", "0", "12"), "216.00", False),
        (GhostPrice(D("0.00"), D("0.00")), terms("MXN", "0", None), "0.00", False),
    ],
)
def test_ghost_variant_needs_its_own_price_when_the_conversion_differs(
    price: GhostPrice, market: MarketTerms, wanted: str, needed: bool
) -> None:
    assert wanted_price(price, market) == D(wanted)
    assert needs_own_price(price, market) is needed


@pytest.mark.parametrize(("currency", "half"), [("EUR", "0.005"), ("JPY", "0.5")])
def test_difference_up_to_half_a_minor_unit_is_accepted(currency: str, half: str) -> None:
    assert half_unit(currency) == D(half)
