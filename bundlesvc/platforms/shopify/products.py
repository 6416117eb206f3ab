"""Fetches products by id or handle, single variants, and the selling plans of products."""

import asyncio
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from bundlesvc.domain.product import Product, Variant
from bundlesvc.platforms.shopify.admin_session import AdminSession
from bundlesvc.platforms.shopify.ghost_variants import is_ghost
from bundlesvc.platforms.shopify.product_reading import Node, product_of, variant_of
from bundlesvc.platforms.shopify.scalars import PRODUCT, VARIANT, gid, next_cursor, number_of

T = TypeVar("T")

Cadence = tuple[int, int, str]
"""Product, frequency and unit, such as (111, 2, "week")."""

FIRST_VARIANTS = 100
"""The variants fetched with each product of a list: most products have no more."""
VARIANTS_PAGE = 1024
"""The page size for further variants. A product has up to 2,048, and a query for a single product may fetch them all."""


async def products_by_id(session: AdminSession, product_ids: Sequence[int]) -> Mapping[int, Product]:
    """The products that exist, by id: one call for each 250, one or two more for each product with over 100 variants."""

    def variables(batch: Sequence[int]) -> Mapping[str, Any]:
        return {"ids": [gid(PRODUCT, product_id) for product_id in batch], "variantsFirst": FIRST_VARIANTS}

    batches = await session.in_batches("products_by_id", list(dict.fromkeys(product_ids)), variables)
    with session.reading():
        nodes = [node for _, data in batches for node in data["nodes"] if node and node["__typename"] == PRODUCT]
    products = await gather_all(_whole_product(session, node) for node in nodes)
    return {product.id: product for product in products}


async def product_by_handle(session: AdminSession, handle: str) -> Product | None:
    data = await session.run("product_by_handle", handle=handle, variantsFirst=FIRST_VARIANTS)
    with session.reading():
        node = data["productByIdentifier"]
    return None if node is None else await _whole_product(session, node)


async def variant_by_id(session: AdminSession, variant_id: int) -> Variant | None:
    """None also for a ghost variant."""
    data = await session.run("variant_by_id", id=gid(VARIANT, variant_id))
    with session.reading():
        node = data["productVariant"]
        if node is None or is_ghost(node):
            return None
        product = node["product"]
        return variant_of(node, [option["name"] for option in product["options"]], number_of(product["id"]))


async def selling_plans(session: AdminSession, product_ids: Sequence[int]) -> Mapping[Cadence, str]:
    """The plan ids by cadence. Of several plans with one cadence the first is used, in the order of their groups. Plans that
    are billed at other times than they are delivered are left out, because no bundle option means them. Empty when the token
    lacks the scope: bundles are then sold without a plan."""

    def variables(batch: Sequence[int]) -> Mapping[str, Any]:
        return {"ids": [gid(PRODUCT, product_id) for product_id in batch]}

    none: Mapping[str, Any] = {"nodes": []}
    batches = await session.in_batches("selling_plans", list(dict.fromkeys(product_ids)), variables, none)
    with session.reading():
        products = (node for _, data in batches for node in data["nodes"] if node)
        plans = list(_cadences(products))
    return dict(reversed(plans))


async def gather_all(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run calls at the same time and return their results in order. The first that fails cancels the others, and its error is
    raised."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(call) for call in calls]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from failures
    return [task.result() for task in tasks]


async def _whole_product(session: AdminSession, node: Node) -> Product:
    """A product with all its variants, including those on further pages."""
    with session.reading():
        variants, cursor = _page(node)
    while cursor:
        data = await session.run("variants_page", id=node["id"], first=VARIANTS_PAGE, after=cursor)
        with session.reading():
            further, cursor = _page(data["product"])
        variants += further
    with session.reading():
        return product_of(node, variants)


def _page(product: Node | None) -> tuple[list[Node], str | None]:
    """The variants of a page, and where the next page begins. A product that was deleted meanwhile has no more."""
    if product is None:
        return [], None
    return list(product["variants"]["nodes"]), next_cursor(product["variants"])


def _cadences(products: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Cadence, str]]:
    for product in products:
        product_id = number_of(product["id"])
        for group in product["sellingPlanGroups"]["nodes"]:
            for plan in group["sellingPlans"]["nodes"]:
                delivery = plan["deliveryPolicy"]
                if delivery and delivery == plan["billingPolicy"]:
                    cadence = (product_id, delivery["intervalCount"], delivery["interval"].lower())
                    yield cadence, str(number_of(plan["id"]))
