"""Metafields: `metafieldsSet`, and the metafields that other mutations create together with their owner."""

import json
from collections.abc import Iterator, Sequence

from tests.standin.data.functions import APP, RESERVED, Metafield, Metafields, namespace_of
from tests.standin.data.shop import Shop
from tests.standin.graph.functions import metafield_node
from tests.standin.graph.items import Arguments, Node
from tests.standin.mutations.subjects import number_of
from tests.standin.mutations.user_errors import user_error
from tests.standin.operations.refusals import access_denied

LIMIT = 25
KEY_LENGTHS, NAMESPACE_LENGTHS = range(2, 65), range(3, 256)
TYPES = ("json", "single_line_text_field", "multi_line_text_field", "number_integer", "boolean")


def set_metafields(shop: Shop, missing_scopes: frozenset[str], arguments: Arguments) -> Node:
    """Set all given metafields or none."""
    given: Sequence[Arguments] = arguments["metafields"]
    if len(given) > LIMIT:
        message = f"Exceeded the maximum metafields input limit of {LIMIT}."
        return _refused([{**user_error(message, "metafields", code="LESS_THAN_OR_EQUAL_TO"), "elementIndex": None}])
    owners = [_owner(shop, missing_scopes, each["ownerId"]) for each in given]
    errors = [
        {**error, "elementIndex": index}
        for index, (each, owner) in enumerate(zip(given, owners, strict=True))
        for error in _set_errors(each, owner, index)
    ]
    if errors:
        return _refused(errors)
    return {
        "metafields": [_set(owner, each) for each, owner in zip(given, owners, strict=True) if owner is not None],
        "userErrors": [],
    }


def metafield_errors(given: Sequence[Arguments], *path: str) -> list[Node]:
    """Return the errors in the metafields of a new owner."""
    return [error for index, each in enumerate(given) for error in _errors(each, (*path, index))]


def created_metafields(given: Sequence[Arguments], existing: Metafields) -> Metafields:
    """Return the owner's metafields, with the given ones added or replaced."""
    made = {
        (namespace_of(each.get("namespace")), each["key"]): Metafield(each["type"], each["value"]) for each in given
    }
    return {**existing, **made}


def _owner(shop: Shop, missing_scopes: frozenset[str], owner_id: str) -> Metafields | None:
    """Return the metafields of an owner, or None if the owner does not exist. Changing metafields requires the scope for changing
    their owner."""
    transforms = {one.id: one.metafields for one in shop.functions.cart_transforms}
    discounts = {one.id: one.metafields for one in shop.functions.discounts}
    for kind, owners, scope in (
        ("CartTransform", transforms, "write_cart_transforms"),
        ("DiscountAutomaticNode", discounts, "write_discounts"),
    ):
        number = number_of(kind, owner_id)
        if number is not None:
            if scope in missing_scopes:
                raise access_denied("metafieldsSet", scope)
            return owners.get(number)
    return None


def _set_errors(given: Arguments, owner: Metafields | None, index: int) -> Iterator[Node]:
    if owner is None:
        yield user_error("Owner does not exist.", "metafields", index, "ownerId", code="INVALID")
    yield from _errors(given, ("metafields", index))


def _errors(given: Arguments, path: tuple[str | int, ...]) -> Iterator[Node]:
    namespace, key = namespace_of(given.get("namespace")), given.get("key") or ""
    if namespace.startswith(RESERVED) and namespace != APP and not namespace.startswith(f"{APP}--"):
        message = "Access to this namespace and key on Metafields for this resource type is not allowed."
        yield user_error(message, *path, "namespace", code="APP_NOT_AUTHORIZED")
    for name, text, lengths in (("key", key, KEY_LENGTHS), ("namespace", namespace, NAMESPACE_LENGTHS)):
        if len(text) not in lengths:
            code = "TOO_SHORT" if len(text) < lengths.start else "TOO_LONG"
            yield user_error(f"{name.capitalize()} is of the wrong length.", *path, name, code=code)
    if given.get("type") not in TYPES:
        yield user_error("Type must be one of the supported types.", *path, "type", code="INVALID_TYPE")
    elif given["type"] == "json" and not _is_json(given.get("value") or ""):
        yield user_error("Value is invalid JSON.", *path, "value", code="INVALID_VALUE")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _set(owner: Metafields, given: Arguments) -> Node | None:
    name = namespace_of(given.get("namespace")), given["key"]
    owner[name] = Metafield(given["type"], given["value"])
    return metafield_node(owner, *name)


def _refused(errors: list[Node]) -> Node:
    return {"metafields": None, "userErrors": errors}
