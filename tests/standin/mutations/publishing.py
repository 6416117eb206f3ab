"""Answers the `publishableUnpublish` mutation like the platform: unpublishes a product or variant."""

from tests.standin.data.shop import Product, Shop, Variant
from tests.standin.graph.items import Arguments, Node
from tests.standin.graph.lookup import find
from tests.standin.graph.publications import publication_node, publication_number
from tests.standin.graph.shop import shop_node
from tests.standin.mutations.subjects import number_of, product_of
from tests.standin.mutations.user_errors import user_error


def unpublish(shop: Shop, arguments: Arguments) -> Node:
    """Unpublish a product or variant from publications."""
    thing = _publishable(shop, arguments["id"])
    numbers = [publication_number(publication["publicationId"]) for publication in arguments["input"]]
    errors = [
        user_error("Publication does not exist or is not publishable", "input", index, "publicationId")
        for index, number in enumerate(numbers)
        if publication_node(shop, number) is None
    ]
    if thing is None:
        errors.append(user_error("Resource does not exist", "id"))
    elif not errors:
        thing.unpublished_from.update(numbers)
    return {"publishable": find(shop, arguments["id"]), "shop": shop_node(shop), "userErrors": errors}


def _publishable(shop: Shop, global_id: str) -> Product | Variant | None:
    found = shop.variant(number_of("ProductVariant", global_id))
    return found[1] if found else product_of(shop, global_id)
