"""Finds the objects of a mutation by their global ids."""

from tests.standin.data.gids import parse_gid
from tests.standin.data.shop import Product, Shop, Variant


def number_of(kind: str, global_id: str | None) -> int | None:
    """None for a missing id and for one of another kind."""
    named = parse_gid(global_id or "")
    return named.number if named and named.kind == kind else None


def product_of(shop: Shop, global_id: str) -> Product | None:
    return shop.products.get(number_of("Product", global_id) or 0)


def variant_of(product: Product, global_id: str | None) -> Variant | None:
    return product.variant(number_of("ProductVariant", global_id))
