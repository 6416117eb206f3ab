"""The shapes that the main API answers, for the OpenAPI document and for the tests that hold every answer to it.

Field names, types and meanings are those of the spec; `rendering.py` makes the answers.
"""

from itertools import chain

from marshmallow import INCLUDE, RAISE, Schema, fields
from marshmallow.validate import OneOf, Regexp

from bundlesvc.api.errors import CODES, FAULT_CODES
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
from bundlesvc.domain.comparison import COMPARISONS
from bundlesvc.domain.limit_rules import LIMIT_RULE_TYPES
from bundlesvc.domain.personalisation import FIELD_TYPES
from bundlesvc.domain.pricing import NO_DISCOUNT
from bundlesvc.domain.product import PRODUCT_STATUSES
from bundlesvc.domain.rate_limit import COSTLY_RESULTS
from bundlesvc.domain.shop import FEATURES
from bundlesvc.domain.weight import WEIGHT_UNITS

_AMOUNT = Regexp(r"^[0-9]+\.[0-9]{2}$")
_NUMERIC = Regexp(r"^[1-9][0-9]{0,15}$")
_DECIMAL = Regexp(r"^[0-9]+(\.[0-9]+)?$")


class Answer(Schema):
    """Nothing beyond the fields named here goes on the wire."""

    class Meta:
        unknown = RAISE


def text(description: str, example: str = "", **options: object) -> fields.String:
    return fields.String(required=True, metadata=_metadata(description, example), **options)  # type: ignore[arg-type]


def number(description: str, example: int = 1, **options: object) -> fields.Integer:
    return fields.Integer(required=True, metadata=_metadata(description, example), **options)  # type: ignore[arg-type]


def flag(description: str, *, example: bool = True, **options: object) -> fields.Boolean:
    return fields.Boolean(required=True, metadata=_metadata(description, example), **options)  # type: ignore[arg-type]


def texts(description: str, example: str | None = None) -> fields.List[str]:
    examples = [] if example is None else [example]
    return fields.List(fields.String(), required=True, metadata=_metadata(description, examples))


def amount(description: str, example: str = "19.90", **options: object) -> fields.String:
    """Money or a percentage: always two decimals."""
    return text(description, example, validate=_AMOUNT, **options)


def platform_id(description: str, example: str = "1001") -> fields.String:
    return text(description, example, validate=_NUMERIC)


def many(schema: type[Schema], description: str) -> fields.List[dict[str, object]]:
    return fields.List(fields.Nested(schema), required=True, metadata={"description": description})


def _metadata(description: str, example: object) -> dict[str, object]:
    return {"description": description, "example": example}


class BundleSummarySchema(Answer):
    """A published bundle, as the list has it."""

    id = number("Bundle ID.", 101)
    name = text("Display name.", "Build your own coffee box")
    description = text("May be empty.", "Three bags or more, at your pace.")
    imageUrl = text("May be empty.", "/storefront/demo/images/coffee-box.svg")
    type = text("What configure makes of it.", "native", validate=OneOf(BUNDLE_TYPES))
    bundlingOption = text("Normally `bundles`; handle unknown values defensively.", "bundles")
    published = flag("Always true in the list; a test key also reads unpublished bundles by id.")


class TierSchema(Answer):
    """One step of a tiered discount."""

    type = text("What is measured.", "total_products", validate=OneOf(TIER_TYPES))
    value = text("The threshold, a decimal string.", "3", validate=_DECIMAL)
    operation = text("How they are compared.", "gte", validate=OneOf(tuple(COMPARISONS)))
    discount = amount("Read by the discount's own type.", "10.00")
    customText = text("Merchant copy override; null when unset.", "10 % off three", allow_none=True)


class DiscountSchema(Answer):
    """A bundle's own discount."""

    type = text(
        "`percentage` off, a `fixed` amount off, or the bundle costs the `price`.",
        "percentage",
        validate=OneOf(DISCOUNT_TYPES),
    )
    value = amount("Percent, or an amount in shop currency.", "10.00")
    flatOrTiered = text("Whether `tiers` decide the value.", TIERED, validate=OneOf((FLAT, TIERED)))
    minimum = amount("The amount from which it applies; null when unset.", "20.00", allow_none=True)
    operator = text(
        "`max`: the best tier wins; `cumulative`: matching tiers add up.",
        MAX,
        allow_none=True,
        validate=OneOf((MAX, CUMULATIVE, None)),
    )
    tiers = many(TierSchema, "Empty for a flat discount.")


class SectionProductSchema(Answer):
    """A product offered in a section."""

    bundleItemId = number("Unique within the bundle.", 7)
    platformProductId = platform_id("Platform product ID.", "1001")
    variantIds = texts("Empty means all variants are allowed.", "10011")


class SectionSchema(Answer):
    """A step of the bundle."""

    id = number("Section ID, unique within the bundle.", 1)
    name = text("What shoppers read.", "Coffee")
    description = text("May be empty.", "Choose your beans.")
    imageUrl = text("May be empty.", "")
    order = number("Position.", 0)
    autoNextSection = flag("Whether to move on once this step is satisfied.", example=False)
    products = many(SectionProductSchema, "What can be chosen in this step.")


class RequiredProductSchema(Answer):
    """A product that must be in every selection."""

    platformProductId = platform_id("Platform product ID.", "1001")
    variantIds = texts("Empty means any variant counts.")
    quantity = number("How many of it must be there.", 1)


class LimitRuleSchema(Answer):
    """A bound on a measure of the selection."""

    type = text("What is measured.", "total-number-of-products", validate=OneOf(LIMIT_RULE_TYPES))
    operation = text("gt, gte, lt, lte or eq; not read for `multiples-of`.", "gte")
    value = text("A decimal string; for weights in `weightUnit`.", "3")
    sectionId = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "Null when the rule is not tied to a section.", "example": None},
    )


class SellingPlanSchema(Answer):
    """One way to subscribe."""

    sellingPlanId = text("The platform's selling plan; empty when it has none.", "")
    name = text("The recurring group.", "Coffee on time")
    cadenceLabel = text("The cadence in words.", "Every 2 weeks")
    savingPercent = amount("Taken off what is left after the bundle's discount.", "5.00")
    groupId = number("`subscription.id` of a request.", 7)
    frequency = number("Every so many units.", 2)
    unit = text("The unit of the cadence.", "week", validate=OneOf(SUBSCRIPTION_UNITS))
    required = flag("Whether the bundle is sold by subscription only.", example=False)


class FeeSchema(Answer):
    """What a personalised item costs extra, as a line of its own."""

    variantId = platform_id("The variant of the fee's own cart line.", "90011")
    amount = amount("What the fee costs.", "2.50")
    currencyCode = text("The currency of `amount`.", "EUR")


class PersonalisationFieldSchema(Answer):
    """A field that a shopper fills in for a product."""

    id = text("Unique within the product.", "engraving")
    key = text("The key of the answer on a selected item.", "engraving")
    label = text("What shoppers read; the name of the cart line's property.", "Engraving")
    type = text("How it is answered.", "text", validate=OneOf(FIELD_TYPES))
    required = flag("Whether each unit needs an answer.", example=False)
    placeholder = text("May be empty.", "Your name")
    characterLimit = number(
        "In UTF-16 units; 500 for a text that sets none, null for another type that sets none.", 20, allow_none=True
    )
    options = texts("What a dropdown offers.")
    helpText = text("May be empty.", "")
    fee = fields.Nested(
        FeeSchema, required=True, allow_none=True, metadata={"description": "What an answer costs; null when nothing."}
    )


class BundleSchema(BundleSummarySchema):
    """A bundle's full configuration."""

    layout = text("All sections at once, or one after the other.", "multiple-sections", validate=OneOf(LAYOUTS))
    discount = fields.Nested(
        DiscountSchema, required=True, allow_none=True, metadata={"description": "Null when there is none."}
    )
    sections = many(SectionSchema, "The steps, in order.")
    requiredProducts = many(RequiredProductSchema, "What every selection must hold.")
    limitRules = many(LimitRuleSchema, "What a selection must meet to be configured.")
    weightUnit = text("Shop weight unit.", "kg", validate=OneOf(WEIGHT_UNITS))
    conditionsEngineEnabled = flag("Whether the bundle has conditions.", example=False)
    conditionsEngineNodes = fields.List(
        fields.Dict(),
        metadata={"description": "The rule graph; there when the shop's conditions feature is on.", "example": []},
    )
    conditionsPartial = flag("Whether nodes that cannot be run headless were stripped.", example=False)
    sellingPlans = fields.List(
        fields.Nested(SellingPlanSchema), metadata={"description": "There when the bundle can be subscribed to."}
    )
    personalisation = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.Nested(PersonalisationFieldSchema)),
        metadata={"description": "Fields by platform product ID; there when the bundle has some.", "example": {}},
    )


class SwatchSchema(Answer):
    """How an option value looks."""

    color = text("`#RRGGBB`, or empty.", "#C02020")
    imageUrl = text("May be empty.", "")


class OptionSchema(Answer):
    """A dimension that variants differ in."""

    name = text("What the option is called.", "Grind")
    position = number("Counts from 1.", 1)
    values = texts("In platform order.", "Whole bean")
    swatches = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(SwatchSchema),
        required=True,
        metadata={"description": "By value.", "example": {"Whole bean": {"color": "#4A2C1A", "imageUrl": ""}}},
    )


class VariantSchema(Answer):
    """One thing that can be bought. The market fields are there when `countryCode` was sent."""

    platformVariantId = platform_id("Platform variant ID.", "10011")
    platformVariantGid = text("Global ID.", "gid://platform/ProductVariant/10011")
    title = text("`Default Title` when the variant has no name of its own.", "250 g / Whole bean")
    price = amount("Shop currency.", "9.90")
    compareAtPrice = amount("The variant's own compare-at price, when set.", "11.90", allow_none=True)
    sku = text("May be empty.", "HS-250-W")
    available = flag("Base-store purchasability.")
    inventoryQuantity = number("May be negative.", 48)
    grams = number("Weight in grams.", 250)
    optionValues = texts("In the order of the product's options.", "Whole bean")
    image = fields.String(metadata={"description": "There when the variant has its own image.", "example": ""})
    presentmentPrice = fields.String(
        validate=_AMOUNT, metadata={"description": "In the market's currency.", "example": "11.43"}
    )
    presentmentCurrency = fields.String(metadata={"description": "The market's currency.", "example": "USD"})
    priceInShopCurrency = fields.String(
        validate=_AMOUNT, metadata={"description": "The market's price in shop currency.", "example": "10.39"}
    )
    availableForSale = fields.Boolean(
        metadata={"description": "False: not sold in that market. Speaks of the market alone, not of stock."}
    )


class ProductSchema(Answer):
    """A platform product with all its variants."""

    platformProductId = platform_id("Platform product ID.", "1001")
    platformProductGid = text("Global ID.", "gid://platform/Product/1001")
    title = text("What shoppers read.", "House Espresso")
    handle = text("The product's name in addresses.", "house-espresso")
    imageUrl = text(
        "May be empty; one that begins with `/` is on this service.", "/storefront/demo/images/house-espresso.svg"
    )
    status = text("Archived and draft products cannot be configured.", "ACTIVE", validate=OneOf(PRODUCT_STATUSES))
    tags = texts("Without the service's own control tags.", "coffee")
    descriptionHtml = text("Raw platform HTML; sanitise before rendering.", "<p>Chocolate, hazelnut.</p>")
    options = many(OptionSchema, "In platform order; each variant's `optionValues` follow it.")
    variants = many(VariantSchema, "All of them: a section's `variantIds` restrict the choice, not this list.")


class ProductsSchema(Answer):
    """A bundle's products in order of first use."""

    products = many(ProductSchema, "What sections and required products name.")


class PricingSchema(Answer):
    """What a selection costs, in shop currency."""

    originalPrice = amount("Before discount.", "29.70")
    discountedPrice = amount("What is to be paid.", "26.73")
    discountType = text(
        "`none` when nothing is taken off.", "percentage", validate=OneOf((NO_DISCOUNT, *DISCOUNT_TYPES))
    )
    discountValue = amount("The discount's value after tiers.", "10.00")
    currency = text("Shop currency code.", "EUR")


class LineItemSchema(Answer):
    """An item of a platform add-to-cart call."""

    id = number("Variant.", 10011)
    quantity = number("Units of the variant.", 3)
    properties = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={
            "description": "`_bundle_data`: configured bundle, parent variant and the call's unique id.",
            "example": {"_bundle_data": "4503599627370496#90001#0f1e2d3c4b5a69788796a5b4c3d2e1f0"},
        },
    )


class CartAttributesSchema(Answer):
    """Cart attributes to merge."""

    _bundles = text(
        "A one-entry JSON map by configured bundle; merge it into an existing value.", '{"4503599627370496":{}}'
    )


class CartSchema(Answer):
    """What a native bundle puts into the cart."""

    line_items = many(LineItemSchema, "Equal variants are one line.")
    attributes = fields.Nested(
        CartAttributesSchema, required=True, metadata={"description": "What goes into the cart's attributes."}
    )


class ConfiguredSchema(Answer):
    """A configured bundle, stored."""

    configured_bundle_id = number("ID of the configured bundle.", 4503599627370496)
    variant_id = platform_id("Variant to add to the cart.", "90001")
    product_id = platform_id("Product of the bundle.", "9000")
    discount = text(
        "Encrypted discount string for the cart-transform step, valid for 30 days. It never contains what a subscription saves.",
        "gAAAAABn…",
    )
    subscription_id = number("The pending subscription, when one was chosen.", 12, allow_none=True)
    pricing = fields.Nested(PricingSchema, required=True, metadata={"description": "What is to be paid."})
    cart = fields.Nested(CartSchema, required=True, allow_none=True, metadata={"description": "Native bundles only."})


class SettingsSchema(Answer):
    """Shop settings."""

    activeFeatures = fields.List(
        fields.String(validate=OneOf(FEATURES)),
        required=True,
        metadata={"description": "What the shop has switched on.", "example": ["subscriptions"]},
    )
    currency = text("Shop currency code.", "EUR")
    moneyFormat = text("Holds an `{{amount}}` placeholder.", "€{{amount}}")
    weightUnit = text("Shop weight unit.", "kg", validate=OneOf(WEIGHT_UNITS))


class DetailSchema(Answer):
    """One fault of an input, or one rule that is not met."""

    path = text("Where.", "limitRules.0")
    code = text("A stable code.", "limit_not_met", validate=OneOf(sorted({*chain.from_iterable(FAULT_CODES.values())})))
    message = text("A sentence for a person.", "Choose at least 3 items for the bundle; now there are 2.")
    rule = fields.String(
        validate=OneOf(LIMIT_RULE_TYPES),
        metadata={"description": "The rule's type.", "example": "total-number-of-products"},
    )
    operation = fields.String(metadata={"description": "The rule's operation.", "example": "gte"})
    sectionId = fields.Integer(
        allow_none=True, metadata={"description": "The section that was measured; null for all.", "example": None}
    )
    limit = fields.String(metadata={"description": "What was asked for, in the rule's unit.", "example": "3"})
    actual = fields.String(metadata={"description": "What there is.", "example": "2"})
    missing = fields.String(metadata={"description": "What must be added; 0 when there is too much.", "example": "1"})
    alternatives = fields.List(
        fields.String(),
        metadata={"description": "Limits of which one must be met; `limit` is the nearest.", "example": ["3", "6"]},
    )
    platformProductId = fields.String(metadata={"description": "The product it is about.", "example": "1001"})
    platformVariantId = fields.String(metadata={"description": "The variant it is about.", "example": "10011"})
    conditionsDiscount = fields.Dict(
        allow_none=True, metadata={"description": "What the server came to; null for none.", "example": None}
    )


class ErrorSchema(Answer):
    """Every error answer."""

    error = text("One sentence for a person.", "The selection does not meet the rules of this bundle.")
    code = text("A stable code.", "rules_not_met", validate=OneOf(CODES))
    requestId = text(
        "Also in the header X-Request-Id; name it when you ask for help.", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    )
    detail = fields.String(metadata={"description": "404 only."})
    details = fields.List(fields.Nested(DetailSchema), metadata={"description": "400 only: every fault at once."})
    limit = fields.String(
        validate=OneOf(COSTLY_RESULTS),
        metadata={"description": "429 only, when a visitor made too many of a costly result: which one."},
    )


class HealthSchema(Answer):
    """How the process is."""

    status = text("`ok` or `ready`.", "ok")


class DocumentSchema(Schema):
    """An OpenAPI document."""

    class Meta:
        unknown = INCLUDE

    openapi = text("The version of OpenAPI.", "3.1.0")
