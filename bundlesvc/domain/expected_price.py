"""The comparison of the price shown to a shopper with the price that the configure endpoint would promise
(docs/contract.md#expected-price)."""

from decimal import Decimal

from bundlesvc.domain.errors import Fault, PriceChanged
from bundlesvc.domain.pricing.presentment import Presentment
from bundlesvc.domain.pricing.selection_price import Pricing
from bundlesvc.domain.selection import NO_EXPECTED_PRICE, ExpectedPrice


def check_expected_price(expected: ExpectedPrice, pricing: Pricing, presentment: Presentment | None) -> None:
    """Check each expected price in the request. Without a `presentment`, the market's currency is the shop's currency. Raises
    PriceChanged."""
    if expected == NO_EXPECTED_PRICE:
        return
    price, currency = pricing.texts.discounted, pricing.currency
    here = (price, currency) if presentment is None else (str(presentment.discounted), presentment.currency)
    faults = [
        *_faults("expectedPrice", expected.shop, price, currency),
        *_faults("expectedPresentment", expected.presentment, *here),
    ]
    if faults:
        raise PriceChanged(faults)


def _faults(path: str, expected: str | None, actual: str, currency: str) -> list[Fault]:
    if expected is None or Decimal(expected) == Decimal(actual):
        return []
    message = f"Expected {expected} {currency}; the price is {actual} {currency}."
    return [Fault(path, "different_price", message, {"expected": expected, "actual": actual})]
