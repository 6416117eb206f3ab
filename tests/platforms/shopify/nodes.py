"""Builds products and variants as Shopify returns them. Keyword arguments replace fields."""

from collections.abc import Mapping
from typing import Any

Node = dict[str, Any]


def image(url: str | None) -> Node:
    return {"preview": {"image": None if url is None else {"url": url}}}


def variant(number: int = 11, *, options: Mapping[str, str] | None = None, **fields: Any) -> Node:
    chosen = options or {"Title": "Default Title"}
    return {
        "id": f"gid://shopify/ProductVariant/{number}",
        "title": " / ".join(chosen.values()),
        "price": "24.00",
        "compareAtPrice": None,
        "sku": None,
        "inventoryPolicy": "DENY",
        "inventoryQuantity": 0,
        "inventoryItem": {"id": f"gid://shopify/InventoryItem/{number}9", "tracked": False, "measurement": None},
        "selectedOptions": [{"name": name, "value": value} for name, value in chosen.items()],
        "media": {"nodes": []},
        **fields,
    }


def item(*, tracked: bool = False, weight: Node | None = None) -> Node:
    return {"id": "gid://shopify/InventoryItem/7", "tracked": tracked, "measurement": {"weight": weight}}


def option(name: str, *values: str | Node) -> Node:
    """Build an option. Each value is given as a name, or as a node with a swatch."""
    nodes = [{"name": value, "swatch": None} if isinstance(value, str) else value for value in values]
    return {"name": name, "optionValues": nodes}


def product(number: int = 1, **fields: Any) -> Node:
    return {
        "id": f"gid://shopify/Product/{number}",
        "title": "Shirt",
        "handle": "shirt",
        "status": "ACTIVE",
        "tags": [],
        "descriptionHtml": "",
        "featuredMedia": None,
        "options": [option("Title", "Default Title")],
        **fields,
    }
