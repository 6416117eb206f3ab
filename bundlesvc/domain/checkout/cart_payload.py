"""The cart lines and cart attribute of a configured bundle (docs/contract.md#cart)."""

from collections.abc import Mapping
from typing import Any

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.configured import ConfiguredBundle, variant_counts


def cart_lines(configured: ConfiguredBundle, parent_variant_id: int) -> list[dict[str, Any]]:
    """Return the items of the platform's add-to-cart request (docs/contract.md#cart). Units of the same variant share a line,
    unless their answers differ. Fees are separate lines."""
    mark = {"_bundle_data": f"{configured.id}#{parent_variant_id}#{configured.unique_id}"}
    units: dict[tuple[int, tuple[tuple[str, str], ...]], int] = {}
    fees: dict[tuple[int, int], int] = {}
    for item in configured.items:
        unit = item.variant_id, tuple(item.properties.items())
        units[unit] = units.get(unit, 0) + item.count
        for fee_variant in item.fee_variant_ids:
            fee = fee_variant, item.product_id
            fees[fee] = fees.get(fee, 0) + item.count
    return [
        *(_cart_line(variant, count, {**mark, **dict(answers)}) for (variant, answers), count in units.items()),
        *(_cart_line(fee, count, {**mark, "_bundle_fee": str(product)}) for (fee, product), count in fees.items()),
    ]


def _cart_line(variant_id: int, count: int, properties: Mapping[str, str]) -> dict[str, Any]:
    return {"id": variant_id, "quantity": count, "properties": properties}


def bundles_entry(configured: ConfiguredBundle, bundle: Bundle, discount: str) -> dict[str, Any]:
    """Return the entry for the `_bundles` cart attribute, as a map with one key (docs/contract.md#cart)."""
    return {
        str(configured.id): {
            "configuredBundleId": configured.id,
            "discount": discount,
            "title": bundle.name,
            "items": [
                {"variantId": variant, "count": count} for variant, count in variant_counts(configured.items).items()
            ],
            "image": bundle.image_url,
            "note": "",
            "id": bundle.id,
        }
    }
