"""Questions about products: many by id, one by handle, one variant."""

from collections.abc import Mapping, Sequence
from typing import Any

from bundlesvc.domain.product import Product, Variant
from bundlesvc.platforms.shopify.ghost_marks import is_ghost
from bundlesvc.platforms.shopify.gids import PRODUCT, VARIANT, gid, number_of
from bundlesvc.platforms.shopify.inquiry import Inquiry
from bundlesvc.platforms.shopify.product_reading import Node, product_of, variant_of
from bundlesvc.platforms.shopify.scalars import next_cursor
from bundlesvc.platforms.shopify.together import together

FIRST_VARIANTS = 100
"""Variants that come with each product of a list: most products have no more."""
VARIANTS_PAGE = 1024
"""Further variants of one product at a time; a product holds up to 2,048, and asked for alone it gives them all."""


async def products_by_id(inquiry: Inquiry, product_ids: Sequence[int]) -> Mapping[int, Product]:
    """Those that the shop has, by id: one call for each 250, one or two more for each that has over 100 variants."""

    def variables(batch: Sequence[int]) -> Mapping[str, Any]:
        return {"ids": [gid(PRODUCT, product_id) for product_id in batch], "variantsFirst": FIRST_VARIANTS}

    answers = await inquiry.in_batches("products_by_id", list(dict.fromkeys(product_ids)), variables)
    with inquiry.reading():
        nodes = [node for _, answer in answers for node in answer["nodes"] if node and node["__typename"] == PRODUCT]
    products = await together(_whole_product(inquiry, node) for node in nodes)
    return {product.id: product for product in products}


async def product_by_handle(inquiry: Inquiry, handle: str) -> Product | None:
    data = await inquiry.run("product_by_handle", handle=handle, variantsFirst=FIRST_VARIANTS)
    with inquiry.reading():
        node = data["productByIdentifier"]
    return None if node is None else await _whole_product(inquiry, node)


async def variant_by_id(inquiry: Inquiry, variant_id: int) -> Variant | None:
    """None also for a ghost variant."""
    data = await inquiry.run("variant_by_id", id=gid(VARIANT, variant_id))
    with inquiry.reading():
        node = data["productVariant"]
        if node is None or is_ghost(node):
            return None
        product = node["product"]
        return variant_of(node, [option["name"] for option in product["options"]], number_of(product["id"]))


async def _whole_product(inquiry: Inquiry, node: Node) -> Product:
    """A product with all its variants, those of further pages too."""
    with inquiry.reading():
        variants, cursor = _page(node)
    while cursor:
        data = await inquiry.run("variants_page", id=node["id"], first=VARIANTS_PAGE, after=cursor)
        with inquiry.reading():
            further, cursor = _page(data["product"])
        variants += further
    with inquiry.reading():
        return product_of(node, variants)


def _page(product: Node | None) -> tuple[list[Node], str | None]:
    """The variants of a page, and where the next one begins. A product that is gone meanwhile has no more."""
    if product is None:
        return [], None
    return list(product["variants"]["nodes"]), next_cursor(product["variants"])
