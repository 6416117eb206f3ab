"""Configured bundles for tests of data derived from them."""

from decimal import Decimal
from typing import Any

from bundlesvc.domain.checkout.discount_claims import Binding
from bundlesvc.domain.configured import ConfiguredBundle, ConfiguredItem
from bundlesvc.domain.pricing.presentment import Presentment
from bundlesvc.domain.pricing.selection_price import Pricing

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


def at_shop_prices(made: ConfiguredBundle, *, parent: int | None = 9001, anywhere: bool = False) -> Binding:
    """Return the conditions under which the promise for a bundle sold in the shop's currency is valid."""
    shown = made.one_time
    return Binding(parent, Presentment(shown.original, shown.discounted, shown.currency), anywhere)
