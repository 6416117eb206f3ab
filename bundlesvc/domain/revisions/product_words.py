"""Which products a search finds."""

from bundlesvc.domain.product import Product


def has_words(product: Product, text: str) -> bool:
    """Whether each word of a text is in the product's title, its handle, its id, or the SKU of a variant."""
    skus = (variant.sku for variant in product.variants)
    found = " ".join((product.title, product.handle, str(product.id), *skus)).casefold()
    return all(word in found for word in text.casefold().split())
