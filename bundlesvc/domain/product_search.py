"""Searches for products: what they find, and where a part of the result cannot begin."""

from bundlesvc.domain.errors import Fault, InvalidRequest
from bundlesvc.domain.product import Product


class CursorUnknown(InvalidRequest):
    """A part of a result cannot begin here."""

    def __init__(self) -> None:
        super().__init__(
            [Fault("cursor", "invalid", "Must be the cursor of the link to the next part of the same list.")]
        )


def has_words(product: Product, text: str) -> bool:
    """Whether each word of a text is in the product's title, its handle, its id, or the SKU of a variant."""
    skus = (variant.sku for variant in product.variants)
    found = " ".join((product.title, product.handle, str(product.id), *skus)).casefold()
    return all(word in found for word in text.casefold().split())
