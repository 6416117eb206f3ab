"""The matching rule for product searches, and the error for an unknown page cursor."""

from bundlesvc.domain.errors import Fault, InvalidRequest
from bundlesvc.domain.product import Product


class CursorUnknown(InvalidRequest):
    """The cursor does not belong to a page of this result."""

    def __init__(self) -> None:
        super().__init__(
            [Fault("cursor", "invalid", "Must be the cursor from the link to the next page of the same list.")]
        )


def has_words(product: Product, text: str) -> bool:
    """Whether each word of a search text occurs in the product's title, handle or id, or in the SKU of a variant."""
    skus = (variant.sku for variant in product.variants)
    found = " ".join((product.title, product.handle, str(product.id), *skus)).casefold()
    return all(word in found for word in text.casefold().split())
