"""Converts a shop to plain data in the structure of the shop file, and back. Plain data is used to review, compare and merge
content that is not in a file.

The schemas that read a file also determine what is written: each field of a domain object, under its key in the file.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, cast

from marshmallow import ValidationError, fields

from bundlesvc.domain.shop import Shop
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.format_fields import FileSchema, Item, Items, KeyedMapping, Scalar
from bundlesvc.shop_file.loading import LISTS, SHOP, read_tree
from bundlesvc.shop_file.tree import Tree, TreeFault

NAMES = {"markets": "countryCode", "products": "id", "bundles": "id", "experiments": "id"}
"""The lists of a shop file whose order has no meaning, each with the key that identifies its items."""

_CENTS = -2
"""The exponent of amounts with two decimal places."""


def plain_content(shop_file: ShopFile) -> dict[str, Any]:
    """Return the content of a shop as plain data. Identical shops have identical content: keys without a value are omitted,
    numbers that can have decimal places are strings, and lists whose order has no meaning are sorted."""
    content: dict[str, Any] = {"shop": plain_item("shop", shop_file.shop)}
    for kind, name in NAMES.items():
        items = [plain_item(kind, item) for item in getattr(shop_file, kind)]
        content[kind] = sorted(items, key=lambda item, name=name: item[name])  # type: ignore[misc]
    return content


def plain_item(kind: str, item: Any) -> dict[str, Any]:
    """Return one part of a shop, as it appears in `plain_content`; `kind` is its key there, such as `bundles`."""
    return _mapping(SHOP if kind == "shop" else LISTS[kind], item)


def _mapping(schema: FileSchema, thing: Any) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, field in schema.fields.items():
        value = _attribute(thing, name)
        if value is not None:
            made[str(field.data_key)] = _written(field, value)
    return _without_default_order(made)


def _attribute(thing: Any, name: str) -> Any:
    """Read a field of a domain object. Currency, money format and weight unit belong to `shop` itself in the file, but to the
    shop's settings in the domain."""
    if isinstance(thing, Shop) and not hasattr(thing, name):
        return getattr(thing.settings, name, None)
    return getattr(thing, name)


def _written(field: fields.Field[Any], value: Any) -> Any:
    match field:
        case Scalar():
            return _number_text(value) if isinstance(value, Decimal) else value
        case Item():
            return _mapping(cast(FileSchema, field.item_schema), value)
        case Items():
            return [_written(field.inner, each) for each in value]
        case KeyedMapping():
            return {str(key): _written(field.inner, each) for key, each in value.items()}
    return dict(value)  # a condition node, which is plain data in the domain, too


def _without_default_order(mapping: dict[str, Any]) -> dict[str, Any]:
    """Remove the `order` of sections that are numbered by their position, so that moving a section changes only the list
    itself."""
    sections = mapping.get("sections")
    if isinstance(sections, list) and [section["order"] for section in sections] == [*range(len(sections))]:
        for section in sections:
            del section["order"]
    return mapping


def _number_text(number: Decimal) -> str:
    """Format a number with at least two decimal places, and no trailing zeros beyond those."""
    shortest = number.normalize()
    return f"{shortest:f}" if shortest.adjusted() - len(shortest.as_tuple().digits) + 1 < _CENTS else f"{number:.2f}"


def canonical_item(kind: str, plain: Any) -> Any:
    """Return one part of a shop in the form in which `plain_content` would write it, or unchanged when it is not valid by
    itself."""
    schema = SHOP if kind == "shop" else LISTS[kind]
    try:
        return _mapping(schema, schema.load(cast(Any, as_written(plain))))
    except ValidationError:
        return plain


def read_content(content: Mapping[str, Any]) -> tuple[ShopFile | None, Sequence[TreeFault]]:
    """Convert content to a shop. Returns the shop and the faults in the content; the shop is None if there are any faults."""
    return read_tree(cast(dict[str, Tree], as_written(content)))


def as_written(value: Any) -> Tree:
    """Convert plain data to the form in which it is read from a shop file: every scalar becomes the string that the file would
    contain, and None stays None."""
    if isinstance(value, Mapping):
        return {str(key): as_written(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [as_written(inner) for inner in value]
    if value is None:
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)
