"""The cart lines and cart attribute of a configured bundle (docs/contract.md#cart)."""

from collections.abc import Mapping
from typing import Any

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.configured import ConfiguredBundle, variant_counts

_Lines = dict[tuple[object, ...], dict[str, Any]]
"""Lines of the cart, by what their units have in common."""


def cart_lines(configured: ConfiguredBundle, parent_variant_id: int) -> list[dict[str, Any]]:
    """Return the items of the platform's add-to-cart request (docs/contract.md#cart). Units of the same variant share a line,
    unless their answers differ. Fees are separate lines."""
    mark = {"_bundle_data": f"{configured.id}#{parent_variant_id}#{configured.unique_id}"}
    units: _Lines = {}
    fees: _Lines = {}
    for item in configured.items:
        answers = item.properties
        _add(units, (item.variant_id, *answers.items()), item.count, {**mark, **answers})
        for fee_variant in item.fee_variant_ids:
            _add(fees, (fee_variant, item.product_id), item.count, {**mark, "_bundle_fee": str(item.product_id)})
    return [*units.values(), *fees.values()]


def _add(lines: _Lines, key: tuple[object, ...], count: int, properties: Mapping[str, str]) -> None:
    """Add units to the line with this key, which begins with the variant id."""
    line = lines.get(key)
    if line is None:
        lines[key] = {"id": key[0], "quantity": count, "properties": properties}
    else:
        line["quantity"] += count


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
