"""Answers the `productVariantsBulkDelete` mutation like the platform: deletes variants of a product."""

from collections.abc import Iterator, Sequence

from tests.standin.data.shop import Product, Shop
from tests.standin.graph.items import Arguments, Node
from tests.standin.graph.product import product_node
from tests.standin.mutations.subjects import product_of, variant_of
from tests.standin.mutations.user_errors import product_missing, user_error


def delete_variants(shop: Shop, arguments: Arguments) -> Node:
    """Delete all given variants or none: the id of another product's variant makes the whole call fail."""
    product = product_of(shop, arguments["productId"])
    if product is None:
        return {"product": None, "userErrors": [product_missing()]}
    ids = arguments["variantsIds"]
    errors = list(_errors(product, ids))
    if errors:
        return {"product": None, "userErrors": errors}
    going = [variant_of(product, global_id) for global_id in ids]
    product.variants = [variant for variant in product.variants if variant not in going]
    product.touch()
    return {"product": product_node(shop, product), "userErrors": []}


def _errors(product: Product, ids: Sequence[str]) -> Iterator[Node]:
    foreign = [index for index, global_id in enumerate(ids) if variant_of(product, global_id) is None]
    for index in foreign:
        code = "AT_LEAST_ONE_VARIANT_DOES_NOT_BELONG_TO_THE_PRODUCT"
        yield user_error("At least one variant does not belong to the product", "variantsIds", index, code=code)
    if not foreign and len(set(ids)) == len(product.variants):
        yield user_error("The last variant cannot be deleted", "variantsIds", code="CANNOT_DELETE_LAST_VARIANT")
