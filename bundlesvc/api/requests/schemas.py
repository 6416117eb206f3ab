"""The main API's request bodies: their schemas, which create the domain's request objects, and the functions that load the
bodies."""

from typing import Any

from marshmallow import fields, post_load, validate

from bundlesvc.api.requests.fields import (
    COUNTRY_SCHEMA,
    EMAIL_SCHEMA,
    PRICE_PATTERN,
    WITHOUT_NUL,
    Country,
    Price,
    RequestSchema,
    Text,
    Uuid,
    WholeNumber,
    id_schema,
)
from bundlesvc.api.requests.parsing import BodyOrError, load_body
from bundlesvc.api.requests.selected_items import Items
from bundlesvc.api.requests.usual_selections import usual_selection
from bundlesvc.domain.bundle import BUNDLE_TYPES, SUBSCRIPTION_UNITS
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.personalisation import MAX_ANSWERS_BYTES
from bundlesvc.domain.selection import MAX_ITEMS, ExpectedPrice, SelectionRequest
from bundlesvc.domain.subscription import SubscriptionChoice

ITEM = {
    "type": "object",
    "required": ["variant", "product", "section"],
    "properties": {
        "variant": {**id_schema("ProductVariant"), "description": "Platform variant ID, numeric or global."},
        "product": {**id_schema("Product"), "description": "Platform product ID, numeric or global."},
        "section": {
            "type": "integer",
            "minimum": 0,
            "maximum": MAX_ID,
            "description": "The section in which the item was chosen; 0 if in none (a required product or a free item).",
        },
        "personalisation": {
            "type": ["object", "null"],
            "additionalProperties": {"type": ["string", "boolean", "null"], "pattern": WITHOUT_NUL},
            "description": "Answers by the key of the product's personalisation field; a checkbox is true or false. The "
            f"answers of all items together may be up to {MAX_ANSWERS_BYTES} bytes long (UTF-8).",
        },
    },
}
_EXAMPLE_ITEMS = [
    {"variant": "10011", "product": "1001", "section": 1},
    {"variant": "10011", "product": "1001", "section": 1},
    {"variant": "10021", "product": "1002", "section": 1},
]


class SubscriptionPriceSchema(RequestSchema):
    """A subscription option: one of the bundle's `sellingPlans`."""

    id = WholeNumber(
        required=True,
        metadata={
            "description": "The `groupId` of the selling plan.",
            "minimum": 1,
            "maximum": MAX_ID,
            "example": 7,
        },
    )
    frequency = WholeNumber(
        required=True,
        metadata={
            "description": "The number of units between deliveries.",
            "minimum": 1,
            "maximum": MAX_ID,
            "example": 1,
        },
    )
    unit = Text(
        required=True,
        metadata={"description": "The unit of `frequency`.", "enum": SUBSCRIPTION_UNITS, "example": "month"},
    )

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> SubscriptionChoice:
        return SubscriptionChoice(data["id"], data["frequency"], data["unit"], data.get("email"))


class SubscriptionSchema(SubscriptionPriceSchema):
    """A subscription option and the subscriber."""

    email = Text(
        required=True,
        metadata={"description": "The subscriber's e-mail address.", **EMAIL_SCHEMA, "example": "mira@mail.example"},
    )


class BundleContentSchema(RequestSchema):
    """The result of the client's own evaluation of the conditions."""

    conditionsDiscount = fields.Raw(
        allow_none=True,
        metadata={
            "description": "The `{type, value}` of the discount that the client calculated. The request is refused if "
            "the service calculates another discount.",
            "type": "object",
            "example": None,
        },
    )


class PriceRequestSchema(RequestSchema):
    """A selection to price."""

    products = Items(
        required=True,
        metadata={
            "description": "The selection: 1 to 200 entries, one per unit.",
            "type": "array",
            "minItems": 1,
            "maxItems": MAX_ITEMS,
            "items": ITEM,
            "example": _EXAMPLE_ITEMS,
        },
    )
    countryCode = Country(
        allow_none=True,
        metadata={
            "description": "The country whose market prices apply: ISO 3166-1 alpha-2, in upper or lower case.",
            **COUNTRY_SCHEMA,
            "example": "US",
        },
    )
    subscription = fields.Nested(
        SubscriptionPriceSchema,
        allow_none=True,
        metadata={"description": "The subscription option to include in the price.", "example": None},
    )
    bundleContent = fields.Nested(
        BundleContentSchema,
        allow_none=True,
        metadata={
            "description": "The result of the client's own evaluation of the conditions, to be checked.",
            "example": None,
        },
    )

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> SelectionRequest:
        return SelectionRequest(
            units=data["products"],
            type=data.get("type"),
            country=data.get("countryCode"),
            subscription=data.get("subscription"),
            visitor_id=data.get("visitorId"),
            conditions_discount=(data.get("bundleContent") or {}).get("conditionsDiscount"),
            expected=ExpectedPrice(data.get("expectedPrice"), data.get("expectedPresentment")),
        )


class ConfigureRequestSchema(PriceRequestSchema):
    """A selection to configure."""

    type = Text(
        required=True,
        validate=validate.OneOf(BUNDLE_TYPES, error="Must be one of: {choices}."),
        metadata={"description": "The bundle's type.", "example": "native"},
    )
    subscription = fields.Nested(
        SubscriptionSchema,
        allow_none=True,
        metadata={"description": "The option to subscribe to. The subscription is stored as pending.", "example": None},
    )
    expectedPrice = Price(
        allow_none=True,
        metadata={
            "description": "The price that the shopper was shown, in the shop's currency: the `discountedPrice` of a price "
            "response. If the price now differs, nothing is configured (`price_changed`).",
            "pattern": f"^{PRICE_PATTERN}$",
            "example": None,
        },
    )
    expectedPresentment = Price(
        allow_none=True,
        metadata={
            "description": "The price that the shopper was shown, in the currency of the country's market: the `discountedPrice` "
            "of `presentment`, or the price in the shop's currency if the response has no `presentment`.",
            "pattern": f"^{PRICE_PATTERN}$",
            "example": None,
        },
    )
    visitorId = Uuid(
        allow_none=True, metadata={"description": "The visitor's id, for A/B tests.", "format": "uuid", "example": None}
    )


_PRICE, _CONFIGURE = PriceRequestSchema(), ConfigureRequestSchema()


def price_request(body: BodyOrError) -> SelectionRequest:
    """Load the selection to price. Raises the same errors as `load_body`."""
    usual = usual_selection(body, configure=False) if isinstance(body, bytes) else None
    return load_body(body, _PRICE) if usual is None else usual


def configure_request(body: BodyOrError) -> SelectionRequest:
    """Load the selection to configure. Raises the same errors as `load_body`."""
    usual = usual_selection(body, configure=True) if isinstance(body, bytes) else None
    return load_body(body, _CONFIGURE) if usual is None else usual
