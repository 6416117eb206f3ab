"""The `ProductVariantsBulkInput` input object, except for options."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeAlias

from tests.standin.data.shop import Variant

Input: TypeAlias = Mapping[str, Any]

_PLAIN = {
    "barcode": "barcode",
    "inventoryPolicy": "policy",
    "taxable": "taxable",
    "requiresComponents": "requires_components",
    "published": "published",
}
_OF_ITEM = {"sku": "sku", "tracked": "tracked", "requiresShipping": "requires_shipping"}


def negative_price(given: Input) -> bool:
    price = given.get("price")
    return price is not None and Decimal(price) < 0


def apply_input(variant: Variant, given: Input) -> None:
    """Set the given fields of a variant, and keep the others."""
    _set(variant, given, _PLAIN)
    if given.get("price") is not None:
        variant.price = Decimal(given["price"])
    if "compareAtPrice" in given:
        variant.compare_at_price = None if given["compareAtPrice"] is None else Decimal(given["compareAtPrice"])
    item = given.get("inventoryItem") or {}
    _set(variant, item, _OF_ITEM)
    weight = (item.get("measurement") or {}).get("weight")
    if weight:
        variant.weight, variant.weight_unit = Decimal(str(weight["value"])), weight["unit"]
    for metafield in given.get("metafields") or []:
        variant.metafields[metafield.get("namespace") or "", metafield["key"]] = metafield["value"]
    quantities = given.get("inventoryQuantities") or []
    if quantities:
        variant.quantity = sum(quantity["availableQuantity"] for quantity in quantities)


def _set(variant: Variant, given: Input, names: Mapping[str, str]) -> None:
    for name, attribute in names.items():
        if given.get(name) is not None:
            setattr(variant, attribute, given[name])
