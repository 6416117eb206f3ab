"""The response schemas for pricing and configuring a selection, and for reading a configured bundle."""

from marshmallow import fields
from marshmallow.validate import OneOf

from bundlesvc.api.responses.errors import DetailSchema
from bundlesvc.api.responses.fields import (
    ResponseSchema,
    amount,
    described,
    flag,
    many,
    number,
    platform_id,
    presentment_amount,
    text,
)
from bundlesvc.domain.bundle import BUNDLE_TYPES, DISCOUNT_TYPES, SUBSCRIPTION_UNITS
from bundlesvc.domain.pricing.selection_price import NO_DISCOUNT


class PricingSchema(ResponseSchema):
    """The price of a selection in the shop's currency."""

    originalPrice = amount("Before discounts.", "29.70")
    discountedPrice = amount("After discounts.", "26.73")
    discountType = text(
        "`none` when no discount applied.", "percentage", validate=OneOf((NO_DISCOUNT, *DISCOUNT_TYPES))
    )
    discountValue = amount("The discount's value after tiers; `0.00` when no discount applied.", "10.00")
    currency = text("The shop's currency code.", "EUR")


class PresentmentSchema(ResponseSchema):
    """The price of a selection in the market's currency, with all decimals of that currency: none for JPY, three for KWD."""

    originalPrice = presentment_amount("Before discounts: the sum of the variants' presentment prices.", "28.23")
    discountedPrice = presentment_amount("After the same discounts as in the shop's currency.", "25.41")
    currency = text("The market's currency code.", "CHF")


_IN_ANOTHER_CURRENCY = {
    "description": "What the selection costs in the market's currency. Present when `countryCode` has a market with another "
    "currency than the shop."
}


class PriceResultSchema(PricingSchema):
    """The price of a selection in the shop's currency, and in the market's currency if it differs."""

    presentment = fields.Nested(PresentmentSchema, metadata=_IN_ANOTHER_CURRENCY)


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
    """Attributes to merge into the cart's attributes."""

    _bundles = text(
        "A JSON object with one entry, by configured bundle. Merge it into the attribute's existing value.",
        '{"4503599627370496":{}}',
    )


class CartPayloadSchema(ResponseSchema):
    """What to add to the cart for a native bundle."""

    line_items = many(CartLineSchema, "Units of the same variant share a line.")
    attributes = fields.Nested(
        CartAttributesSchema, required=True, metadata={"description": "Attributes to merge into those of the cart."}
    )


class ConfigureResultSchema(ResponseSchema):
    """A configured and stored bundle."""

    configured_bundle_id = number("ID of the configured bundle.", 4503599627370496)
    variant_id = platform_id("The variant to add to the cart when `cart` is null.", "90001")
    product_id = platform_id("The bundle's product.", "9000")
    discount = text(
        "Encrypted discount string for the cart-transform step, valid for 30 days. It leaves out what a subscription saves.",
        "gAAAAABn…",
    )
    subscription_id = number("The pending subscription. Null: none was chosen.", 12, allow_none=True)
    pricing = fields.Nested(PricingSchema, required=True, metadata={"description": "The price of the selection."})
    presentment = fields.Nested(PresentmentSchema, metadata=_IN_ANOTHER_CURRENCY)
    cart = fields.Nested(
        CartPayloadSchema, required=True, allow_none=True, metadata={"description": "Null unless the bundle is native."}
    )


class SelectedUnitSchema(ResponseSchema):
    """One unit of a selection."""

    variant = platform_id("Platform variant ID.", "10011")
    product = platform_id("Platform product ID.", "1001")
    section = number("The section it was chosen in. 0: no section.", 1)
    personalisation = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata=described("Answers by the key of their field; a ticked box is `true`. Absent without answers.", {}),
    )


class ChosenSubscriptionSchema(ResponseSchema):
    """The subscription option that was chosen, without the e-mail address."""

    id = number("`groupId` of the selling plan.", 7)
    frequency = number("The number of units between deliveries.", 1)
    unit = text("The unit of the cadence.", "month", validate=OneOf(SUBSCRIPTION_UNITS))


class ConfiguredSelectionSchema(ResponseSchema):
    """A selection in the form that `configure` accepts. For a subscription, the e-mail address must be added."""

    products = many(SelectedUnitSchema, "One entry per unit.")
    countryCode = text("ISO 3166-1 alpha-2. Null: none was given.", "US", allow_none=True)
    subscription = fields.Nested(
        ChosenSubscriptionSchema, metadata={"description": "Absent when no subscription was chosen."}
    )


class ConfiguredBundleSchema(ResponseSchema):
    """A configured bundle, in a form that can be edited."""

    configuredBundleId = number("ID of the configured bundle.", 4503599627370496)
    bundleId = number("Bundle ID.", 101)
    type = text("The bundle's type when it was configured.", "native", validate=OneOf(BUNDLE_TYPES))
    selection = fields.Nested(
        ConfiguredSelectionSchema, required=True, metadata={"description": "The configured selection."}
    )
    pricing = fields.Nested(PricingSchema, required=True, metadata={"description": "The price when it was configured."})
    configuredAt = text("When it was configured: ISO 8601, UTC.", "2026-11-22T09:30:00Z")
    stillValid = flag("Whether configure would accept the same selection now.")
    pricingNow = fields.Nested(
        PriceResultSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The price that it would have now. Null unless `stillValid`."},
    )
    details = many(
        DetailSchema,
        "Why configure would refuse it now, as in a 400. Empty when it would not, and when the bundle is no longer there (404).",
    )
