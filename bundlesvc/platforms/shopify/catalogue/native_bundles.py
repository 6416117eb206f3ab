"""Implements the `PlatformBundles` port with the Admin GraphQL API. The bundles are fixed: products with components, or products
whose variants have components."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bundlesvc.domain.live_platform.platform_bundle import Component, ComponentVariant, FoundBundles, PlatformBundle
from bundlesvc.domain.product import ACTIVE, DEFAULT_TITLE
from bundlesvc.domain.product_search import CursorUnknown
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.shopify.catalogue.product_search import NOT_ARCHIVED
from bundlesvc.platforms.shopify.catalogue.products import UNLISTED
from bundlesvc.platforms.shopify.client.admin_session import AdminSession
from bundlesvc.platforms.shopify.client.call_errors import CursorRefused
from bundlesvc.platforms.shopify.client.graphql import PRODUCT, amount, at, gid, next_cursor, number_of
from bundlesvc.platforms.shopify.client.sessions import AdminSessions

Node = Mapping[str, Any]

BUNDLES = f"(bundles:true OR has_variant_with_components:true) {NOT_ARCHIVED}"
SOLD = frozenset({ACTIVE, UNLISTED})
"""The statuses in which shoppers can buy a product."""


class ShopifyBundles:
    """Reads the bundles of the shops that `AdminSessions` serves. Raises the same errors as `AdminSessions`."""

    def __init__(self, sessions: AdminSessions) -> None:
        self._sessions = sessions

    async def find(self, tenant: Tenant, limit: int, after: str | None) -> FoundBundles:
        session = await self._sessions.open(tenant)
        try:
            data = await session.run("native_bundles", first=limit, after=after, query=BUNDLES)
        except CursorRefused as refusal:
            raise CursorUnknown from refusal
        with session.reading():
            found = data["products"]
            by_variant = [number_of(node["id"]) for node in found["nodes"] if not node["bundleComponents"]["nodes"]]
        variants = await _variants_of(session, by_variant)
        with session.reading():
            bundles = [each for node in found["nodes"] for each in _bundles(node, variants.get(node["id"]))]
            return FoundBundles(bundles, next_cursor(found))


async def _variants_of(session: AdminSession, product_ids: Sequence[int]) -> Mapping[str, Node]:
    """Fetch one page of each product's variants with their components, by the global id of the product."""
    batches = await session.in_batches(
        "variant_bundles", product_ids, lambda batch: {"ids": [gid(PRODUCT, product_id) for product_id in batch]}
    )
    with session.reading():
        return {node["id"]: node["variants"] for _, data in batches for node in data["nodes"] if node}


def _bundles(node: Node, variants: Node | None) -> Iterator[PlatformBundle]:
    """Yield the bundles of one product: its variants with components, or the product itself if no variant has components.
    `variants` is a page of the product's variants, if one was fetched; if there are more pages, the product counts as a single
    bundle."""
    with_components = [each for each in _nodes(variants) if _nodes(each["productVariantComponents"])]
    if not with_components or _has_more(variants):
        yield _product_bundle(node)
    else:
        yield from (_variant_bundle(node, each) for each in with_components)


def _product_bundle(node: Node) -> PlatformBundle:
    prices = sorted({amount(variant["price"]) for variant in _nodes(node["variants"])})
    components = _nodes(node["bundleComponents"])
    lists = [node["variants"], node["bundleComponents"], *(each["componentVariants"] for each in components)]
    return PlatformBundle(
        product_id=number_of(node["id"]),
        variant_id=None,
        title=node["title"],
        image_url=_image(node),
        prices=prices,
        components=[
            _component(each["componentProduct"], _nodes(each["componentVariants"]), each["quantity"])
            for each in components
        ],
        is_complete=not any(map(_has_more, lists)),
    )


def _variant_bundle(node: Node, variant: Node) -> PlatformBundle:
    title, name = node["title"], variant["title"]
    components = _nodes(variant["productVariantComponents"])
    return PlatformBundle(
        product_id=number_of(node["id"]),
        variant_id=number_of(variant["id"]),
        title=title if name == DEFAULT_TITLE else f"{title} - {name}",
        image_url=_image(node),
        prices=[amount(variant["price"])],
        components=[
            _component(each["productVariant"]["product"], [each["productVariant"]], each["quantity"])
            for each in components
        ],
        is_complete=not _has_more(variant["productVariantComponents"]),
    )


def _component(product: Node, variants: Sequence[Node], quantity: int | None) -> Component:
    return Component(
        product_id=number_of(product["id"]),
        title=product["title"],
        is_sold=product["status"] in SOLD,
        variants=[
            ComponentVariant(number_of(each["id"]), amount(each["price"]), each["requiresComponents"])
            for each in variants
        ],
        quantity=quantity,
    )


def _image(node: Node) -> str:
    return at(node, "featuredMedia", "preview", "image", "url") or ""


def _nodes(page: Node | None) -> Sequence[Node]:
    return page["nodes"] if page else []


def _has_more(page: Node | None) -> bool:
    return bool(page and page["pageInfo"]["hasNextPage"])
