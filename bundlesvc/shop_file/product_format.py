"""The format of `products` and their variants (design 15)."""

from typing import Any

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
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.format_fields import FileSchema, Item, Items, Keyed, Scalar


class SwatchSchema(FileSchema):
    makes = Swatch
    color = Scalar(scalars.short_text, load_default="")
    image_url = Scalar(scalars.long_text, load_default="")


class OptionSchema(FileSchema):
    makes = Option
    name = Scalar(scalars.name, required=True)
    values = Items(Scalar(scalars.short_text))
    swatches = Keyed(scalars.short_text, Item(SwatchSchema()))


def _variant(**values: Any) -> Variant:
    """A variant that is not named is called after its option values, as platforms do."""
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
    option_values = Items(Scalar(scalars.short_text))
    image = Scalar(scalars.long_text, load_default=None)


class OptionTranslationSchema(FileSchema):
    makes = OptionTranslation
    name = Scalar(scalars.short_text, load_default="")
    values = Keyed(scalars.short_text, Scalar(scalars.short_text))


class ProductTranslationSchema(FileSchema):
    makes = ProductTranslation
    title = Scalar(scalars.short_text, load_default="")
    description_html = Scalar(scalars.long_text, load_default="")
    options = Keyed(scalars.short_text, Item(OptionTranslationSchema()))


class ProductSchema(FileSchema):
    makes = Product
    id = Scalar(scalars.product_id, required=True)
    title = Scalar(scalars.name, required=True)
    handle = Scalar(scalars.short_text, load_default="")
    image_url = Scalar(scalars.long_text, load_default="")
    status = Scalar(scalars.one_of(*PRODUCT_STATUSES), load_default=ACTIVE)
    tags = Items(Scalar(scalars.short_text))
    description_html = Scalar(scalars.long_text, load_default="")
    options = Items(Item(OptionSchema()))
    variants = Items(Item(VariantSchema()))
    translations = Keyed(scalars.language_tag, Item(ProductTranslationSchema()))
