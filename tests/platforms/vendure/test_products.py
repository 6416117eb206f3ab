"""The conversion of products from the Admin API: stock with its threshold, visibility, tags and languages."""

from decimal import Decimal
from typing import Any

import pytest

from bundlesvc.domain.product import Product
from bundlesvc.platforms.vendure.products import Channel, product_of, translation_of

CHANNEL = Channel("EUR", ("en",), 2, tracks_inventory=True, threshold=3)


def variant(**changes: Any) -> dict[str, Any]:
    return {
        "id": "11",
        "sku": "",
        "enabled": True,
        "trackInventory": "TRUE",
        "outOfStockThreshold": 0,
        "useGlobalOutOfStockThreshold": False,
        "prices": [{"currencyCode": "USD", "price": 2200}, {"currencyCode": "EUR", "price": 1999}],
        "stockLevels": [{"stockOnHand": 10, "stockAllocated": 4}, {"stockOnHand": 1, "stockAllocated": 0}],
        "featuredAsset": None,
        "options": [],
        **changes,
    }


def product(*variants: dict[str, Any], channel: Channel = CHANNEL, **changes: Any) -> Product:
    node = {
        "id": "1",
        "name": "Tea",
        "slug": "tea",
        "description": "",
        "enabled": True,
        "featuredAsset": None,
        "facetValues": [],
        "optionGroups": [],
        "variants": variants,
        **changes,
    }
    return product_of(node, channel)


@pytest.mark.parametrize(
    ("stock", "sellable"),
    [
        ({}, 7),
        ({"outOfStockThreshold": 2}, 5),
        ({"outOfStockThreshold": -5}, 12),
        ({"useGlobalOutOfStockThreshold": True}, 4),
        ({"stockLevels": []}, 0),
    ],
)
def test_stock_less_what_is_allocated_and_the_threshold(stock: dict[str, Any], sellable: int) -> None:
    (found,) = product(variant(**stock)).variants
    assert (found.inventory_tracked, found.inventory_quantity) == (True, sellable)
    assert found.in_stock(sellable)
    assert not found.in_stock(sellable + 1)


@pytest.mark.parametrize(
    ("flag", "of_shop", "tracked"),
    [("TRUE", False, True), ("FALSE", True, False), ("INHERIT", True, True), ("INHERIT", False, False)],
)
def test_stock_may_not_be_tracked(flag: str, of_shop: bool, tracked: bool) -> None:
    channel = Channel("EUR", ("en",), 2, tracks_inventory=of_shop, threshold=0)
    (found,) = product(variant(trackInventory=flag), channel=channel).variants
    assert found.inventory_tracked is tracked
    assert tracked or found.in_stock(1000)


@pytest.mark.parametrize(
    "gone", [{"enabled": False}, {"prices": []}, {"prices": [{"currencyCode": "USD", "price": 1}]}]
)
def test_variant_that_is_not_for_sale_is_left_out(gone: dict[str, Any]) -> None:
    assert [found.id for found in product(variant(**gone), variant(id="12")).variants] == [12]


@pytest.mark.parametrize(("decimals", "price"), [(0, "1999"), (2, "19.99"), (3, "1.999")])
def test_amounts_have_the_decimals_of_the_engine(decimals: int, price: str) -> None:
    channel = Channel("EUR", ("en",), decimals, tracks_inventory=True, threshold=0)
    assert product(variant(), channel=channel).variants[0].price == Decimal(price)


def test_facet_values_are_tags() -> None:
    values = [{"code": "linen", "facet": {"code": "tags"}}, {"code": "red", "facet": {"code": "colour"}}]
    assert product(facetValues=values).tags == ("linen", "colour:red")


def test_options_of_a_shared_group_that_no_variant_uses_are_left_out() -> None:
    groups = [
        {"name": "Size", "options": [{"name": "S"}, {"name": "M"}]},
        {"name": "Colour", "options": [{"name": "Red"}]},
    ]
    found = product(variant(options=[{"name": "M", "group": {"name": "Size"}}]), optionGroups=groups)
    assert [(option.name, option.values) for option in found.options] == [("Size", ("M",))]
    assert (found.variants[0].title, found.variants[0].option_values) == ("M", ("M",))


def test_texts_in_another_language() -> None:
    def words(**texts: str) -> list[dict[str, str]]:
        return [{"languageCode": "en", "name": "Other"}, {"languageCode": "de", **texts}]

    node = {
        "translations": words(name="Tee", description="Grün"),
        "optionGroups": [
            {
                "name": "Size",
                "translations": words(name="Größe"),
                "options": [{"name": "S", "translations": words(name="Klein")}, {"name": "M", "translations": []}],
            }
        ],
    }
    found = translation_of(node, "de")
    assert (found.title, found.description_html) == ("Tee", "Grün")
    assert (found.options["Size"].name, found.options["Size"].values) == ("Größe", {"S": "Klein"})
    assert translation_of(node, "fr").title == ""
