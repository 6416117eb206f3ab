"""The port `PlatformBundles` over the Admin GraphQL API: fixed bundles, which are products with components."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bundlesvc.domain.live_platform.platform_bundle import (
    CHOSEN_QUANTITY,
    NO_COMPONENTS,
    SEVERAL_PRICES,
    TOO_LARGE,
    Component,
    FoundBundles,
    PlatformBundle,
)
from bundlesvc.domain.product_search import CursorUnknown
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.shopify.client.call_errors import CursorRefused
from bundlesvc.platforms.shopify.client.graphql import amount, at, next_cursor, number_of
from bundlesvc.platforms.shopify.client.sessions import AdminSessions

Node = Mapping[str, Any]


class ShopifyBundles:
    """Reads the bundles of the shops of `AdminSessions`. Raises as its methods do."""

    def __init__(self, sessions: AdminSessions) -> None:
        self._sessions = sessions

    async def find(self, tenant: Tenant, limit: int, after: str | None) -> FoundBundles:
        session = await self._sessions.open(tenant)
        try:
            data = await session.run("native_bundles", first=limit, after=after)
        except CursorRefused as refusal:
            raise CursorUnknown from refusal
        with session.reading():
            found = data["products"]
            return FoundBundles([_bundle(node) for node in found["nodes"]], next_cursor(found))


def _bundle(node: Node) -> PlatformBundle:
    prices = sorted({amount(variant["price"]) for variant in node["variants"]["nodes"]})
    nodes = node["bundleComponents"]["nodes"]
    components = [_component(each) for each in nodes if each["quantity"] is not None]
    image = at(node, "featuredMedia", "preview", "image", "url") or ""
    return PlatformBundle(
        number_of(node["id"]), node["title"], image, prices, components, [*_faults(node, nodes, len(prices))]
    )


def _component(node: Node) -> Component:
    product = node["componentProduct"]
    variants = [number_of(each["id"]) for each in node["componentVariants"]["nodes"]]
    return Component(number_of(product["id"]), product["title"], variants, node["quantity"])


def _faults(node: Node, components: Sequence[Node], prices: int) -> Iterator[str]:
    if not components:
        yield NO_COMPONENTS
    if any(each["quantity"] is None for each in components):
        yield CHOSEN_QUANTITY
    lists = [node["variants"], node["bundleComponents"], *(each["componentVariants"] for each in components)]
    if any(each["pageInfo"]["hasNextPage"] for each in lists):
        yield TOO_LARGE
    if prices > 1:
        yield SEVERAL_PRICES
