"""A shop with one bundle of 200 products, whose list is some 350 kB."""

from typing import Any

LARGE_BUNDLE = 1
PRODUCTS = 200
VARIANTS = 4
TEXT = "<p>Roasted on Tuesdays, packed by hand, gone by Friday: hazelnut, milk chocolate, a little orange.</p>"


def large_shop() -> dict[str, Any]:
    """The shop file."""
    items = [{"bundleItemId": number, "platformProductId": str(number)} for number in range(1, PRODUCTS + 1)]
    section = {"id": 1, "name": "All", "order": 0, "products": items}
    return {
        "shop": {
            "handle": "large",
            "name": "Large",
            "domain": "large.example",
            "currency": "EUR",
            "moneyFormat": "€{{amount}}",
            "weightUnit": "kg",
            "locale": "en",
            "headlessEnabled": True,
            "activeFeatures": [],
            "platform": {"kind": "embedded"},
            "templates": ["default"],
        },
        "products": [_product(number) for number in range(1, PRODUCTS + 1)],
        "bundles": [
            {
                "id": LARGE_BUNDLE,
                "name": "Everything",
                "type": "native",
                "layout": "multiple-sections",
                "templateCode": "default",
                "sections": [section],
            }
        ],
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
                "id": str(number * 1000 + place),
                "title": size,
                "price": "9.90",
                "sku": f"P{number}-{place}",
                "inventoryTracked": True,
                "inventoryPolicy": "deny",
                "inventoryQuantity": 1000,
                "grams": 250,
                "optionValues": [size],
            }
            for place, size in enumerate(sizes)
        ],
    }
