"""The shapes that the embed API answers (embed format), for the OpenAPI document and the tests."""

from marshmallow import fields
from marshmallow.validate import OneOf

from bundlesvc.api.responses import (
    Answer,
    BundleSchema,
    ProductSchema,
    SettingsSchema,
    flag,
    many,
    number,
    platform_id,
    text,
    texts,
)
from bundlesvc.services.stock_reminders import MESSAGE_CODES


class ShopSchema(Answer):
    """The shop, as its file names it."""

    name = text("What shoppers read.", "Alder & Finch Coffee")
    domain = text("The shop's own domain.", "shop.example")


class EmbedSettingsSchema(SettingsSchema):
    """Shop settings, and what the component needs to speak."""

    locale = text("The language of this answer.", "en")
    shop = fields.Nested(ShopSchema, required=True, metadata={"description": "The shop."})
    templates = texts("What `forceTemplate` may name.", "default")
    texts = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={
            "description": "The component's own words; the same keys in every language.",
            "example": {"addToCart": "Add to cart"},
        },
    )
    stockReminders = flag("Whether POST /notify is there.")


class ExperimentSchema(Answer):
    """The A/B test that chose the bundle."""

    id = text("The experiment.", "exp-1")
    arm = number("The visitor's arm, from 0.", 0)
    entryBundleId = number("The bundle that was asked for.", 101)
    bundleId = number("The bundle that is served.", 101)


class EmbedBundleSchema(BundleSchema):
    """Everything that the component needs to draw a bundle."""

    products = many(ProductSchema, "What sections and required products name, in order of first use.")
    productHandle = text("Handle of the bundle's own product; empty when it has none.", "coffee-box")
    productUrl = text("Where to post a selection.", "/api/headless/v1/embed/api/v1/bundle/101/product")
    bundleUrl = text("This bundle again.", "/api/headless/v1/embed/api/v1/bundle?id=101")
    templateCode = text("The template to draw it with.", "default")
    locale = text("The language of this answer.", "en")
    settings = fields.Nested(EmbedSettingsSchema, required=True, metadata={"description": "As GET /settings."})
    experiment = fields.Nested(
        ExperimentSchema, metadata={"description": "There when a visitor was routed by an A/B test."}
    )


class FoundItemSchema(Answer):
    """An item behind a ghost variant."""

    variantId = number("What was configured.", 10011)
    sectionId = number("The section it was chosen in.", 1)
    availableVariantIds = fields.List(
        fields.Integer(),
        required=True,
        metadata={"description": "What the section allows for its product.", "example": [10011, 10012]},
    )


class FoundItemsSchema(Answer):
    """The items behind a ghost variant, once each."""

    items = many(FoundItemSchema, "In the order of the selection.")


class ContentSchema(Answer):
    """A configured bundle in plain words."""

    configuredBundleId = number("The configured bundle.", 4503599627370496)
    variantId = platform_id("What configure answered.", "90001")
    content = text("A line per variant.", "2 x House Espresso - 250 g")


class ContentsSchema(Answer):
    """Configured bundles in plain words, in the order asked for; unknown ones are left out."""

    bundles = many(ContentSchema, "What is known.")


class NotifiedSchema(Answer):
    """What became of a reminder."""

    message_code = text("What happened.", "success", validate=OneOf(MESSAGE_CODES))
