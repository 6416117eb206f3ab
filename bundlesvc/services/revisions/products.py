"""Products to choose for a bundle."""

from collections.abc import Sequence

from bundlesvc.domain.product import Product
from bundlesvc.domain.revisions.product_words import has_words
from bundlesvc.domain.shop import EMBEDDED, Tenant
from bundlesvc.ports import Platform
from bundlesvc.ports.revisions import ProductSearch, RevisionStore
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.products import ProductList


class ProductChoice:
    """Finds products of a shop by their words."""

    def __init__(self, store: RevisionStore, search: ProductSearch, platform: Platform) -> None:
        self._store = store
        self._search = search
        self._platform = platform

    async def find(self, tenant: Tenant, text: str, limit: int, deadline: RequestDeadline) -> ProductList:
        """Up to `limit` products with these words, in the order of their ids. Of a live platform, those that a bundle names.
        Raises what `Platform` raises."""
        settings = await self._platform.shop(tenant, deadline)
        if tenant.shop.platform.kind == EMBEDDED:
            found = await self._search.find(tenant, text, limit)
        else:
            found = await self._named(tenant, text, limit, deadline)
        return ProductList(tuple(found), settings.currency, None)

    async def _named(self, tenant: Tenant, text: str, limit: int, deadline: RequestDeadline) -> Sequence[Product]:
        bundles = (await self._store.read(tenant, None)).shop_file.bundles
        own = {bundle.product_id for bundle in bundles if bundle.product_id is not None}
        named = sorted(own.union(*(bundle.product_ids for bundle in bundles)))
        products = (await self._platform.products(tenant, named, deadline=deadline)).value
        return [products[id_] for id_ in named if id_ in products and has_words(products[id_], text)][:limit]
