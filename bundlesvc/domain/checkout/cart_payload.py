"""The cart lines and cart attribute of a configured bundle (docs/contract.md#cart)."""

from collections.abc import Mapping, Sequence
from typing import Any

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.configured import ConfiguredBundle, ConfiguredItem

_Unit = tuple[int, *tuple[tuple[str, str], ...]]
"""A variant and its properties. Equal units are one line of the cart."""

SelectionLine = tuple[int, int, Mapping[str, str]]
"""A cart line of a selection: its variant, quantity and properties, without the one that identifies the configured bundle."""


def selection_lines(items: Sequence[ConfiguredItem]) -> Sequence[SelectionLine]:
    """Return the cart lines of a selection. Units of the same variant share a line, unless their answers differ. Fees are
    separate lines."""
    units: dict[_Unit, int] = {}
    fees: dict[_Unit, int] = {}
    for item in items:
        unit: _Unit = (item.variant_id, *item.properties.items())
        units[unit] = units.get(unit, 0) + item.count
        for fee_variant in item.fee_variant_ids:
            fee: _Unit = (fee_variant, ("_bundle_fee", str(item.product_id)))
            fees[fee] = fees.get(fee, 0) + item.count
    return [(variant, count, dict(properties)) for (variant, *properties), count in (*units.items(), *fees.items())]


def cart_lines(
    configured: ConfiguredBundle, parent_variant_id: int, lines: Sequence[SelectionLine]
) -> list[dict[str, Any]]:
    """Return the items of the platform's add-to-cart request (docs/contract.md#cart). `lines` are the lines of the selection."""
    mark = {"_bundle_data": f"{configured.id}#{parent_variant_id}#{configured.unique_id}"}
    return [
        {"id": variant, "quantity": quantity, "properties": {**mark, **properties}}
        for variant, quantity, properties in lines
    ]


def entry_items(units: Mapping[int, int]) -> Sequence[Mapping[str, int]]:
    """Return the items of the entry for the `_bundles` cart attribute. `units` is the number of units of each variant."""
    return [{"variantId": variant, "count": count} for variant, count in units.items()]


def bundles_entry(
    configured: ConfiguredBundle, bundle: Bundle, items: Sequence[Mapping[str, int]], discount: str
) -> dict[str, Any]:
    """Return the entry for the `_bundles` cart attribute, as a map with one key (docs/contract.md#cart). `items` are the items of
    the selection."""
    return {
        str(configured.id): {
            "configuredBundleId": configured.id,
            "discount": discount,
            "title": bundle.name,
            "items": items,
            "image": bundle.image_url,
            "note": "",
            "id": bundle.id,
        }
    }
