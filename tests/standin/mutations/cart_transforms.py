"""Answers the `cartTransformCreate` and `cartTransformDelete` mutations like the platform, which has no mutation for changing a
cart transform."""

from collections.abc import Iterator

from tests.standin.data.functions import CART_TRANSFORM, CartTransform
from tests.standin.data.shop import Shop
from tests.standin.graph.functions import cart_transform_node
from tests.standin.graph.items import Arguments, Node
from tests.standin.mutations.metafields import created_metafields, metafield_errors
from tests.standin.mutations.subjects import number_of
from tests.standin.mutations.user_errors import user_error

HINT = "Ensure that it is released in the current version of the app, and that the app is installed."


def create_cart_transform(shop: Shop, arguments: Arguments) -> Node:
    errors = list(_errors(shop, arguments))
    if errors:
        return {"cartTransform": None, "userErrors": errors}
    function = shop.functions.function(arguments.get("functionHandle"), arguments.get("functionId"))
    assert function is not None, "an unknown function was refused"
    metafields = created_metafields(arguments.get("metafields") or (), {})
    made = CartTransform(shop.new_id(), function.id, bool(arguments.get("blockOnFailure")), metafields)
    shop.functions.cart_transforms.append(made)
    return {"cartTransform": cart_transform_node(made), "userErrors": []}


def delete_cart_transform(shop: Shop, arguments: Arguments) -> Node:
    number = number_of("CartTransform", arguments["id"])
    found = [one for one in shop.functions.cart_transforms if one.id == number]
    if not found:
        error = user_error("Could not find cart transform.", "id", code="NOT_FOUND")
        return {"deletedId": None, "userErrors": [error]}
    shop.functions.cart_transforms.remove(found[0])
    return {"deletedId": arguments["id"], "userErrors": []}


def _errors(shop: Shop, arguments: Arguments) -> Iterator[Node]:
    handle, id_ = arguments.get("functionHandle"), arguments.get("functionId")
    name = "functionHandle" if handle else "functionId"
    if not handle and not id_:
        message = "Either function_id or function_handle must be provided."
        yield user_error(message, name, code="MISSING_FUNCTION_IDENTIFIER")
        return
    if handle and id_:
        message = "Only one of function_id or function_handle can be provided, not both."
        yield user_error(message, name, code="MULTIPLE_FUNCTION_IDENTIFIERS")
        return
    yield from _function_errors(shop, name, str(handle or id_))
    if metafield_errors(arguments.get("metafields") or (), "metafields"):
        yield user_error("Could not create or update metafields.", "metafields", code="INVALID_METAFIELDS")


def _function_errors(shop: Shop, name: str, given: str) -> Iterator[Node]:
    function = shop.functions.function(given, given)
    if function is None:
        yield user_error(f"Function {given} not found. {HINT}", name, code="FUNCTION_NOT_FOUND")
    elif not shop.functions.eligible:
        message = "Shop must be on a Shopify Plus plan to activate functions from a custom app."
        yield user_error(message, name, code="CUSTOM_APP_FUNCTION_NOT_ELIGIBLE")
    elif function.api_type != CART_TRANSFORM:
        message = "Unexpected Function API. The provided function must implement one of the cart_transform targets."
        yield user_error(message, name, code="FUNCTION_DOES_NOT_IMPLEMENT")
    elif any(one.function_id == function.id for one in shop.functions.cart_transforms):
        message = "Could not enable cart transform because it is already registered."
        yield user_error(message, name, code="FUNCTION_ALREADY_REGISTERED")
    elif shop.functions.cart_transforms:
        message = "The maximum number of cart transforms per shop has been reached."
        yield user_error(message, name, code="MAXIMUM_CART_TRANSFORMS")
