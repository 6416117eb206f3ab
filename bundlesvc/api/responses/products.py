"""The response schemas for a bundle's products and the shop's settings."""

from marshmallow import fields
from marshmallow.validate import OneOf

from bundlesvc.api.responses.fields import (
    AMOUNT,
    DECIMAL,
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
from bundlesvc.domain.product import PRODUCT_STATUSES
from bundlesvc.domain.shop import FEATURES


class SwatchSchema(ResponseSchema):
    """The swatch of an option value: a colour or an image."""

    color = text("`#RRGGBB`, or empty.", "#C02020")
    imageUrl = text("The URL of an image. May be empty.", "")


class ProductOptionSchema(ResponseSchema):
    """An option of a product, such as its size."""

    name = text("Display name.", "Grind")
    position = number("The option's position, counted from 1.", 1)
    values = texts("The option's values, in the platform's order.", "Whole bean")
    swatches = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(SwatchSchema),
        required=True,
        metadata=described("Swatches by option value.", {"Whole bean": {"color": "#4A2C1A", "imageUrl": ""}}),
    )


class VariantSchema(ResponseSchema):
    """A variant of a product. The market-specific fields are present when the request has a `countryCode`."""

    platformVariantId = platform_id("Platform variant ID.", "10011")
    platformVariantGid = text("Global ID.", "gid://platform/ProductVariant/10011")
    title = text("Display name; `Default Title` if the variant has none of its own.", "250 g / Whole bean")
    price = amount("The price in the shop's currency.", "9.90")
    compareAtPrice = amount("A former price to show crossed out, or null.", "11.90", allow_none=True)
    sku = text("The stock-keeping unit. May be empty.", "HS-250-W")
    available = flag("Whether the variant is in stock, or can be sold without stock.")
    inventoryQuantity = number("Units in stock. May be negative.", 48)
    grams = number("Weight in grams.", 250)
    optionValues = texts("One value for each option of the product, in the same order.", "Whole bean")
    image = fields.String(
        metadata=described("The URL of the variant's own image. If absent, show the product's image.", "")
    )
    presentmentPrice = fields.String(
        validate=PRESENTMENT_PRICE,
        metadata=described(
            "The price in the market's currency. It has a third decimal only where the amount needs one.", "11.43"
        ),
    )
    presentmentCurrency = fields.String(metadata=described("The market's currency.", "USD"))
    priceInShopCurrency = fields.String(
        validate=AMOUNT,
        metadata=described("The market's price in the shop's currency; totals are calculated from it.", "10.39"),
    )
    availableForSale = fields.Boolean(
        metadata=described("Whether the variant is sold in the market, whatever its stock.", example=True)
    )
    exchangeRate = fields.String(
        validate=DECIMAL,
        metadata=described(
            "Units of the market's currency per unit of the shop's: the rate used for the `presentment` of a price. Present "
            "when the currencies differ and the market has a set rate.",
            "1.1",
        ),
    )


class ProductSchema(ResponseSchema):
    """A platform product with all its variants."""

    platformProductId = platform_id("Platform product ID.", "1001")
    platformProductGid = text("Global ID.", "gid://platform/Product/1001")
    title = text("Display name.", "House Espresso")
    handle = text("The product's name in URLs.", "house-espresso")
    imageUrl = text(
        "The URL of an image. May be empty. A path that begins with `/` is served by this service.",
        "/storefront/demo/images/house-espresso.svg",
    )
    status = text("Only active products can be configured.", "ACTIVE", validate=OneOf(PRODUCT_STATUSES))
    tags = texts("The product's tags, without the service's own control tags.", "coffee")
    descriptionHtml = text(
        "HTML as the merchant wrote it: sanitise it before rendering.", "<p>Chocolate, hazelnut.</p>"
    )
    options = many(ProductOptionSchema, "The product's options, in the platform's order.")
    variants = many(VariantSchema, "All variants. A section's `variantIds` restrict the choice, but not this list.")


class ProductsSchema(ResponseSchema):
    """The products of a bundle."""

    products = many(ProductSchema, "The products of sections and required products, in order of first use.")


class SettingsSchema(ResponseSchema):
    """The settings of the shop."""

    activeFeatures = fields.List(
        fields.String(validate=OneOf(FEATURES)),
        required=True,
        metadata=described("The features that are active in the shop.", ["subscriptions"]),
    )
    currency = text("The shop's currency code.", "EUR")
    moneyFormat = text(
        "The format of amounts: contains an `{{amount}}` placeholder and may contain HTML.", "€{{amount}}"
    )
    weightUnit = text("The shop's unit of weight.", "kg", validate=OneOf(WEIGHT_UNITS))
