"""The promise of a discount string, as the cart-transform step reads it (docs/discount-string.md)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bundlesvc.domain.checkout.discount_claims import VERSION, variants_digest
from bundlesvc.domain.identifiers import MAX_ID, parse_id
from bundlesvc.domain.money import HUNDRED, ZERO, from_presentment_units

UNBOUND_VERSION = 2
"""The version without `parent`, `market` and `anywhere`. It is accepted for one release, because carts may contain such promises
until the promises expire."""

MAX_AGE_DAYS = 30
"""The maximum age of a discount in days, unless the step's configuration sets another."""

MAX_LENGTH = 4096
"""The maximum length of a discount string, in characters. The strings that the service creates are much shorter."""

MAX_UNITS = 1_000_000
"""The maximum number of units of one variant in a discount string."""

MAX_AMOUNT = Decimal(10**12)
"""The highest price that the lines of one bundle may have in total."""


@dataclass(frozen=True, slots=True)
class MarketPromise:
    """The price promised in a market, in the market's currency, before and after the discount. When the request named no country,
    `country` is None and the prices are the shop's own; they are not valid in the `excluded` countries."""

    country: str | None
    currency: str
    original: Decimal
    discounted: Decimal
    excluded: frozenset[str] = frozenset()

    def is_in(self, country: str | None, currency: str) -> bool:
        """Whether a cart with this country and currency is in the market for which the promise was made."""
        if currency != self.currency:
            return False
        return country not in self.excluded if self.country is None else country == self.country


@dataclass(frozen=True, slots=True)
class Terms:
    """The markets in which a promise is valid: only `market` when `anywhere` is None; otherwise every market, with `anywhere`
    percent off the lines. `parent_variant_id` is the variant into which the lines are merged, None for a bundle that is not
    native."""

    parent_variant_id: int | None
    market: MarketPromise
    anywhere: Decimal | None


@dataclass(frozen=True, slots=True)
class DiscountClaims:
    """The promise to discount a selection from `original` to `discounted`, in `currency`, the shop's currency. `terms` is None in
    version 2. `variants` and `fees` map variant ids to numbers of units, or are a digest when there are many. `subscription` is
    the percentage of the subscription option that the shopper chose, None without a subscription. `made_at` is in seconds since
    1970."""

    shop: str
    bundle_id: int
    configured_id: int
    original: Decimal
    discounted: Decimal
    currency: str
    terms: Terms | None
    variants: Mapping[int, int] | str
    fees: Mapping[int, int] | str
    subscription: Decimal | None
    unique_id: str
    test: bool
    made_at: int

    def covers(self, counts: Mapping[int, int]) -> bool:
        """Whether these units are exactly the units that were configured."""
        return self.variants == (variants_digest(counts) if isinstance(self.variants, str) else counts)

    def includes_fees(self, counts: Mapping[int, int]) -> bool:
        """Whether `counts` includes all configured fees. When `fees` is a digest, additional fees are not allowed."""
        if isinstance(self.fees, str):
            return self.fees == variants_digest(counts)
        return all(counts.get(variant, 0) >= count for variant, count in self.fees.items())


def read_claims(claims: Mapping[str, Any]) -> DiscountClaims | None:
    """Parse claims. Returns None when their version is unknown or they are malformed."""
    try:
        version = _number(claims["v"])
        if version not in (UNBOUND_VERSION, VERSION):
            return None
        return DiscountClaims(
            shop=_text(claims["shop"]),
            bundle_id=_number(claims["bundle"]),
            configured_id=_number(claims["configured"]),
            original=_amount(claims["original"]),
            discounted=_amount(claims["discounted"]),
            currency=_text(claims["currency"]),
            terms=None if version == UNBOUND_VERSION else _terms(claims),
            variants=_units(claims["variants"]),
            fees=_units(claims["fees"]),
            subscription=_subscription(claims.get("subscription")),
            unique_id=_text(claims["unique"]),
            test=_flag(claims["test"]),
            made_at=_number(claims["iat"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _terms(claims: Mapping[str, Any]) -> Terms:
    parent, value = claims["parent"], _amount(claims["value"])
    anywhere = _percentage(value) if _flag(claims["anywhere"]) else None
    return Terms(None if parent is None else _number(parent), _market(claims["market"]), anywhere)


def _market(market: object) -> MarketPromise:
    if not isinstance(market, dict):
        raise TypeError(market)
    country, currency = market["country"], _text(market["currency"])
    return MarketPromise(
        None if country is None else _text(country),
        currency,
        _minor_units(market["original"], currency),
        _minor_units(market["discounted"], currency),
        _countries(market.get("except", [])),
    )


def _countries(countries: object) -> frozenset[str]:
    if not isinstance(countries, list):
        raise TypeError(countries)
    return frozenset(map(_text, countries))


_AMOUNT = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,6})?", re.ASCII)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_ID:
        raise ValueError(value)
    return value


def _amount(value: object) -> Decimal:
    if not _AMOUNT.fullmatch(_text(value)):
        raise ValueError(value)
    return Decimal(_text(value))


def _minor_units(value: object, currency: str) -> Decimal:
    amount = from_presentment_units(_number(value), currency)
    if not ZERO <= amount <= MAX_AMOUNT:
        raise ValueError(value)
    return amount


def _subscription(subscription: object) -> Decimal | None:
    if subscription is None:
        return None
    return _percentage(_amount(subscription.get("percentage") if isinstance(subscription, dict) else None))


def _percentage(value: Decimal) -> Decimal:
    if value > HUNDRED:
        raise ValueError(value)
    return value


def _units(units: object) -> Mapping[int, int] | str:
    if isinstance(units, str):
        return units
    if not isinstance(units, dict):
        raise TypeError(units)
    return {_variant(id_): _count(count) for id_, count in units.items()}


def _variant(text: str) -> int:
    id_ = parse_id(text)
    if id_ is None:
        raise ValueError(text)
    return id_


def _count(value: object) -> int:
    count = _number(value)
    if not 1 <= count <= MAX_UNITS:
        raise ValueError(count)
    return count
