"""The results of the tools, field by field. Results that the API also returns use the API's schemas."""

from marshmallow import fields
from marshmallow.validate import OneOf

from bundlesvc.api.responses.bundles import (
    BundleSummarySchema,
    DiscountSchema,
    LimitRuleSchema,
    PersonalisationFieldSchema,
    SellingPlanSchema,
)
from bundlesvc.api.responses.configured import ConfigureResultSchema, PriceResultSchema
from bundlesvc.api.responses.errors import DetailSchema
from bundlesvc.api.responses.fields import (
    PRESENTMENT_PRICE,
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
from bundlesvc.domain.measures import WEIGHT_UNITS


def _sentence(description: str = "The rule in English.") -> fields.String:
    return text(description)


RULES_FORMAT = "urn:bundlesvc:bundle-rules:1"
"""The `$id` of the schema of rules. A release that changes the meaning of a property increments the number at its end."""


class ListedBundleSchema(BundleSummarySchema):
    """A bundle that shoppers can buy."""

    class Meta:
        exclude = ("imageUrl", "bundlingOption", "published")


class ListSchema(ResponseSchema):
    """A page of the shop's bundles."""

    bundles = many(ListedBundleSchema, "The bundles, by id.")
    currency = text("The shop's currency code. Amounts without a currency of their own are in this currency.", "EUR")
    nextCursor = text("The `cursor` for the next call; null when there are no more bundles.", allow_none=True)


class VariantSchema(ResponseSchema):
    """A variant that can be chosen."""

    variant = platform_id("The id to send as `variant`.", "10011")
    title = text(
        "The product's title, followed by the variant's title if there are several variants.",
        "Morning Blend (whole beans)",
    )
    options = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=described("The variant's value for each option, by the name of the option.", {}),
    )
    price = amount("The price of one unit in the country, in the shop's currency.")
    presentmentPrice = fields.String(
        validate=PRESENTMENT_PRICE,
        metadata=described("The same price in `presentmentCurrency`. Present when the call names a country.", "12.00"),
    )
    presentmentCurrency = fields.String(metadata=described("The currency of the country's market.", "CHF"))
    available = flag("Whether one unit can be bought now, in the country.")
    grams = number("The weight of one unit.", 250)
    left = number("The remaining stock in units; null when there is no limit.", 12, allow_none=True)


class ProductSchema(ResponseSchema):
    """A product with the variants that its section offers."""

    product = platform_id("The id to send as `product`.")
    title = text("Display name.", "Morning Blend")
    tags = texts("The merchant's tags.", "decaf")
    variants = many(VariantSchema, "The variants to choose from.")


class SectionSchema(ResponseSchema):
    """A section of the bundle."""

    id = number("The id to send as the `section` of items chosen from this section.", 1)
    name = text("Display name.", "Coffee")
    description = text("A description for shoppers. May be empty.")
    products = many(ProductSchema, "The products to choose from.")


class LimitSchema(LimitRuleSchema):
    """A limit on the selection."""

    sentence = _sentence()


class RequiredSchema(ResponseSchema):
    """A product that every selection must contain."""

    product = platform_id("The id of the product.")
    variants = texts("The variants that count towards `quantity`. If empty, all variants of the product.")
    quantity = number("How many units are required.", 1)
    sentence = _sentence()


class ConditionSchema(ResponseSchema):
    """An effect that depends on the chosen items: a discount, a free item, a hidden product or a refusal."""

    actionId = text("The id of the action among `conditionNodes`.", "a1")
    sentence = _sentence()


class SubscriptionRuleSchema(ResponseSchema):
    """Whether the bundle is sold only by subscription."""

    required = flag("Whether a selection needs a `subscription`.", example=False)
    sentence = text("The rule in English; null when nothing is required.", allow_none=True)


class RulesSchema(ResponseSchema):
    """All rules that a selection must meet, and everything that changes its price (docs/bundle-rules.schema.json)."""

    schema = text("The identifier of this format, with its version.", RULES_FORMAT)
    currency = text("The currency of amounts in rules.", "EUR")
    weightUnit = text("The unit of weights in rules.", "kg", validate=OneOf(WEIGHT_UNITS))
    limits = many(LimitSchema, "The limits. All must be met; of limits with the same sentence, at least one.")
    required = many(RequiredSchema, "Products that must be in the selection.")
    conditions = many(ConditionSchema, "The effects that depend on the selection.")
    conditionNodes = fields.List(
        fields.Dict(), required=True, metadata=described("The same conditions as data (docs/conditions.md).", [])
    )
    discount = fields.Nested(
        DiscountSchema, required=True, allow_none=True, metadata={"description": "The bundle's own discount, or null."}
    )
    discountSentence = text("The bundle's own discount in English; null when there is none.", allow_none=True)
    subscription = fields.Nested(
        SubscriptionRuleSchema,
        required=True,
        metadata={"description": "Whether the bundle is sold by subscription only."},
    )


class BundleSchema(ResponseSchema):
    """A bundle with everything that an assistant needs to choose from it."""

    id = number("The id to send as `bundleId`.", 101)
    name = text("Display name.", "Coffee box")
    description = text("A description for shoppers. May be empty.")
    language = text("The language of all texts except the sentences of rules, which are in English.", "en")
    currency = text("The shop's currency code.", "EUR")
    sections = many(
        SectionSchema, "The sections to choose from. Section 0 contains required products that no other section offers."
    )
    rules = fields.Nested(RulesSchema, required=True, metadata={"description": "The rules, as data and in English."})
    sellingPlans = many(SellingPlanSchema, "The subscription options; empty when there are none.")
    personalisation = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.Nested(PersonalisationFieldSchema)),
        required=True,
        metadata=described("The fields that shoppers fill in, by product.", {}),
    )


class CheckSchema(ResponseSchema):
    """Whether configure would accept the selection now."""

    valid = flag("Whether configure would accept the selection.")
    code = text("The `code` of the refusal; null when the selection is valid.", allow_none=True)
    details = many(
        DetailSchema,
        "Everything that must change; empty when the selection is valid. `missing` says how much is lacking.",
    )
    pricing = fields.Nested(
        PriceResultSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The price; null when the bundle does not offer all selected items."},
    )


class ConfiguredSchema(ConfigureResultSchema):
    """A configured and stored bundle, with what goes into the cart."""

    replayed = flag("Whether an earlier call with this idempotency key created the configured bundle.", example=False)
    handOverUrl = text(
        "The URL at which the shopper continues the purchase; null when the shop has no such address. In that case, "
        "put `cart` or `variant_id` into the cart.",
        allow_none=True,
    )


class ExplanationSchema(ResponseSchema):
    """What a refusal means and what to do about it."""

    code = text("The code of the refusal.", "limit_not_met")
    meaning = text("What the refusal means.")
    nextStep = text("What to do about the refusal.")
    retry = flag("Whether the same call may succeed later without a change.", example=False)
