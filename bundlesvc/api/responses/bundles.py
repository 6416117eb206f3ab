"""The response schemas for bundles: sections, rules, discount, selling plans and personalisation fields."""

from marshmallow import fields
from marshmallow.validate import OneOf

from bundlesvc.api.responses.fields import (
    AMOUNT,
    DECIMAL,
    ResponseSchema,
    amount,
    described,
    flag,
    many,
    number,
    platform_id,
    text,
    texts,
)
from bundlesvc.domain.bundle import (
    BUNDLE_TYPES,
    CUMULATIVE,
    DISCOUNT_TYPES,
    FLAT,
    LAYOUTS,
    MAX,
    SUBSCRIPTION_UNITS,
    TIER_TYPES,
    TIERED,
)
from bundlesvc.domain.measures import COMPARISONS, WEIGHT_UNITS
from bundlesvc.domain.personalisation import FIELD_TYPES
from bundlesvc.domain.rules.rule_types import RULE_TYPES


class _BundleFields(ResponseSchema):
    """The fields that bundles in lists and single bundles have in common."""

    id = number("Bundle ID.", 101)
    name = text("Display name.", "Build your own coffee box")
    description = text("A description for shoppers. May be empty.", "Three bags or more, at your pace.")
    imageUrl = text("The URL of an image. May be empty.", "/storefront/demo/images/coffee-box.svg")
    type = text(
        "How the bundle is sold: `native` as separate cart lines, the other types as one variant of the bundle's product.",
        "native",
        validate=OneOf(BUNDLE_TYPES),
    )
    bundlingOption = text(
        "A label for storefronts, normally `bundles`. Accept unknown values: old bundles may have others.", "bundles"
    )
    published = flag(
        "Whether the bundle is for sale. Always true in the list; test keys can also read unpublished bundles, by id."
    )


class BundleSummarySchema(_BundleFields):
    """A published bundle as it appears in the list. The last three fields are present with `include=offer`."""

    handle = fields.String(
        metadata=described("The handle of the bundle's own product. Empty if the bundle has none.", "coffee-box")
    )
    fromPrice = fields.String(
        allow_none=True,
        validate=AMOUNT,
        metadata=described(
            "The price of the cheapest selection that can be configured, in the shop's currency. Null if it is not known "
            "exactly.",
            "18.71",
        ),
    )
    discountSummary = fields.String(
        allow_none=True,
        metadata=described("A short summary of the bundle's own discount. Null if there is none.", "Up to 15% off"),
    )


class TierSchema(ResponseSchema):
    """One step of a tiered discount."""

    type = text(
        "What is measured: all units, the units of one product, or the price.",
        "total_products",
        validate=OneOf(TIER_TYPES),
    )
    value = text("The threshold, as a decimal string.", "3", validate=DECIMAL)
    operation = text("How the measured quantity is compared with `value`.", "gte", validate=OneOf(tuple(COMPARISONS)))
    discount = amount("A percentage, an amount or a price, depending on the discount's `type`.", "10.00")
    customText = text("The merchant's own wording for this tier, or null.", "10% off three", allow_none=True)


class DiscountSchema(ResponseSchema):
    """The bundle's own discount."""

    type = text(
        "`percentage` off, a `fixed` amount off, or a `price` for the whole bundle.",
        "percentage",
        validate=OneOf(DISCOUNT_TYPES),
    )
    value = amount("A percentage, or an amount in the shop's currency.", "10.00")
    flatOrTiered = text("`flat`: `value` applies. `tiered`: the `tiers` apply.", TIERED, validate=OneOf((FLAT, TIERED)))
    minimum = amount("The lowest amount to which the discount applies, or null.", "20.00", allow_none=True)
    operator = text(
        "`max` or null: of the tiers reached, the one that reduces the price most applies. `cumulative`: they are added up.",
        MAX,
        allow_none=True,
        validate=OneOf((MAX, CUMULATIVE, None)),
    )
    tiers = many(TierSchema, "The tiers. Empty for a flat discount.")


class SectionProductSchema(ResponseSchema):
    """A product offered in a section."""

    bundleItemId = number("The id of this entry, unique within the bundle.", 7)
    platformProductId = platform_id("Platform product ID.", "1001")
    variantIds = texts("The variants that may be chosen. If empty, all variants of the product.", "10011")


class SectionSchema(ResponseSchema):
    """One step of the bundle."""

    id = number("Section ID, unique within the bundle.", 1)
    name = text("Display name.", "Coffee")
    description = text("A description for shoppers. May be empty.", "Choose your beans.")
    imageUrl = text("The URL of an image. May be empty.", "")
    order = number("Position among the sections.", 0)
    autoNextSection = flag("Whether to move on to the next section when this one is complete.", example=False)
    products = many(SectionProductSchema, "The products to choose from.")


class RequiredProductSchema(ResponseSchema):
    """A product that every selection must contain."""

    platformProductId = platform_id("Platform product ID.", "1001")
    variantIds = texts("The variants that count towards `quantity`. If empty, all variants of the product.")
    quantity = number("How many units are required.", 1)


class LimitRuleSchema(ResponseSchema):
    """A limit on the selection."""

    type = text("What is measured.", "total-number-of-products", validate=OneOf(tuple(RULE_TYPES)))
    operation = text("How the measured quantity is compared with `value`. Ignored for `multiples-of`.", "gte")
    value = text("The limit, as a decimal string. Weights are in `weightUnit`.", "3")
    sectionId = fields.Integer(
        required=True,
        allow_none=True,
        metadata=described("The section that is measured. Null for the whole bundle.", None),
    )


class SellingPlanSchema(ResponseSchema):
    """A subscription option. A request selects it by `groupId`, `frequency` and `unit`."""

    sellingPlanId = text("The id of the platform's selling plan. Empty if the platform has none.", "")
    name = text("The name of the group that contains the option.", "Coffee on time")
    cadenceLabel = text("The cadence in words, in the language of the request or of the shop.", "Every 2 weeks")
    savingPercent = amount("The percentage off each delivery, after the bundle's discount.", "5.00")
    groupId = number("The id to send as `subscription.id`.", 7)
    frequency = number("The number of units between deliveries.", 2)
    unit = text("The unit of `frequency`.", "week", validate=OneOf(SUBSCRIPTION_UNITS))
    required = flag("Whether the bundle is sold by subscription only.", example=False)


class PersonalisationFeeSchema(ResponseSchema):
    """The fee for an answer. It is a separate cart line and not part of the pricing."""

    variantId = platform_id("The variant that is added to the cart for the fee.", "90011")
    amount = amount("The fee for one unit.", "2.50")
    currencyCode = text("The currency of `amount`.", "EUR")


class PersonalisationFieldSchema(ResponseSchema):
    """A field that a shopper fills in for a product."""

    id = text("The field's id, unique within the product.", "engraving")
    key = text("The key of the answer in `products[].personalisation`.", "engraving")
    label = text(
        "The label in the language of the request. The name of the cart line's property is the label in the shop's language.",
        "Engraving",
    )
    type = text("How shoppers answer.", "text", validate=OneOf(FIELD_TYPES))
    required = flag("Whether every unit needs an answer.", example=False)
    placeholder = text("A hint to show in the empty field. May be empty.", "Your name")
    characterLimit = number(
        "The maximum length of an answer in UTF-16 code units, as in `maxlength`. The default is 500 for text, null otherwise.",
        20,
        allow_none=True,
    )
    options = texts("The choices of a dropdown, the same in every language. The answer is one of them.")
    optionLabels = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=described("The label of each choice, in the language of the request.", {}),
    )
    helpText = text("An explanation to show below the field. May be empty.", "")
    fee = fields.Nested(
        PersonalisationFeeSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The fee for an answer. Null if there is none."},
    )


class BundleSchema(_BundleFields):
    """The full configuration of a bundle."""

    layout = text(
        "Whether sections are shown all at once or one after the other.", "multiple-sections", validate=OneOf(LAYOUTS)
    )
    discount = fields.Nested(
        DiscountSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The bundle's own discount. Null if there is none."},
    )
    sections = many(SectionSchema, "The steps, in order.")
    requiredProducts = many(RequiredProductSchema, "The products that every selection must contain.")
    limitRules = many(LimitRuleSchema, "The rules that a selection must meet to be configured.")
    weightUnit = text("The shop's unit of weight.", "kg", validate=OneOf(WEIGHT_UNITS))
    conditionsEngineEnabled = flag("Whether the bundle has conditions.", example=False)
    conditionsEngineNodes = fields.List(
        fields.Dict(),
        metadata=described("The nodes of the conditions. Present when the shop has the `conditions` feature.", []),
    )
    conditionsPartial = flag("Whether the service left out condition nodes that it cannot evaluate.", example=False)
    sellingPlans = fields.List(
        fields.Nested(SellingPlanSchema),
        metadata={"description": "The subscription options. Present when the bundle offers subscriptions."},
    )
    personalisation = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.Nested(PersonalisationFieldSchema)),
        metadata=described(
            "Fields by platform product ID. Present when the shop has the `personalisation` feature and the bundle has fields.",
            {},
        ),
    )
