"""The conversion of Shopify products to the domain's products."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from bundlesvc.domain.product import Option, Product, Swatch, Variant
from bundlesvc.platforms.shopify.catalogue.ghost_variants import SKU_PREFIX
from bundlesvc.platforms.shopify.catalogue.products import product_of, variant_of
from tests.platforms.shopify import nodes

GHOST_VALUE = "ab" * 32
PLAIN = Variant(
    id=11,
    title="Default Title",
    price=Decimal("24.00"),
    compare_at_price=None,
    sku="",
    inventory_tracked=False,
    inventory_policy="deny",
    inventory_quantity=0,
    grams=0,
    option_values=(),
    image=None,
    inventory_item_id=119,
    product_id=1,
)


def read_variant(**fields: Any) -> Variant:
    return variant_of(nodes.variant(**fields), ["Title"], 1)


def read_product(*variants: nodes.Node, **fields: Any) -> Product:
    return product_of(nodes.product(**fields), variants)


def test_plain_variant() -> None:
    assert read_variant() == PLAIN


@pytest.mark.parametrize(
    ("fields", "changed"),
    [
        ({"price": "9.5"}, {"price": Decimal("9.5")}),
        ({"price": "1200"}, {"price": Decimal(1200)}),
        ({"compareAtPrice": "30.0"}, {"compare_at_price": Decimal(30)}),
        ({"sku": "SH-S"}, {"sku": "SH-S"}),
        ({"inventoryPolicy": "CONTINUE"}, {"inventory_policy": "continue"}),
        ({"inventoryPolicy": "SOMETHING_NEW"}, {"inventory_policy": "deny"}),
        ({"inventoryQuantity": 5}, {"inventory_quantity": 5}),
        ({"inventoryQuantity": -3}, {"inventory_quantity": -3}),
        ({"inventoryQuantity": None}, {"inventory_quantity": 0}),
        ({"inventoryItem": nodes.item(tracked=True)}, {"inventory_tracked": True, "inventory_item_id": 7}),
        ({"media": {"nodes": [nodes.image("https://i/s.png")]}}, {"image": "https://i/s.png"}),
        ({"media": {"nodes": [nodes.image(None)]}}, {"image": None}),
        ({"media": {"nodes": [{"preview": None}]}}, {"image": None}),
    ],
)
def test_variant_fields(fields: dict[str, Any], changed: dict[str, Any]) -> None:
    assert read_variant(**fields) == replace(PLAIN, **changed)


@pytest.mark.parametrize(
    ("value", "unit", "grams"),
    [
        (200, "GRAMS", 200),
        (0.34, "KILOGRAMS", 340),
        (1.0005, "KILOGRAMS", 1001),  # half up
        (0.4994, "GRAMS", 0),
        (1, "OUNCES", 28),
        (1, "POUNDS", 454),
        (2.5, "POUNDS", 1134),
        (1e-07, "KILOGRAMS", 0),
    ],
)
def test_weight_is_converted_to_whole_grams(value: float, unit: str, grams: int) -> None:
    assert read_variant(inventoryItem=nodes.item(weight={"value": value, "unit": unit})).grams == grams


def test_variant_without_a_weight_has_zero_grams() -> None:
    assert read_variant(inventoryItem=nodes.item(weight=None)).grams == 0


def test_option_values_follow_the_order_of_options() -> None:
    node = nodes.variant(options={"Size": "S", "Colour": "Red"})
    assert variant_of(node, ["Colour", "Size"], 1).option_values == ("Red", "S")


def test_plain_product() -> None:
    assert read_product(nodes.variant()) == Product(1, "Shirt", "shirt", "", "ACTIVE", (), "", (), (PLAIN,))


@pytest.mark.parametrize(
    ("fields", "attribute", "value"),
    [
        ({"status": "UNLISTED"}, "status", "ACTIVE"),
        ({"status": "DRAFT"}, "status", "DRAFT"),
        ({"status": "ARCHIVED"}, "status", "ARCHIVED"),
        ({"status": "SOMETHING_NEW"}, "status", "DRAFT"),
        ({"tags": ["linen", "bundlesvc:x"]}, "tags", ("linen", "bundlesvc:x")),
        ({"descriptionHtml": "<p>Linen</p>"}, "description_html", "<p>Linen</p>"),
        ({"featuredMedia": nodes.image("https://i/p.png")}, "image_url", "https://i/p.png"),
        ({"featuredMedia": nodes.image(None)}, "image_url", ""),
        ({"featuredMedia": {"preview": None}}, "image_url", ""),
    ],
)
def test_product_fields(fields: dict[str, Any], attribute: str, value: object) -> None:
    assert getattr(read_product(nodes.variant(), **fields), attribute) == value


def test_options_have_their_swatches() -> None:
    red = {"name": "Red", "swatch": {"color": "#C02020", "image": None}}
    dots = {"name": "Dots", "swatch": {"color": None, "image": {"image": {"url": "https://i/dots.png"}}}}
    loading = {"name": "Lines", "swatch": {"color": None, "image": {"image": None}}}
    colours = ["Red", "Dots", "Lines", "Blue"]
    variants = [nodes.variant(number, options={"Colour": name}) for number, name in enumerate(colours)]
    product = read_product(*variants, options=[nodes.option("Colour", red, dots, loading, "Blue")])
    assert product.options == (
        Option(
            "Colour",
            ("Red", "Dots", "Lines", "Blue"),
            {"Red": Swatch(color="#C02020"), "Dots": Swatch(image_url="https://i/dots.png"), "Lines": Swatch()},
        ),
    )


def test_option_values_without_a_variant_are_omitted() -> None:
    sizes = nodes.option("Size", "S", "M", "L")
    product = read_product(nodes.variant(options={"Size": "M"}), options=[sizes])
    assert product.options == (Option("Size", ("M",)),)


@pytest.mark.parametrize(
    "ghost",
    [
        nodes.variant(99, options={"Size": GHOST_VALUE}, sku=f"{SKU_PREFIX}{GHOST_VALUE}"),
        nodes.variant(99, options={"Size": GHOST_VALUE}, sku="changed by somebody"),
        nodes.variant(99, options={"Size": "any"}, sku=f"{SKU_PREFIX}{'any'}"),
    ],
    ids=["both tags", "option value alone", "sku alone"],
)
def test_ghost_variants_and_their_option_values_are_hidden(ghost: nodes.Node) -> None:
    value = ghost["selectedOptions"][0]["value"]
    product = read_product(nodes.variant(options={"Size": "S"}), ghost, options=[nodes.option("Size", "S", value)])
    assert [variant.id for variant in product.variants] == [11]
    assert product.options == (Option("Size", ("S",)),)


def test_ghost_variants_add_no_options() -> None:
    ghost = nodes.variant(99, options={"Title": GHOST_VALUE}, sku=f"{SKU_PREFIX}{GHOST_VALUE}")
    product = read_product(nodes.variant(), ghost, options=[nodes.option("Title", "Default Title", GHOST_VALUE)])
    assert (product.options, product.variants) == ((), (PLAIN,))


@pytest.mark.parametrize("price", ["", "a lot", "NaN", "Infinity", None])
def test_price_must_be_a_number(price: Any) -> None:
    with pytest.raises((ArithmeticError, ValueError, TypeError)):
        read_variant(price=price)
