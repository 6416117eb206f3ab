"""Builds the stand-in's shop from a shop file, so that tests can compare the stand-in with the embedded platform."""

from decimal import Decimal
from pathlib import Path

from bundlesvc.domain import product as ours
from bundlesvc.domain import shop as our_shop
from bundlesvc.domain.bundle import Bundle
from bundlesvc.shop_file.loading import read_shop_file
from tests.standin.data.shop import (
    DEFAULT_OPTION,
    DEFAULT_VALUE,
    FixedPrice,
    Market,
    Option,
    OptionValue,
    Product,
    ProductText,
    SellingPlan,
    SellingPlanGroup,
    Shop,
    Variant,
)

FIRST_MARKET = 101
WEIGHT_UNITS = {"g": "GRAMS", "kg": "KILOGRAMS", "oz": "OUNCES", "lb": "POUNDS"}


def from_shop_file(path: Path) -> Shop:
    """Build a shop with the products, markets, translations and subscriptions of a shop file. The file must contain the products
    (`platform.kind: embedded`). Raises ShopFileInvalid."""
    file = read_shop_file(path)
    settings = file.shop.settings
    assert settings is not None, f"{path} has no products: they are on a live platform"
    shop = Shop(
        domain=f"{file.shop.handle}.myshopify.com",
        name=file.shop.name,
        currency=settings.currency,
        money_format=settings.money_format,
        weight_unit=WEIGHT_UNITS[settings.weight_unit],
        locales=_locales(file.shop.locale, file.products),
    )
    shop.add(*(_product(shop, product) for product in file.products))
    for market in file.markets:
        _add_market(shop, market)
    for bundle in file.bundles:
        _add_selling_plans(shop, bundle)
    return shop


def _locales(own: str, products: tuple[ours.Product, ...]) -> tuple[str, ...]:
    others = {locale for product in products for locale in product.translations}
    return (own, *sorted(others - {own}))


def _product(shop: Shop, product: ours.Product) -> Product:
    options = [_option(shop, option, product) for option in product.options] or [_only_option(shop, product)]
    return Product(
        product.id,
        product.title,
        product.handle,
        options,
        [_variant(variant) for variant in product.variants],
        status=product.status,
        tags=list(product.tags),
        description_html=product.description_html,
        image_url=product.image_url or None,
        translations={
            locale: ProductText(text.title or None, text.description_html or None)
            for locale, text in product.translations.items()
        },
    )


def _option(shop: Shop, option: ours.Option, product: ours.Product) -> Option:
    texts = {locale: text.options.get(option.name) for locale, text in product.translations.items()}
    values = [
        OptionValue(
            shop.new_id(),
            name,
            color=option.swatches[name].color or None if name in option.swatches else None,
            image_url=option.swatches[name].image_url or None if name in option.swatches else None,
            translations={
                locale: text.values[name] for locale, text in texts.items() if text and text.values.get(name)
            },
        )
        for name in option.values
    ]
    names = {locale: text.name for locale, text in texts.items() if text and text.name}
    return Option(shop.new_id(), option.name, values, names)


def _only_option(shop: Shop, product: ours.Product) -> Option:
    """Build the only option of a product. On the platform, every product has at least one."""
    names = [variant.title or DEFAULT_VALUE for variant in product.variants]
    return Option(shop.new_id(), DEFAULT_OPTION, [OptionValue(shop.new_id(), name) for name in names])


def _variant(variant: ours.Variant) -> Variant:
    title = variant.title or DEFAULT_VALUE
    return Variant(
        variant.id,
        list(variant.option_values) or [title],
        variant.price,
        title=title,
        compare_at_price=variant.compare_at_price,
        sku=variant.sku,
        tracked=variant.inventory_tracked,
        policy=variant.inventory_policy.upper(),
        quantity=variant.inventory_quantity,
        weight=Decimal(variant.grams),
        image_url=variant.image,
    )


def _add_market(shop: Shop, market: our_shop.Market) -> None:
    number = FIRST_MARKET + len(shop.markets)
    shop.markets.append(
        Market(
            number,
            market.country_code,
            (market.country_code,),
            market.currency,
            rate=market.exchange_rate,
            adjustment=market.price_adjustment,
            fixed_prices={variant_id: FixedPrice(price) for variant_id, price in market.prices.items()},
        )
    )
    for variant_id in market.unavailable_variant_ids:
        found = shop.variant(variant_id)
        if found:
            found[1].unpublished_from.add(number)


def _add_selling_plans(shop: Shop, bundle: Bundle) -> None:
    """Add a bundle's subscription groups as selling plans, both to the bundle's own product and to the products in the bundle,
    because the cart lines of those products carry the plan."""
    products = {offered.product_id for section in bundle.sections for offered in section.products}
    for group in bundle.subscription.groups if bundle.product_id else ():
        plans = [
            SellingPlan(
                shop.new_id(),
                f"{group.name}, every {option.frequency} {option.unit}",
                option.unit.upper(),
                option.frequency,
                option.discount,
            )
            for option in group.options
        ]
        shop.selling_plan_groups.append(
            SellingPlanGroup(shop.new_id(), group.name, plans, {bundle.product_id or 0, *products})
        )
