"""The bodies that the main API takes, and the domain's requests that they become."""

from typing import Any

from marshmallow import EXCLUDE, Schema, fields, post_load, validate

from bundlesvc.api.fields import NOT_AN_OBJECT, Country, Items, Text, WholeNumber
from bundlesvc.domain.bundle import BUNDLE_TYPES
from bundlesvc.domain.selection import SelectionRequest
from bundlesvc.domain.subscription import SubscriptionChoice

_OBJECT = {"type": NOT_AN_OBJECT, "invalid": NOT_AN_OBJECT}


class SubscriptionPriceSchema(Schema):
    """An option of the bundle's subscription program."""

    error_messages = _OBJECT

    class Meta:
        unknown = EXCLUDE

    id = WholeNumber(required=True, metadata={"description": "The recurring group.", "example": 7})
    frequency = WholeNumber(required=True, metadata={"example": 1})
    unit = Text(required=True, metadata={"description": "day, week, month or year.", "example": "month"})

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> SubscriptionChoice:
        return SubscriptionChoice(data["id"], data["frequency"], data["unit"], data.get("email"))


class SubscriptionSchema(SubscriptionPriceSchema):
    """An option of the bundle's subscription program, and who subscribes."""

    email = Text(required=True, metadata={"example": "mira@mail.example"})


class BundleContentSchema(Schema):
    """What the client's own evaluation of the bundle's conditions came to."""

    error_messages = _OBJECT

    class Meta:
        unknown = EXCLUDE

    conditionsDiscount = fields.Raw(
        allow_none=True,
        metadata={
            "description": "`{type, value}` of the discount that the conditions came to; checked, never trusted.",
            "example": {"type": "percentage", "value": "15.00"},
        },
    )


class PriceRequestSchema(Schema):
    """A selection to price."""

    error_messages = _OBJECT

    class Meta:
        unknown = EXCLUDE

    products = Items(
        required=True, metadata={"description": "The selection, an entry a unit: at least 1, at most 200."}
    )
    countryCode = Country(
        allow_none=True, metadata={"description": "ISO 3166-1 alpha-2, for market-aware pricing.", "example": "DE"}
    )
    subscription = fields.Nested(SubscriptionPriceSchema, allow_none=True)
    bundleContent = fields.Nested(BundleContentSchema, allow_none=True)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> SelectionRequest:
        return SelectionRequest(
            items=data["products"],
            type=data.get("type"),
            country=data.get("countryCode"),
            subscription=data.get("subscription"),
            conditions_discount=(data.get("bundleContent") or {}).get("conditionsDiscount"),
        )


class ConfigureRequestSchema(PriceRequestSchema):
    """A selection to configure."""

    type = Text(
        required=True,
        validate=validate.OneOf(BUNDLE_TYPES, error="Must be one of: {choices}."),
        metadata={"description": "The bundle's own type.", "example": "native"},
    )
    subscription = fields.Nested(SubscriptionSchema, allow_none=True)
    visitorId = fields.UUID(
        allow_none=True,
        error_messages={"invalid_uuid": "Must be a UUID."},
        metadata={"description": "The visitor of an A/B test."},
    )
