"""What price and configure send: the pricing, and a configured bundle with its cart payload."""

from marshmallow import fields
from marshmallow.validate import OneOf

from bundlesvc.api.responses.fields import ResponseSchema, amount, described, many, number, platform_id, text
from bundlesvc.domain.bundle import DISCOUNT_TYPES
from bundlesvc.domain.pricing import NO_DISCOUNT


class PricingSchema(ResponseSchema):
    """What a selection costs, in the shop's currency."""

    originalPrice = amount("Before discounts.", "29.70")
    discountedPrice = amount("After discounts.", "26.73")
    discountType = text(
        "`none` when no discount applied.", "percentage", validate=OneOf((NO_DISCOUNT, *DISCOUNT_TYPES))
    )
    discountValue = amount("The discount's value after tiers; `0.00` when no discount applied.", "10.00")
    currency = text("The shop's currency code.", "EUR")


class CartLineSchema(ResponseSchema):
    """An item of the platform's add-to-cart call."""

    id = number("Variant.", 10011)
    quantity = number("Units of the variant.", 3)
    properties = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=described(
            "`_bundle_data`: configured bundle, parent variant and the unique id of this call.",
            {"_bundle_data": "4503599627370496#90001#0f1e2d3c4b5a69788796a5b4c3d2e1f0"},
        ),
    )


class CartAttributesSchema(ResponseSchema):
    """Cart attributes to merge."""

    _bundles = text(
        "A JSON object with one entry, by configured bundle. Merge it into the attribute's existing value.",
        '{"4503599627370496":{}}',
    )


class CartPayloadSchema(ResponseSchema):
    """What to put into the cart for a native bundle."""

    line_items = many(CartLineSchema, "Units of the same variant share a line.")
    attributes = fields.Nested(
        CartAttributesSchema, required=True, metadata={"description": "Attributes to merge into the cart's own."}
    )


class ConfigureResultSchema(ResponseSchema):
    """A configured bundle, stored."""

    configured_bundle_id = number("ID of the configured bundle.", 4503599627370496)
    variant_id = platform_id("The variant to add to the cart when `cart` is null.", "90001")
    product_id = platform_id("The bundle's product.", "9000")
    discount = text(
        "Encrypted discount string for the cart-transform step, valid for 30 days. It leaves out what a subscription saves.",
        "gAAAAABn…",
    )
    subscription_id = number("The pending subscription. Null: none was chosen.", 12, allow_none=True)
    pricing = fields.Nested(PricingSchema, required=True, metadata={"description": "What the selection costs."})
    cart = fields.Nested(
        CartPayloadSchema, required=True, allow_none=True, metadata={"description": "Null unless the bundle is native."}
    )
