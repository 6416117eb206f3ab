"""Finds products to add to a bundle."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Platform
from bundlesvc.ports.product_search import ProductSearch
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.products import ProductList


class ProductPage(NamedTuple):
    """One page of products that were found. `next` is the cursor of the next page, or None on the last page."""

    listed: ProductList
    next: str | None


class ProductChoice:
    """Searches a shop's platform for products that match the words of a text. `searches` holds a search for each kind of
    platform."""

    def __init__(self, searches: Mapping[str, ProductSearch], platform: Platform) -> None:
        self._searches = searches
        self._platform = platform

    async def find(
        self, tenant: Tenant, text: str, limit: int, after: str | None, deadline: RequestDeadline
    ) -> ProductPage:
        """Find up to `limit` products that match the search text, in the order of the search results. Raises what `ProductSearch`
        raises."""
        search = self._searches.get(tenant.shop.platform.kind)
        if search is None:
            raise PlatformNotConnected
        settings = await self._platform.shop(tenant, deadline)
        found = await search.find(tenant, text, limit, after)
        products = (await self._platform.products(tenant, found.ids, deadline=deadline)).value
        return ProductPage(ProductList(_existing(products, found.ids), settings.currency, None), found.next)


def _existing(products: Mapping[int, Product], ids: Sequence[int]) -> tuple[Product, ...]:
    """Return the products in the order of `ids`, without those that were deleted after they were found."""
    return tuple(products[id_] for id_ in ids if id_ in products)
