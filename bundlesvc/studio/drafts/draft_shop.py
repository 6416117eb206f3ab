"""Serves the bundles of a draft instead of those in the database (the `ShopStore` port)."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import count
from math import inf

from bundlesvc.domain.bundle import Bundle, Experiment
from bundlesvc.domain.publication import Phase
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile

_numbers = count(1)
"""The revision numbers of drafts. Each draft that is shown gets a number of its own, so that nothing cached for one draft is used
for another."""


class DraftShop:
    """The shop of `tenant`, with the content of a draft. Without a time, it includes unpublished bundles, so that their editors
    can see them. With a time, in seconds since 1970, it contains the bundles that are for sale at that time."""

    def __init__(self, tenant: Tenant, content: ShopFile, at: int | None = None) -> None:
        self.tenant = Tenant(tenant.id, -next(_numbers), content.shop)
        self.content = content
        self._phase = None if at is None else Phase(at, inf)

    @cached_property
    def _bundles(self) -> Mapping[int, Bundle]:
        shown = [each for each in self.content.bundles if self._phase is None or each.is_published_in(self._phase)]
        return {bundle.id: bundle for bundle in sorted(shown, key=lambda bundle: bundle.id)}

    async def tenants(self, shop_ids: Collection[int] | None = None) -> Sequence[Tenant]:
        return [self.tenant]

    async def revisions(self) -> Mapping[int, int]:
        return {self.tenant.id: self.tenant.revision}

    async def bundle(self, tenant: Tenant, bundle_id: int) -> Bundle | None:
        return self._bundles.get(bundle_id)

    async def published_bundles(self, tenant: Tenant, limit: int) -> Sequence[Bundle]:
        return [*self._bundles.values()][:limit]

    async def published_ids(self, tenant: Tenant, product_id: int | None = None) -> Sequence[int]:
        wanted = self._bundles.values()
        return [bundle.id for bundle in wanted if product_id is None or bundle.product_id == product_id]

    async def bundles(self, tenant: Tenant, bundle_ids: Sequence[int]) -> Sequence[Bundle]:
        return [self._bundles[bundle_id] for bundle_id in bundle_ids if bundle_id in self._bundles]

    async def bundle_of_product(self, tenant: Tenant, product_id: int) -> Bundle | None:
        return next((bundle for bundle in self._bundles.values() if bundle.product_id == product_id), None)

    async def is_item(self, tenant: Tenant, product_id: int) -> bool:
        return any(product_id in bundle.product_ids for bundle in self._bundles.values())

    async def experiments(self, tenant: Tenant) -> Sequence[Experiment]:
        return self.content.experiments

    async def ping(self) -> None:
        """Do nothing: a draft in memory always responds."""
