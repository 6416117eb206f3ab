"""The cart lines and cart attribute of a configured bundle (docs/contract.md#cart)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.configured import ConfiguredBundle, ConfiguredItem

_Unit = tuple[int, *tuple[tuple[str, str], ...]]
"""A variant and its properties. Equal units are one line of the cart."""


class SelectionLine(NamedTuple):
    """A cart line of a selection, without the property that identifies the configured bundle."""

    variant_id: int
    quantity: int
    properties: Mapping[str, str]


def selection_lines(items: Sequence[ConfiguredItem], units: Mapping[int, int]) -> Sequence[SelectionLine]:
    """Return the cart lines of a selection, which has this number of `units` of each variant. Units of the same variant share a
    line, unless their answers differ. Fees are separate lines."""
    if not any(item.properties or item.fee_variant_ids for item in items):
        return [SelectionLine(variant, count, {}) for variant, count in units.items()]
    answered: dict[_Unit, int] = {}
    fees: dict[_Unit, int] = {}
    for item in items:
        _add(answered, (item.variant_id, *item.properties.items()), item.count)
        for fee_variant in item.fee_variant_ids:
            _add(fees, (fee_variant, ("_bundle_fee", str(item.product_id))), item.count)
    lines = (*answered.items(), *fees.items())
    return [SelectionLine(variant, count, dict(properties)) for (variant, *properties), count in lines]


def _add(counts: dict[_Unit, int], unit: _Unit, count: int) -> None:
    counts[unit] = counts.get(unit, 0) + count


def cart_lines(
    configured: ConfiguredBundle, parent_variant_id: int, lines: Sequence[SelectionLine]
) -> list[dict[str, Any]]:
    """Return the items of the platform's add-to-cart request (docs/contract.md#cart). `lines` are the lines of the selection."""
    mark = {"_bundle_data": f"{configured.id}#{parent_variant_id}#{configured.unique_id}"}
    return [
        {"id": variant, "quantity": quantity, "properties": {**mark, **properties}}
        for variant, quantity, properties in lines
    ]


def bundles_entry(
    configured: ConfiguredBundle, bundle: Bundle, units: Mapping[int, int], discount: str
) -> dict[str, Any]:
    """Return the entry for the `_bundles` cart attribute, as a map with one key (docs/contract.md#cart). `units` is the number of
    units of each variant."""
    return {
        str(configured.id): {
            "configuredBundleId": configured.id,
            "discount": discount,
            "title": bundle.name,
            "items": [{"variantId": variant, "count": count} for variant, count in units.items()],
            "image": bundle.image_url,
            "note": "",
            "id": bundle.id,
        }
    }
