"""The claims of a discount string (docs/discount-string.md): configure writes them, the cart-transform step reads them."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, DecimalException
from typing import Any

from bundlesvc.domain.configured import ConfiguredBundle, PendingSubscription, fee_counts, variant_counts
from bundlesvc.domain.money import HUNDRED, ZERO, amount_text

VERSION = 2
FIRST_VERSION = 1
"""Without `fees` and `subscription`. It is still accepted, because carts may contain it until it is too old."""

MAX_AGE_DAYS = 30
"""The maximum age of a discount, unless the step's configuration sets one."""

MAX_NAMED_VARIANTS = 20
"""With more distinct variants the discount string contains a digest of them, so that it stays short."""

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
    """The promise to discount a selection from `original` to `discounted` (shop currency). `variants` and `fees` are numbers of
    units by variant id, or a digest of many. `made_at` in seconds since 1970."""

    shop: str
    bundle_id: int
    configured_id: int
    original: Decimal
    discounted: Decimal
    variants: Mapping[int, int] | str
    fees: Mapping[int, int] | str
    unique_id: str
    test: bool
    made_at: int

    @property
    def percentage(self) -> Decimal:
        """The discount in percent of the original."""
        if not self.original:
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
    if claims.get("v") not in (FIRST_VERSION, VERSION):
        return None
    try:
        return DiscountClaims(
            shop=claims["shop"],
            bundle_id=claims["bundle"],
            configured_id=claims["configured"],
            original=Decimal(claims["original"]),
            discounted=Decimal(claims["discounted"]),
            variants=_units(claims["variants"]),
            fees={} if claims["v"] == FIRST_VERSION else _units(claims["fees"]),
            unique_id=claims["unique"],
            test=claims["test"],
            made_at=int(claims["iat"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError, DecimalException):
        return None


def _units(units: Mapping[str, int] | str) -> Mapping[int, int] | str:
    return units if isinstance(units, str) else {int(id_): int(count) for id_, count in units.items()}
