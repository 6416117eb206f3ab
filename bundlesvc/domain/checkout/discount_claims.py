"""The claims of a discount string, as written by the configure endpoint (docs/discount-string.md)."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from bundlesvc.domain.configured import ConfiguredBundle, PendingSubscription
from bundlesvc.domain.money import amount_text, presentment_units
from bundlesvc.domain.pricing.presentment import Presentment
from bundlesvc.domain.pricing.selection_price import Pricing
from bundlesvc.immutable import immutable

VERSION = 3

MAX_NAMED_VARIANTS = 20
"""The maximum number of distinct variants that a discount string lists. If there are more, the string contains a digest of them
instead, so that it stays short."""


@immutable
class SelectionPromise:
    """The price that the shop promises for a selection, and the conditions under which the promise is valid.

    `units` and `fees` are the numbers of units by variant id. `one_time` is the price in the shop's currency, and `prices` are
    the cart's prices in the market of `country`; both are without a subscription. `parent_variant_id` is the variant into which
    the lines are merged (None unless the bundle is native). `anywhere` says whether the discount is valid in every market.
    `countries_read` are the countries that conditions test; a promise made without a country is not valid in them."""

    units: Mapping[int, int]
    fees: Mapping[int, int]
    one_time: Pricing
    country: str | None
    parent_variant_id: int | None
    prices: Presentment
    anywhere: bool
    countries_read: Sequence[str] = ()


def promise_claims(promise: SelectionPromise) -> Mapping[str, Any]:
    """Return the claims about the selection. They are the same each time the selection is configured."""
    pricing, texts = promise.one_time, promise.one_time.texts
    return {
        "parent": promise.parent_variant_id,
        "type": pricing.discount_type,
        "value": texts.discount_value,
        "original": texts.original,
        "discounted": texts.discounted,
        "currency": pricing.currency,
        "market": _market_claim(promise),
        "anywhere": promise.anywhere,
        "variants": _named_variants(promise.units),
        "fees": _named_variants(promise.fees),
    }


def discount_claims(configured: ConfiguredBundle, shop_handle: str, promised: Mapping[str, Any]) -> dict[str, Any]:
    """Return the claims of the discount string, which the cart-transform step checks and applies (docs/discount-string.md).
    `promised` contains the claims about the selection."""
    return {
        "v": VERSION,
        "shop": shop_handle,
        "bundle": configured.bundle_id,
        "bundleType": configured.bundle_type,
        "configured": configured.id,
        **promised,
        "subscription": _subscription_claim(configured.subscription),
        "unique": configured.unique_id,
        "test": configured.test,
        "iat": configured.configured_at,
    }


def _market_claim(promise: SelectionPromise) -> dict[str, Any]:
    """Return the market claim, with amounts in minor units of the market's currency (ISO 4217)."""
    prices = promise.prices
    excluded = {} if promise.country or not promise.countries_read else {"except": list(promise.countries_read)}
    return {
        "country": promise.country,
        "currency": prices.currency,
        "original": presentment_units(prices.original, prices.currency),
        "discounted": presentment_units(prices.discounted, prices.currency),
        **excluded,
    }


def _subscription_claim(subscription: PendingSubscription | None) -> dict[str, Any] | None:
    """Return the claim about the subscription. The claim is meant for the operator of the selling plan: the cart-transform step
    itself gives no discount for the subscription."""
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
    """Return the digest that replaces a long list of variants in the discount string (docs/discount-string.md)."""
    text = ",".join(f"{variant}:{counts[variant]}" for variant in sorted(counts))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
