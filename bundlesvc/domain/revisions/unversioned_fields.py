"""What a shop's operators change every day, and no revision has: stock, and whether the shop is served.

A revision shows both as they are now, and going back to an older one does not bring back the stock of then.
"""

from dataclasses import replace
from typing import Any

from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Shop


def with_unversioned_fields(part: Any, live: Any) -> Any:
    """A part of an older content, with the stock that its variants have now, and served as the shop is now. `live` is the same
    part as it is now; None when there is none any more."""
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
    """Whether two states of a part differ in more than stock and service."""
    return bool(with_unversioned_fields(before, after) != after)
