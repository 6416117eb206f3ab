"""Resolves the global ids in a mutation to objects."""

from tests.standin.data.gids import parse_gid
from tests.standin.data.shop import Product, Shop, Variant


def number_of(kind: str, global_id: str | None) -> int | None:
    """Return the number in a global id. Returns None when the id is missing or of another kind."""
    named = parse_gid(global_id or "")
    return named.number if named and named.kind == kind else None


def product_of(shop: Shop, global_id: str) -> Product | None:
    return shop.products.get(number_of("Product", global_id) or 0)


def variant_of(product: Product, global_id: str | None) -> Variant | None:
    return product.variant(number_of("ProductVariant", global_id))
