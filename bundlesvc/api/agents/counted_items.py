"""The items of a selection in the form that assistants send: each with a quantity, so that no item needs to be repeated."""

from collections.abc import Mapping
from typing import Any, cast

from marshmallow import ValidationError

from bundlesvc.api.requests.fields import whole_number
from bundlesvc.api.requests.selected_items import Items
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.selection import MAX_ITEMS, Units

_FIELDS = frozenset(("variant", "product", "section", "quantity", "personalisation"))

_BAD_QUANTITY = f"Must be a whole number from 1 to {MAX_ITEMS}."

_ID = {"type": "string", "pattern": "^[1-9][0-9]{0,15}$"}

ITEMS_SCHEMA: dict[str, Any] = {
    "description": f"What the shopper chose: up to {MAX_ITEMS} units in all. Take the ids from get_bundle.",
    "type": "array",
    "minItems": 1,
    "maxItems": MAX_ITEMS,
    "items": {
        "type": "object",
        "required": ["variant", "product", "section"],
        "additionalProperties": False,
        "properties": {
            "variant": {**_ID, "description": "`variant` of get_bundle."},
            "product": {**_ID, "description": "`product` of get_bundle."},
            "section": {
                "type": "integer",
                "minimum": 0,
                "maximum": MAX_ID,
                "description": "The `id` of the section in get_bundle that offers the product.",
            },
            "quantity": {"type": "integer", "minimum": 1, "maximum": MAX_ITEMS, "default": 1},
            "personalisation": {
                "type": ["object", "null"],
                "additionalProperties": {"type": ["string", "boolean", "null"]},
                "description": "The shopper's answers, by the `key` of the product's fields in `personalisation` in get_bundle.",
            },
        },
    },
}


class CountedItems(Items):
    """A list of items with quantities. Each unit keeps the index of its item in the list, so that errors point to that item."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Units:
        if isinstance(value, list) and len(value) > MAX_ITEMS:
            raise ValidationError(f"At most {MAX_ITEMS} items.")
        faults = _own_faults(value) if isinstance(value, list) else {}
        try:
            units = super()._deserialize(value, attr, data, **kwargs)
        except ValidationError as error:
            _merge(faults, error.messages)
        if faults:
            raise ValidationError(cast("Any", faults))
        return {
            item: [index for index in indexes for _ in range(_quantity(value[index]))]
            for item, indexes in units.items()
        }


def _quantity(item: Mapping[str, Any]) -> int:
    return whole_number(item.get("quantity", 1)) or 0


def _own_faults(items: list[Any]) -> dict[int, dict[str, list[str]]]:
    """Find invalid quantities and unknown fields. Returns the faults by the index of the item."""
    faults: dict[int, dict[str, list[str]]] = {}
    for index, item in enumerate(items):
        if isinstance(item, dict):
            unknown = {str(name): ["Items have no such field."] for name in item.keys() - _FIELDS}
            if not 1 <= _quantity(item) <= MAX_ITEMS:
                unknown["quantity"] = [_BAD_QUANTITY]
            if unknown:
                faults[index] = unknown
    return faults


def _merge(faults: dict[int, dict[str, list[str]]], others: Any) -> None:
    """Add the faults that the base class found in the items to this class's own. Raises ValidationError when the new faults
    concern the list itself."""
    if not isinstance(others, dict):
        raise ValidationError(others)
    for index, found in others.items():
        faults[index] = faults.get(index, {}) | found
