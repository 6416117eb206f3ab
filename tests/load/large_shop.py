"""Generates shops of any size, among them one with a bundle of 200 products."""

from collections.abc import Sequence
from typing import Any

LARGE_BUNDLE = 1
PRODUCTS = 200
VARIANTS = 4
TEXT = "<p>Roasted on Tuesdays, packed by hand, gone by Friday: hazelnut, milk chocolate, a little orange.</p>"


def large_shop() -> dict[str, Any]:
    """Return the shop file of the shop with one large bundle."""
    return generated_shop("large", PRODUCTS, [range(1, PRODUCTS + 1)])


def generated_shop(handle: str, products: int, bundles: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Generate a shop file with `products` products, and with one bundle for each list of product numbers in `bundles`."""
    return {
        "shop": {
            "handle": handle,
            "name": handle.title(),
            "domain": f"{handle}.example",
            "currency": "EUR",
            "moneyFormat": "€{{amount}}",
            "weightUnit": "kg",
            "locale": "en",
            "headlessEnabled": True,
            "activeFeatures": [],
            "platform": {"kind": "embedded"},
            "templates": ["default"],
        },
        "products": [_product(number) for number in range(1, products + 1)],
        "bundles": [_bundle(number, chosen) for number, chosen in enumerate(bundles, LARGE_BUNDLE)],
    }


def _bundle(number: int, products: Sequence[int]) -> dict[str, Any]:
    items = [{"bundleItemId": product, "platformProductId": str(product)} for product in products]
    return {
        "id": number,
        "name": f"Bundle {number}",
        "type": "native",
        "layout": "multiple-sections",
        "templateCode": "default",
        "sections": [{"id": 1, "name": "All", "order": 0, "products": items}],
    }


def _product(number: int) -> dict[str, Any]:
    sizes = [f"Size {size}" for size in range(1, VARIANTS + 1)]
    return {
        "id": str(number),
        "title": f"Product {number}",
        "handle": f"product-{number}",
        "imageUrl": f"/images/{number}.svg",
        "status": "ACTIVE",
        "tags": ["coffee"],
        "descriptionHtml": TEXT * 4,
        "options": [{"name": "Size", "values": sizes}],
        "variants": [
            {
                "id": str(number * 1000 + index),
                "title": size,
                "price": "9.90",
                "sku": f"P{number}-{index}",
                "inventoryTracked": True,
                "inventoryPolicy": "deny",
                "inventoryQuantity": 1000,
                "grams": 250,
                "optionValues": [size],
            }
            for index, size in enumerate(sizes)
        ],
    }
