"""The search language for the rows of a price list: `product_id:1 OR variant_id:2`, with numeric ids only."""

from tests.standin.data.shop import Product, Variant


def wanted_by(query: str | None, product: Product, variant: Variant) -> bool:
    """Whether a row of a price list, given as a product and a variant, matches a search. An unsupported term, such as one with a
    global id, matches nothing."""
    if query is None:
        return True
    terms = (term.strip().partition(":") for term in query.split(" OR "))
    numbers = {"product_id": str(product.id), "variant_id": str(variant.id)}
    return any(numbers.get(key) == value for key, _, value in terms)
