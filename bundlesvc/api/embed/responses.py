"""The response schemas of the embed API."""

from marshmallow import fields
from marshmallow.validate import OneOf

from bundlesvc.api.responses.bundles import BundleSchema
from bundlesvc.api.responses.fields import ResponseSchema, described, flag, many, number, platform_id, text, texts
from bundlesvc.api.responses.products import ProductSchema, SettingsSchema
from bundlesvc.services.shoppers.stock_reminders import MESSAGE_CODES


class ShopSchema(ResponseSchema):
    """The name and domain of the shop."""

    name = text("Display name.", "Alder & Finch Coffee")
    domain = text("The shop's domain.", "shop.example")


class ImageWidthsSchema(ResponseSchema):
    """Images that the platform serves in any width."""

    origin = text(
        "The origin of these images. Images from other origins have a single width.", "https://images.example"
    )
    parameter = text("The query parameter that sets the width in pixels.", "width")


class EmbedSettingsSchema(SettingsSchema):
    """The shop's settings, and the texts of the component."""

    locale = text("The language of `texts`.", "en")
    shop = fields.Nested(ShopSchema, required=True, metadata={"description": "The shop."})
    templates = texts("The possible values of `forceTemplate`.", "default")
    texts = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=described(
            "The component's own texts by key; the keys are the same in every language.", {"addToCart": "Add to cart"}
        ),
    )
    stockReminders = flag("Whether shoppers can register with POST /notify.")
    imageWidths = fields.Nested(
        ImageWidthsSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The images that are available in any width. Null when none are."},
    )


class ExperimentSchema(ResponseSchema):
    """The A/B test that chose the bundle."""

    id = text("The experiment's id.", "exp-1")
    arm = number("The visitor's arm, counted from 0.", 0)
    entryBundleId = number("The bundle that was requested.", 101)
    bundleId = number("The bundle that is served.", 101)


class EmbedBundleSchema(BundleSchema):
    """Everything that the component needs to display a bundle."""

    products = many(ProductSchema, "The products of sections and required products, in order of first use.")
    productHandle = text("Handle of the bundle's product. Empty when the bundle has none.", "coffee-box")
    productUrl = text("The path for posting a selection.", "/api/headless/v1/embed/api/v1/bundle/101/product")
    bundleUrl = text("The path of this bundle.", "/api/headless/v1/embed/api/v1/bundle?id=101")
    templateCode = text("The template for rendering the bundle.", "default")
    locale = text("The language of the bundle's and products' texts.", "en")
    settings = fields.Nested(
        EmbedSettingsSchema, required=True, metadata={"description": "The settings, as in GET /settings."}
    )
    experiment = fields.Nested(
        ExperimentSchema, metadata={"description": "Present when an A/B test chose the bundle for this visitor."}
    )


class VariantItemSchema(ResponseSchema):
    """An item of a configured bundle."""

    variantId = number("The variant that was chosen.", 10011)
    sectionId = number("The section in which the variant was chosen.", 1)
    availableVariantIds = fields.List(
        fields.Integer(),
        required=True,
        metadata=described("The variants of the same product that the section allows.", [10011, 10012]),
    )


class VariantItemsSchema(ResponseSchema):
    """The distinct items of the selection for which a ghost variant was created."""

    items = many(VariantItemSchema, "The items, in the order of the selection.")


class ContentSchema(ResponseSchema):
    """A configured bundle as plain text."""

    configuredBundleId = number("The configured bundle.", 4503599627370496)
    variantId = platform_id("The `variant_id` of the configure response.", "90001")
    content = text("The contents as text, one line per variant.", "2 x House Espresso - 250 g")


class ContentsSchema(ResponseSchema):
    """Configured bundles as plain text."""

    bundles = many(ContentSchema, "The bundles, in the order of the request. Unknown bundles are left out.")


class NotifiedSchema(ResponseSchema):
    """The outcome of POST /notify."""

    message_code = text("The outcome of the request.", "success", validate=OneOf(MESSAGE_CODES))
