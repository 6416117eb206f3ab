"""Configured bundles for tests of data derived from them."""

from decimal import Decimal
from typing import Any

from bundlesvc.domain.checkout.cart_payload import cart_lines, selection_lines
from bundlesvc.domain.checkout.discount_claims import SelectionPromise, discount_claims, promise_claims
from bundlesvc.domain.configured import ConfiguredBundle, ConfiguredItem, fee_counts, variant_counts
from bundlesvc.domain.pricing.presentment import Presentment
from bundlesvc.domain.pricing.selection_price import Pricing

PARENT = 9001
UNIQUE = "0123456789abcdef0123456789abcdef"
PRICING = Pricing(Decimal("30.00"), Decimal("27.00"), "percentage", Decimal("10.00"), "EUR")


def item(variant_id: int, count: int = 1, section: int = 1) -> ConfiguredItem:
    return ConfiguredItem(variant_id, variant_id // 10, section, count, "Shirt", "S", Decimal("10.00"))


def configured(*items: ConfiguredItem, **changes: Any) -> ConfiguredBundle:
    fields: dict[str, Any] = {
        "id": 555,
        "bundle_id": 42,
        "bundle_type": "native",
        "title": "Box",
        "product_id": 900,
        "country": None,
        "test": False,
        "unique_id": UNIQUE,
        "pricing": PRICING,
        "items": items,
        "configured_at": 1_700_000_000,
    }
    return ConfiguredBundle(**(fields | changes))


def cart_lines_of(made: ConfiguredBundle) -> list[dict[str, Any]]:
    """Return the items of the add-to-cart request for a native bundle."""
    return cart_lines(made, PARENT, selection_lines(made.items))


def claims_of(
    made: ConfiguredBundle, shop: str = "demo", one_time: Pricing | None = None, **changes: Any
) -> dict[str, Any]:
    """Return the claims of the discount string of a native bundle, which is sold in the shop's currency unless `changes` contain
    other prices. `one_time` is the price without a subscription."""
    price = one_time or made.pricing
    fields: dict[str, Any] = {
        "units": variant_counts(made.items),
        "fees": fee_counts(made.items),
        "one_time": price,
        "country": made.country,
        "parent_variant_id": PARENT,
        "prices": Presentment(price.original, price.discounted, price.currency),
        "anywhere": False,
    }
    return discount_claims(made, shop, promise_claims(SelectionPromise(**(fields | changes))))
