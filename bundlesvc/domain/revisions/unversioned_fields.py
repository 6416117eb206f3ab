"""The fields that a shop's operators change every day, and that no revision contains: stock, and whether the shop is enabled.

A revision always shows their current values. Going back to an older revision does not restore its stock.
"""

from dataclasses import replace
from typing import Any

from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Shop


def with_unversioned_fields(part: Any, live: Any) -> Any:
    """Return an object from an older revision with its current unversioned fields: a product with the current stock of its
    variants, or the shop with its current enabled state. `live` is the same object in the live content; None when it no longer
    exists."""
    if isinstance(part, Product) and isinstance(live, Product):
        now = live.variants_by_id
        variants = (
            replace(variant, inventory_quantity=now[variant.id].inventory_quantity) if variant.id in now else variant
            for variant in part.variants
        )
        return replace(part, variants=tuple(variants))
    if isinstance(part, Shop) and isinstance(live, Shop):
        return replace(part, headless_enabled=live.headless_enabled)
    return part


def is_versioned_change(before: Any, after: Any) -> bool:
    """Whether two states of an object differ in anything other than stock or the shop's enabled state."""
    return bool(with_unversioned_fields(before, after) != after)
