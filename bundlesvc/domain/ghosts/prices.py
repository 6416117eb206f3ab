"""The prices of ghost variants: the base price in the shop's own market, and the promised price in another market."""

from dataclasses import dataclass
from decimal import Decimal

from bundlesvc.domain.money import HUNDRED, ZERO, half_unit, round_amount
from bundlesvc.domain.shop import Market


@dataclass(frozen=True, slots=True)
class MarketTerms:
    """The terms on which a market converts a shop's price: the market adds `adjustment` percent and multiplies by `rate`, in
    units of `currency` per unit of the shop's currency. `rate` is None when the platform uses a daily rate that it does not
    publish. If there is a `price_list` (the platform's id), a variant can have its own price in that list, in `currency`."""

    currency: str
    adjustment: Decimal
    rate: Decimal | None
    price_list: str | None


def embedded_terms(market: Market | None, country: str, currency: str) -> MarketTerms:
    """Return the market terms that apply in a country, for a shop on the embedded platform. In a country without a market, the
    shop sells in `currency`. Every country has a price list for ghost variants."""
    if market is None:
        return MarketTerms(currency, ZERO, Decimal(1), price_list=country)
    return MarketTerms(market.currency, market.price_adjustment, market.exchange_rate, price_list=country)


@dataclass(frozen=True, slots=True)
class GhostPrice:
    """The price of a ghost variant in shop currency: `base` in the shop's own market, `promise` in the country of the request.
    `day_rate` is the rate (market currency per shop currency) at which the prices of the selection were converted; None when no
    price was converted."""

    base: Decimal
    promise: Decimal
    day_rate: Decimal | None = None


@dataclass(frozen=True, slots=True)
class MarketPromise:
    """The price promised for a ghost variant in a country, in the shop's currency. `price` is the price that the platform
    accepted at `priced_at` (seconds since 1970), in the currency of the country's price list. `price` is None where the market's
    conversion of the base price already results in the promised price."""

    country: str
    promise: Decimal
    price: Decimal | None = None
    priced_at: int = 0


def wanted_price(price: GhostPrice, terms: MarketTerms) -> Decimal:
    """Return the promised price in the market's currency, rounded."""
    return round_amount(price.promise * _rate(price, terms), terms.currency)


def needs_own_price(price: GhostPrice, terms: MarketTerms) -> bool:
    """Whether the market's conversion of the base price differs from the promise by more than half a minor unit."""
    rate = _rate(price, terms)
    made = round_amount(price.base * (1 + terms.adjustment / HUNDRED) * rate, terms.currency)
    return abs(made - price.promise * rate) > half_unit(terms.currency)


def _rate(price: GhostPrice, terms: MarketTerms) -> Decimal:
    """Return the exchange rate of the market. If there is no rate, the whole selection is free and nothing needs converting, so
    the rate is 1."""
    return terms.rate or price.day_rate or Decimal(1)
