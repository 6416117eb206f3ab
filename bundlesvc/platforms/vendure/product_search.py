"""Implements the `ProductSearch` port with the Admin GraphQL API."""

from typing import Any

from bundlesvc.domain.identifiers import parse_id
from bundlesvc.domain.product_search import CursorUnknown
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.vendure.ids import is_possible, number_of
from bundlesvc.platforms.vendure.platform import VendurePlatform
from bundlesvc.ports.product_search import FoundProducts


class VendureProductSearch:
    """Searches the products of the shops that a `VendurePlatform` serves. The products found are sorted by name. Raises the same
    errors as `VendurePlatform`."""

    def __init__(self, platform: VendurePlatform) -> None:
        self._platform = platform

    async def find(self, tenant: Tenant, text: str, limit: int, after: str | None) -> FoundProducts:
        skip = 0 if after is None else parse_id(after)
        if skip is None or not is_possible(skip):
            raise CursorUnknown
        session = await self._platform.session(tenant)
        data = await session.run("product_search", filter=search_filter(text), take=limit, skip=skip)
        with session.reading():
            ids = tuple(number_of(node["id"]) for node in data["products"]["items"])
            there = skip + len(ids)
            return FoundProducts(ids, str(there) if ids and there < data["products"]["totalItems"] else None)


def search_filter(text: str) -> dict[str, Any]:
    """Return the platform's filter for products that match every word of the query. A product matches a word if its name, its
    slug or an SKU contains the word, or if its id equals the word."""
    words = text.replace("\0", " ").split()  # a query with a NUL would fail
    return {"_and": [{"_or": _fields_with(word)} for word in words]} if words else {}


def _fields_with(word: str) -> list[dict[str, Any]]:
    number = parse_id(word)
    by_id = [{"id": {"eq": word}}] if number is not None and is_possible(number) else []
    return [*({field: {"contains": word}} for field in ("name", "slug", "sku")), *by_id]
