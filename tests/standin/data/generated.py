"""Generates any number of products."""

from decimal import Decimal

from tests.standin.data.shop import DEFAULT_OPTION, DEFAULT_VALUE, Option, OptionValue, Product, Variant

VARIANT_IDS_FROM, OPTION_IDS_FROM = 10_000, 3_000_000
"""Ids of generated data. For example, the variants of product 3 are 30001, 30002 …"""


def product(number: int, variants: int = 1, price: Decimal = Decimal("10.00")) -> Product:
    """Build a product. If it has several variants, they differ in size: "Size 1", "Size 2" …"""
    names = [DEFAULT_VALUE] if variants == 1 else [f"Size {index + 1}" for index in range(variants)]
    option_name = DEFAULT_OPTION if variants == 1 else "Size"
    option_id = OPTION_IDS_FROM + number * VARIANT_IDS_FROM
    values = [OptionValue(option_id + index + 1, name) for index, name in enumerate(names)]
    return Product(
        number,
        f"Product {number}",
        f"product-{number}",
        [Option(option_id, option_name, values)],
        [_variant(number, index, name, price) for index, name in enumerate(names, start=1)],
        description_html=f"<p>Number {number}</p>",
    )


def single_variant(number: int, variant: int, price: str) -> Product:
    """Build the product `number` with the single variant `variant`, which has this price and whose stock is not tracked."""
    option = Option(number, DEFAULT_OPTION, [OptionValue(number + 1, DEFAULT_VALUE)])
    return Product(
        number, str(number), f"product-{number}", [option], [Variant(variant, [DEFAULT_VALUE], Decimal(price))]
    )


def products(count: int, variants: int = 1) -> list[Product]:
    """Build products numbered 1, 2, 3 …"""
    return [product(number, variants) for number in range(1, count + 1)]


def _variant(product_number: int, index: int, name: str, price: Decimal) -> Variant:
    return Variant(
        product_number * VARIANT_IDS_FROM + index,
        [name],
        price + index,
        sku=f"P{product_number}-{index}",
        weight=Decimal(100),
        tracked=True,
        quantity=50,
    )
