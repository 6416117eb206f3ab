"""The publications of products and variants: one for the online store, and one per market."""

from collections.abc import Iterator

from tests.standin.data.gids import gid, parse_gid
from tests.standin.data.shop import Product, Shop, Variant
from tests.standin.graph.items import Arguments, Items, Node, Reference
from tests.standin.operations.refusals import resource_not_found

ONLINE_STORE = 1
"""The number of the app's publication, which every product is on. Publications of markets have other numbers."""


def publication_node(shop: Shop, number: int) -> Node | None:
    """Build the node of a publication. Returns None if the publication does not exist."""
    if number != ONLINE_STORE and shop.market(number) is None:
        return None
    return {
        "__typename": "Publication",
        "id": gid("Publication", number),
        "autoPublish": True,
        "catalog": None if number == ONLINE_STORE else Reference("MarketCatalog", number),
    }


def published(thing: Product | Variant, publication: int) -> bool:
    """Whether a publication contains a product or variant. A publication contains everything that has not been unpublished. For a
    variant, the state of its product does not matter."""
    anywhere = thing.published if isinstance(thing, Variant) else True
    return anywhere and publication not in thing.unpublished_from


def on_publication(thing: Product | Variant, publication_id: str) -> bool:
    return published(thing, publication_number(publication_id))


def publication_number(publication_id: str) -> int:
    """Parse the id of a publication, and return its number. Raises Refusal for an id of another kind."""
    found = parse_gid(publication_id)
    if found is None or found.kind != "Publication" or found.number is None:
        raise resource_not_found(publication_id)
    return found.number


def publication_rows(shop: Shop, thing: Product | Variant, arguments: Arguments) -> Items:
    """Resolve the field `resourcePublicationsV2`."""
    rows = _rows(shop, thing, arguments.get("catalogType") or "APP")
    return Items([row for row in rows if row["isPublished"] or not arguments["onlyPublished"]])


def _rows(shop: Shop, thing: Product | Variant, catalog_type: str) -> Iterator[Node]:
    if catalog_type == "APP":
        yield _row(thing, ONLINE_STORE)
    if catalog_type == "MARKET":
        yield from (_row(thing, market.id) for market in shop.markets if market.has_catalog)


def _row(thing: Product | Variant, number: int) -> Node:
    is_published = published(thing, number)
    return {
        "isPublished": is_published,
        "publishDate": thing.updated_at if is_published else None,
        "publication": Reference("Publication", number),
    }
