"""The format of `shop`, `markets`, `products` and `experiments` in a shop file."""

from typing import Any

from bundlesvc.domain.bundle import Arm, Experiment
from bundlesvc.domain.measures import WEIGHT_UNITS
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.product import (
    ACTIVE,
    DEFAULT_TITLE,
    INVENTORY_POLICIES,
    PRODUCT_STATUSES,
    Option,
    OptionTranslation,
    Product,
    ProductTranslation,
    Swatch,
    Variant,
)
from bundlesvc.domain.shop import (
    EMBEDDED,
    FEATURES,
    LIVE_PLATFORMS,
    Market,
    PlatformLink,
    PlatformMarket,
    Shop,
    ShopSettings,
)
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.format_fields import FileSchema, Item, Items, KeyedMapping, Scalar, shared, unique

PLATFORM_SETTINGS = ("currency", "moneyFormat", "weightUnit")
"""The shop settings that a live platform defines. A shop file for a live platform leaves them out."""


class PlatformMarketSchema(FileSchema):
    makes = PlatformMarket
    country_code = Scalar(scalars.country, required=True)
    currency = Scalar(scalars.currency, required=True)
    exchange_rate = Scalar(scalars.exchange_rate, required=True)
    channel = Scalar(scalars.name, load_default=None)


class PlatformSchema(FileSchema):
    makes = PlatformLink
    kind = Scalar(scalars.one_of(EMBEDDED, *LIVE_PLATFORMS), load_default=EMBEDDED)
    domain = Scalar(scalars.host_name, load_default=None)
    channel = Scalar(scalars.name, load_default=None)
    markets = Items(Item(PlatformMarketSchema()))


def _shop(
    platform: PlatformLink | None, currency: str | None, money_format: str, weight_unit: str, **others: Any
) -> Shop:
    link = platform or PlatformLink()
    settings = ShopSettings(currency, money_format, weight_unit) if currency and link.kind == EMBEDDED else None
    return Shop(**({"name": others["handle"]} | others), platform=link, settings=settings)


class ShopSchema(FileSchema):
    """The shop in a shop file. Access to the API is opt-in: a shop can use the API only if the file sets
    `headlessEnabled`."""

    makes = staticmethod(_shop)
    handle = Scalar(scalars.shop_handle, required=True)
    name = Scalar(scalars.name)
    domain = Scalar(scalars.short_text, load_default="")
    currency = Scalar(scalars.currency, load_default=None)
    money_format = Scalar(scalars.money_format, load_default="{{amount}}")
    weight_unit = Scalar(scalars.one_of(*WEIGHT_UNITS), load_default="kg")
    locale = Scalar(scalars.language_tag, load_default="en")
    headless_enabled = Scalar(scalars.flag, load_default=False)
    active_features = Items(Scalar(scalars.one_of(*FEATURES)), unique)
    platform = Item(PlatformSchema(), load_default=None)
    templates = Items(Scalar(scalars.name), unique)
    timezone = Scalar(scalars.timezone, load_default="UTC")
    second_person_publishes = Scalar(scalars.flag, load_default=False)


class MarketSchema(FileSchema):
    makes = Market
    country_code = Scalar(scalars.country, required=True)
    currency = Scalar(scalars.currency, required=True)
    exchange_rate = Scalar(scalars.exchange_rate, required=True)
    price_adjustment = Scalar(scalars.price_adjustment, load_default=ZERO)
    prices = KeyedMapping(scalars.variant_id, Scalar(scalars.amount))
    unavailable_variant_ids = Items(Scalar(scalars.variant_id), unique)


class SwatchSchema(FileSchema):
    makes = Swatch
    color = Scalar(scalars.short_text, load_default="")
    image_url = Scalar(scalars.long_text, load_default="")


class OptionSchema(FileSchema):
    makes = Option
    name = Scalar(scalars.name, required=True)
    values = Items(Scalar(scalars.short_text))
    swatches = KeyedMapping(scalars.short_text, Item(SwatchSchema()))


def _variant(**values: Any) -> Variant:
    """Build a variant. Its title defaults to its option values, as on platforms."""
    title = " / ".join(values["option_values"]) or DEFAULT_TITLE
    return Variant(**({"title": title} | values))


class VariantSchema(FileSchema):
    makes = staticmethod(_variant)
    id = Scalar(scalars.own_variant_id, required=True)
    title = Scalar(scalars.short_text)
    price = Scalar(scalars.amount, required=True)
    compare_at_price = Scalar(scalars.amount, load_default=None)
    sku = Scalar(scalars.short_text, load_default="")
    inventory_tracked = Scalar(scalars.flag, load_default=False)
    inventory_policy = Scalar(scalars.one_of(*INVENTORY_POLICIES), load_default="deny")
    inventory_quantity = Scalar(scalars.whole_number(), load_default=0)
    grams = Scalar(scalars.whole_number(minimum=0), load_default=0)
    option_values = Items(Scalar(scalars.short_text), shared)
    image = Scalar(scalars.long_text, load_default=None)


class OptionTranslationSchema(FileSchema):
    makes = OptionTranslation
    name = Scalar(scalars.short_text, load_default="")
    values = KeyedMapping(scalars.short_text, Scalar(scalars.short_text))


class ProductTranslationSchema(FileSchema):
    makes = ProductTranslation
    title = Scalar(scalars.short_text, load_default="")
    description_html = Scalar(scalars.long_text, load_default="")
    options = KeyedMapping(scalars.short_text, Item(OptionTranslationSchema()))


class ProductSchema(FileSchema):
    makes = Product
    id = Scalar(scalars.product_id, required=True)
    title = Scalar(scalars.name, required=True)
    handle = Scalar(scalars.short_text, load_default="")
    image_url = Scalar(scalars.long_text, load_default="")
    status = Scalar(scalars.one_of(*PRODUCT_STATUSES), load_default=ACTIVE)
    tags = Items(Scalar(scalars.short_text), shared)
    description_html = Scalar(scalars.long_text, load_default="")
    options = Items(Item(OptionSchema()))
    variants = Items(Item(VariantSchema()))
    translations = KeyedMapping(scalars.language_tag, Item(ProductTranslationSchema()))


class ArmSchema(FileSchema):
    makes = Arm
    bundle_id = Scalar(scalars.number_id, required=True)
    weight = Scalar(scalars.positive_number, required=True)


class ExperimentSchema(FileSchema):
    makes = Experiment
    id = Scalar(scalars.name, required=True)
    bundle_id = Scalar(scalars.number_id, required=True)
    arms = Items(Item(ArmSchema()))
