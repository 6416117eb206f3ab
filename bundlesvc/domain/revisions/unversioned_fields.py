"""The fields that a shop's operators change every day, and that no revision contains: stock, and whether the shop is enabled.

A revision always shows their current values. Going back to an older revision does not restore its stock.
"""

from dataclasses import replace
from typing import Any

from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Shop


def with_unversioned_fields(part: Any, live: Any) -> Any:
    """Return a part of an older content with the current stock of its variants, or with the current enabled state of the shop.
    `live` is the same part in the live content; None when it no longer exists."""
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
    """Whether two states of a part differ in anything besides stock and whether the shop is enabled."""
    return bool(with_unversioned_fields(before, after) != after)
