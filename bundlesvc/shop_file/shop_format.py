"""The format of `shop`, `markets` and `experiments` (design 15)."""

from typing import Any

from bundlesvc.domain.bundle import Arm, Experiment
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.shop import EMBEDDED, FEATURES, SHOPIFY, Market, PlatformLink, Shop, ShopSettings
from bundlesvc.domain.weight import WEIGHT_UNITS
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.format_fields import FileSchema, Item, Items, Keyed, Scalar, unique

PLATFORM_SETTINGS = ("currency", "moneyFormat", "weightUnit")
"""What a live platform says of the shop, so that the file leaves it out."""


class PlatformSchema(FileSchema):
    makes = PlatformLink
    kind = Scalar(scalars.one_of(EMBEDDED, SHOPIFY), load_default=EMBEDDED)
    domain = Scalar(scalars.host_name, load_default=None)


def _shop(
    platform: PlatformLink | None, currency: str | None, money_format: str, weight_unit: str, **others: Any
) -> Shop:
    link = platform or PlatformLink()
    settings = ShopSettings(currency, money_format, weight_unit) if currency and link.kind == EMBEDDED else None
    return Shop(**({"name": others["handle"]} | others), platform=link, settings=settings)


class ShopSchema(FileSchema):
    """Access to the API is given by invitation (spec, "Authentication"): a shop is enabled only where the file says so."""

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


class MarketSchema(FileSchema):
    makes = Market
    country_code = Scalar(scalars.country, required=True)
    currency = Scalar(scalars.currency, required=True)
    exchange_rate = Scalar(scalars.exchange_rate, required=True)
    price_adjustment = Scalar(scalars.price_adjustment, load_default=ZERO)
    prices = Keyed(scalars.variant_id, Scalar(scalars.amount))
    unavailable_variant_ids = Items(Scalar(scalars.variant_id), unique)


class ArmSchema(FileSchema):
    makes = Arm
    bundle_id = Scalar(scalars.number_id, required=True)
    weight = Scalar(scalars.positive_number, required=True)


class ExperimentSchema(FileSchema):
    makes = Experiment
    id = Scalar(scalars.name, required=True)
    bundle_id = Scalar(scalars.number_id, required=True)
    arms = Items(Item(ArmSchema()))
