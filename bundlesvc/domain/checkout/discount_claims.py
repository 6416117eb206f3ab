"""The claims of a discount string (docs/discount-string.md): configure writes them, the cart-transform step reads them."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from bundlesvc.domain.configured import ConfiguredBundle, PendingSubscription, fee_counts, variant_counts
from bundlesvc.domain.identifiers import MAX_ID, parse_id
from bundlesvc.domain.money import HUNDRED, ZERO, amount_text

VERSION = 2
FIRST_VERSION = 1
"""Without `fees` and `subscription`. It is still accepted, because carts may contain it until it is too old."""

MAX_AGE_DAYS = 30
"""The maximum age of a discount, unless the step's configuration sets one."""

MAX_NAMED_VARIANTS = 20
"""With more distinct variants the discount string contains a digest of them, so that it stays short."""

MAX_LENGTH = 4096
"""A longer text is not a discount string. The service's own have at most half as many characters."""

MAX_UNITS = 1_000_000
"""Units of one variant in a discount string."""

PERCENTAGE_STEP = Decimal("0.00000001")
"""Percentages have eight decimals, so that the discounted amount is exact to the cent up to 99 million."""


def discount_claims(configured: ConfiguredBundle, shop_handle: str) -> dict[str, Any]:
    """The claims of the discount string, for the cart-transform step to check and apply (docs/discount-string.md)."""
    pricing = configured.one_time
    return {
        "v": VERSION,
        "shop": shop_handle,
        "bundle": configured.bundle_id,
        "bundleType": configured.bundle_type,
        "configured": configured.id,
        "type": pricing.discount_type,
        "value": amount_text(pricing.discount_value),
        "original": amount_text(pricing.original),
        "discounted": amount_text(pricing.discounted),
        "currency": pricing.currency,
        "variants": _named_variants(variant_counts(configured.items)),
        "fees": _named_variants(fee_counts(configured.items)),
        "subscription": _subscription_claim(configured.subscription),
        "unique": configured.unique_id,
        "test": configured.test,
        "iat": configured.configured_at,
    }


def _subscription_claim(subscription: PendingSubscription | None) -> dict[str, Any] | None:
    """For the operator of the selling plan. The step itself gives no discount for it."""
    if subscription is None:
        return None
    return {
        "group": subscription.group_id,
        "frequency": subscription.frequency,
        "unit": subscription.unit,
        "percentage": amount_text(subscription.percentage),
    }


def _named_variants(counts: Mapping[int, int]) -> dict[str, int] | str:
    named = {str(variant): counts[variant] for variant in sorted(counts)}
    return named if len(named) <= MAX_NAMED_VARIANTS else variants_digest(counts)


def variants_digest(counts: Mapping[int, int]) -> str:
    """The digest that replaces many distinct variants in the discount string (docs/discount-string.md)."""
    text = ",".join(f"{variant}:{counts[variant]}" for variant in sorted(counts))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


@dataclass(frozen=True, slots=True)
class DiscountClaims:
    """The promise to discount a selection from `original` to `discounted` (in `currency`, the shop's). `variants` and `fees` are
    numbers of units by variant id, or a digest of many. `subscription` is the percentage of the option that the shopper chose,
    0 without one. `made_at` in seconds since 1970."""

    shop: str
    bundle_id: int
    configured_id: int
    original: Decimal
    discounted: Decimal
    currency: str
    variants: Mapping[int, int] | str
    fees: Mapping[int, int] | str
    subscription: Decimal
    unique_id: str
    test: bool
    made_at: int

    @property
    def percentage(self) -> Decimal:
        """The discount in percent of the original."""
        if self.discounted >= self.original:
            return ZERO
        exact = (self.original - self.discounted) * HUNDRED / self.original
        return exact.quantize(PERCENTAGE_STEP, ROUND_HALF_UP)

    def covers(self, counts: Mapping[int, int]) -> bool:
        """Whether these are the units that were configured."""
        return self.variants == (variants_digest(counts) if isinstance(self.variants, str) else counts)

    def includes_fees(self, counts: Mapping[int, int]) -> bool:
        """Whether no fee is missing. A digest only shows whether these are exactly the fees."""
        if isinstance(self.fees, str):
            return self.fees == variants_digest(counts)
        return all(counts.get(variant, 0) >= count for variant, count in self.fees.items())


def read_claims(claims: Mapping[str, Any]) -> DiscountClaims | None:
    """Parse claims. None when their version is unknown or they are malformed."""
    try:
        version = _number(claims["v"])
        if version not in (FIRST_VERSION, VERSION):
            return None
        return DiscountClaims(
            shop=_text(claims["shop"]),
            bundle_id=_number(claims["bundle"]),
            configured_id=_number(claims["configured"]),
            original=_amount(claims["original"]),
            discounted=_amount(claims["discounted"]),
            currency=_text(claims["currency"]),
            variants=_units(claims["variants"]),
            fees={} if version == FIRST_VERSION else _units(claims["fees"]),
            subscription=ZERO if version == FIRST_VERSION else _percentage(claims.get("subscription")),
            unique_id=_text(claims["unique"]),
            test=_flag(claims["test"]),
            made_at=_number(claims["iat"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


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


def _percentage(subscription: object) -> Decimal:
    if subscription is None:
        return ZERO
    percentage = _amount(subscription.get("percentage") if isinstance(subscription, dict) else None)
    if percentage > HUNDRED:
        raise ValueError(percentage)
    return percentage


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
