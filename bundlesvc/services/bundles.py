"""Reads bundles: the list of published ones, and one bundle with its shop and settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.errors import NotFound
from bundlesvc.domain.shop import Shop, ShopSettings, Tenant
from bundlesvc.domain.subscription import offers_subscription
from bundlesvc.ports import Platform, ShopStore
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.concurrent_reads import read_both

MAX_LISTED = 100


@dataclass(frozen=True, slots=True)
class BundleView:
    """A bundle and the data needed to render it: its shop, the shop's settings, and the platform's selling plans by product,
    frequency and unit."""

    bundle: Bundle
    shop: Shop
    settings: ShopSettings
    selling_plans: Mapping[tuple[int, int, str], str]


class Bundles:
    """Reads the bundles that a caller may see."""

    def __init__(self, shops: ShopStore, platform: Platform) -> None:
        self._shops = shops
        self._platform = platform

    async def published(self, caller: Caller) -> Sequence[Bundle]:
        """Return up to 100 published bundles of the caller's shop, ordered by id."""
        return await self._shops.published_bundles(caller.tenant, MAX_LISTED)

    async def find(self, caller: Caller, bundle_id: int) -> Bundle:
        """Find a bundle. Unpublished bundles are visible only to test keys. Raises NotFound if the bundle does not exist in the
        caller's shop."""
        bundle = await self._shops.bundle(caller.tenant, bundle_id)
        if bundle is None or not (bundle.published or caller.key.test):
            raise NotFound
        return bundle

    async def view(self, caller: Caller, bundle_id: int, deadline: RequestDeadline) -> BundleView:
        """Return a bundle with the data that GET /bundles/:id returns. Raises NotFound, and the errors of the `Platform` port."""
        return await self.describe(caller.tenant, await self.find(caller, bundle_id), deadline)

    async def describe(self, tenant: Tenant, bundle: Bundle, deadline: RequestDeadline) -> BundleView:
        """Read a bundle with its shop, settings and selling plans. Raises the same errors as `Platform`."""
        product_id = bundle.product_id
        if product_id is None or not offers_subscription(tenant.shop, bundle):
            return BundleView(bundle, tenant.shop, await self._platform.shop(tenant, deadline), {})
        settings, plans = await read_both(
            tenant,
            lambda: self._platform.shop(tenant, deadline),
            lambda: self._platform.selling_plans(tenant, [product_id], deadline),
        )
        return BundleView(bundle, tenant.shop, settings, plans)
