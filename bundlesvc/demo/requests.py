"""The cart that the checkout simulator accepts, in the format of a platform's cart."""

from typing import Any

from marshmallow import EXCLUDE, Schema, fields, post_load, validate

from bundlesvc.api.requests.fields import NOT_AN_OBJECT, Country, ShortList, Text, WholeNumber
from bundlesvc.demo.simulate_checkout import Cart, CartItem
from bundlesvc.domain.identifiers import MAX_ID

MAX_CART_ITEMS = 500
MAX_QUANTITY = 1_000_000

_OBJECT = {"type": NOT_AN_OBJECT, "invalid": NOT_AN_OBJECT}


class CartItemSchema(Schema):
    """An item of an add-to-cart request."""

    error_messages = _OBJECT

    class Meta:
        unknown = EXCLUDE

    id = WholeNumber(required=True, validate=validate.Range(1, MAX_ID, error="Must be from {min} to {max}."))
    quantity = WholeNumber(
        required=True, validate=validate.Range(1, MAX_QUANTITY, error="Must be from {min} to {max}.")
    )
    properties = fields.Dict(keys=Text(), values=Text(), allow_none=True, error_messages={"invalid": NOT_AN_OBJECT})

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> CartItem:
        return CartItem(data["id"], data["quantity"], data.get("properties") or {})


class AttributesSchema(Schema):
    """The attributes of a cart; only `_bundles` is read."""

    error_messages = _OBJECT

    class Meta:
        unknown = EXCLUDE

    bundles = Text(data_key="_bundles", allow_none=True)


class CartSchema(Schema):
    """A cart."""

    error_messages = _OBJECT

    class Meta:
        unknown = EXCLUDE

    items = ShortList(
        fields.Nested(CartItemSchema, error_messages={"null": NOT_AN_OBJECT}), MAX_CART_ITEMS, "items", required=True
    )
    attributes = fields.Nested(AttributesSchema, allow_none=True)
    countryCode = Country(allow_none=True)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> Cart:
        attributes = data.get("attributes") or {}
        return Cart(tuple(data["items"]), attributes.get("bundles"), data.get("countryCode"))
