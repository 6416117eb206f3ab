"""Shopify's global ids (`gid://shopify/Product/1`); everywhere else ids are numbers."""

PRODUCT, VARIANT = "Product", "ProductVariant"


def gid(kind: str, number: int) -> str:
    return f"gid://shopify/{kind}/{number}"


def number_of(global_id: str) -> int:
    """The number that a global id ends with. Raises ValueError when there is none."""
    return int(global_id.rpartition("/")[2])
