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

    originalPrice = amount("The price before discounts.", "29.70")
    discountedPrice = amount("The price after discounts.", "26.73")
    discountType = text(
        "The type of the discount that applied, or `none`.",
        "percentage",
        validate=OneOf((NO_DISCOUNT, *DISCOUNT_TYPES)),
    )
    discountValue = amount("The value of the discount, with tiers applied; `0.00` if no discount applied.", "10.00")
    currency = text("The shop's currency code.", "EUR")


class PresentmentSchema(ResponseSchema):
    """The price of a selection in the market's currency, with all decimal places of that currency: none for JPY, three for
    KWD."""

    originalPrice = presentment_amount(
        "The price before discounts: the sum of the variants' presentment prices.", "28.23"
    )
    discountedPrice = presentment_amount("The price after the same discounts as in the shop's currency.", "25.41")
    currency = text("The market's currency code.", "CHF")


_IN_ANOTHER_CURRENCY = {
    "description": "The price of the selection in the market's currency. Present when the market of `countryCode` has a currency "
    "other than the shop's."
}


class PriceResultSchema(PricingSchema):
    """The price of a selection in the shop's currency, and in the market's currency if it differs."""

    presentment = fields.Nested(PresentmentSchema, metadata=_IN_ANOTHER_CURRENCY)


class CartLineSchema(ResponseSchema):
    """An item of the platform's add-to-cart call."""

    id = number("The id of the variant.", 10011)
    quantity = number("The number of units.", 3)
    properties = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=described(
            "`_bundle_data`: the ids of the configured bundle and of the parent variant, and the unique id of this call.",
            {"_bundle_data": "4503599627370496#90001#0f1e2d3c4b5a69788796a5b4c3d2e1f0"},
        ),
    )


class CartAttributesSchema(ResponseSchema):
    """Attributes to merge into the cart's attributes."""

    _bundles = text(
        "A JSON object with one entry, keyed by configured bundle. Merge it into the attribute's existing value.",
        '{"4503599627370496":{}}',
    )


class CartPayloadSchema(ResponseSchema):
    """What to add to the cart for a native bundle."""

    line_items = many(CartLineSchema, "The lines to add. Identical units share a line.")
    attributes = fields.Nested(
        CartAttributesSchema, required=True, metadata={"description": "Attributes to merge into those of the cart."}
    )


class ConfigureResultSchema(ResponseSchema):
    """A configured and stored bundle."""

    configured_bundle_id = number("ID of the configured bundle.", 4503599627370496)
    variant_id = platform_id("The variant to add to the cart when `cart` is null.", "90001")
    product_id = platform_id("The bundle's product.", "9000")
    discount = text(
        "Encrypted discount string for the cart-transform step, valid for 30 days. It excludes the subscription's discount.",
        "gAAAAABn…",
    )
    subscription_id = number("The id of the pending subscription. Null if none was chosen.", 12, allow_none=True)
    pricing = fields.Nested(PricingSchema, required=True, metadata={"description": "The price of the selection."})
    presentment = fields.Nested(PresentmentSchema, metadata=_IN_ANOTHER_CURRENCY)
    cart = fields.Nested(
        CartPayloadSchema,
        required=True,
        allow_none=True,
        metadata={"description": "What to add to the cart. Null unless the bundle is native."},
    )


class SelectedUnitSchema(ResponseSchema):
    """One unit of a selection."""

    variant = platform_id("Platform variant ID.", "10011")
    product = platform_id("Platform product ID.", "1001")
    section = number("The section in which the unit was chosen; 0 if it belongs to no section.", 1)
    personalisation = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata=described("Answers by field key; a ticked checkbox is `true`. Absent if there are no answers.", {}),
    )


class ChosenSubscriptionSchema(ResponseSchema):
    """The subscription option that was chosen, without the e-mail address."""

    id = number("The `groupId` of the selling plan.", 7)
    frequency = number("The number of units between deliveries.", 1)
    unit = text("The unit of `frequency`.", "month", validate=OneOf(SUBSCRIPTION_UNITS))


class ConfiguredSelectionSchema(ResponseSchema):
    """A selection in the form that `configure` accepts. For a subscription, the e-mail address must be added."""

    products = many(SelectedUnitSchema, "One entry per unit.")
    countryCode = text("The country (ISO 3166-1 alpha-2). Null if none was given.", "US", allow_none=True)
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
    pricing = fields.Nested(
        PricingSchema, required=True, metadata={"description": "The price when the bundle was configured."}
    )
    configuredAt = text("When the bundle was configured (ISO 8601, UTC).", "2026-11-22T09:30:00Z")
    stillValid = flag("Whether `configure` would accept the same selection now.")
    pricingNow = fields.Nested(
        PriceResultSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The price of the selection now. Null unless `stillValid` is true."},
    )
    details = many(
        DetailSchema,
        "Why `configure` would refuse the selection now, as in a 400. Empty if it would not, or if the bundle is gone (404).",
    )
