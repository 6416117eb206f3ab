"""The response schemas of a bundle's products and the shop's settings."""

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
    imageUrl = text("May be empty.", "")


class ProductOptionSchema(ResponseSchema):
    """An option of a product, such as its size."""

    name = text("Display name.", "Grind")
    position = number("Counts from 1.", 1)
    values = texts("In the platform's order.", "Whole bean")
    swatches = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(SwatchSchema),
        required=True,
        metadata=described("Swatches by value.", {"Whole bean": {"color": "#4A2C1A", "imageUrl": ""}}),
    )


class VariantSchema(ResponseSchema):
    """A variant of a product. The market's fields are present when the request has a `countryCode`."""

    platformVariantId = platform_id("Platform variant ID.", "10011")
    platformVariantGid = text("Global ID.", "gid://platform/ProductVariant/10011")
    title = text("`Default Title` when the variant has no name of its own.", "250 g / Whole bean")
    price = amount("In the shop's currency.", "9.90")
    compareAtPrice = amount("The price to show crossed out, or null.", "11.90", allow_none=True)
    sku = text("May be empty.", "HS-250-W")
    available = flag("Whether it can be bought in the base store.")
    inventoryQuantity = number("Units in stock. May be negative.", 48)
    grams = number("Weight in grams.", 250)
    optionValues = texts("In the order of the product's options.", "Whole bean")
    image = fields.String(metadata=described("Absent: show the product's image.", ""))
    presentmentPrice = fields.String(
        validate=PRESENTMENT_PRICE,
        metadata=described(
            "In the market's currency. With three decimals where it needs them, as some dinars do.", "11.43"
        ),
    )
    presentmentCurrency = fields.String(metadata=described("The market's currency.", "USD"))
    priceInShopCurrency = fields.String(
        validate=AMOUNT,
        metadata=described("The market's price in the shop's currency; totals are calculated from it.", "10.39"),
    )
    availableForSale = fields.Boolean(
        metadata=described("Whether the market sells the variant. Says nothing about stock.", example=True)
    )
    exchangeRate = fields.String(
        validate=DECIMAL,
        metadata=described(
            "Market currency per shop currency: the rate at which `presentment` of a price converts amounts. Present where the "
            "market has another currency than the shop, and a set rate.",
            "1.1",
        ),
    )


class ProductSchema(ResponseSchema):
    """A platform product with all its variants."""

    platformProductId = platform_id("Platform product ID.", "1001")
    platformProductGid = text("Global ID.", "gid://platform/Product/1001")
    title = text("Display name.", "House Espresso")
    handle = text("The product's name in addresses.", "house-espresso")
    imageUrl = text(
        "May be empty. One that begins with `/` is on this service.", "/storefront/demo/images/house-espresso.svg"
    )
    status = text("Only active products can be configured.", "ACTIVE", validate=OneOf(PRODUCT_STATUSES))
    tags = texts("Without the service's own control tags.", "coffee")
    descriptionHtml = text(
        "HTML as the merchant wrote it: sanitise it before rendering.", "<p>Chocolate, hazelnut.</p>"
    )
    options = many(ProductOptionSchema, "In the platform's order; each variant's `optionValues` follow it.")
    variants = many(VariantSchema, "All variants. `variantIds` of a section restrict the choice, not this list.")


class ProductsSchema(ResponseSchema):
    """The products of a bundle."""

    products = many(ProductSchema, "The products of sections and required products, in order of first use.")


class SettingsSchema(ResponseSchema):
    """The settings of the shop."""

    activeFeatures = fields.List(
        fields.String(validate=OneOf(FEATURES)),
        required=True,
        metadata=described("The features that the shop has.", ["subscriptions"]),
    )
    currency = text("The shop's currency code.", "EUR")
    moneyFormat = text(
        "How to write an amount: contains an `{{amount}}` placeholder and may contain HTML.", "€{{amount}}"
    )
    weightUnit = text("The shop's unit of weight.", "kg", validate=OneOf(WEIGHT_UNITS))
