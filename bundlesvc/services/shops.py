"""Caches shops in memory, reads a shop's settings, and checks the database."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from bundlesvc.domain.shop import ShopSettings, Tenant
from bundlesvc.ports import Clock, Platform, ShopStore
from bundlesvc.request_deadline import RequestDeadline


def changed_shops(before: Mapping[int, int], after: Mapping[int, int]) -> set[int]:
    """Return the ids of shops that are new, were deleted, or have a different revision."""
    return {shop_id for shop_id, _ in before.items() ^ after.items()}


class Tenants:
    """All shops, as of the latest revisions that this process has loaded (`revisions`). Call `refresh` once a second. A cached
    tenant may be in a phase that has ended since the last refresh, so code that serves a request must call `Tenant.at`."""

    def __init__(self, shops: ShopStore, clock: Clock) -> None:
        self._shops = shops
        self._clock = clock
        self._by_id: dict[int, Tenant] = {}
        self._by_handle: dict[str, Tenant] = {}
        self._by_domain: defaultdict[tuple[str, str], dict[int, Tenant]] = defaultdict(dict)
        self.revisions: Mapping[int, int] = {}

    async def refresh(self) -> None:
        """Reload the shops whose revision has changed, and update every shop whose publication phase has ended. Raises
        StorageUnavailable."""
        revisions = dict(await self._shops.revisions())
        changed = changed_shops(self.revisions, revisions)
        now = self._clock.now()
        if changed:
            tenants = await self._shops.tenants(changed)
            self._forget(changed.union(tenant.id for tenant in tenants))
            self._use(tenant.at(now) for tenant in tenants)
            self.revisions = {id_: tenant.revision for id_, tenant in self._by_id.items()}
        self._use([tenant.at(now) for tenant in self._by_id.values() if not tenant.phase.contains(now)])

    def all(self) -> Collection[Tenant]:
        """Return all shops."""
        return self._by_id.values()

    def _use(self, tenants: Iterable[Tenant]) -> None:
        for tenant in tenants:
            self._by_id[tenant.id] = self._by_handle[tenant.shop.handle] = tenant
            self._by_domain[_domain_of(tenant)][tenant.id] = tenant

    def get(self, shop_id: int) -> Tenant | None:
        """Return the shop with this row id, or None."""
        return self._by_id.get(shop_id)

    def with_handle(self, handle: str) -> Tenant | None:
        return self._by_handle.get(handle)

    def on_platform(self, kind: str, domain: str) -> list[Tenant]:
        """Return the shops with this domain on a platform. Case is ignored."""
        return list(self._by_domain.get((kind, domain.lower()), {}).values())

    def _forget(self, shop_ids: Iterable[int]) -> None:
        for shop_id in shop_ids:
            tenant = self._by_id.pop(shop_id, None)
            if tenant is not None:
                del self._by_domain[_domain_of(tenant)][shop_id]
                if self._by_handle.get(tenant.shop.handle) is tenant:  # otherwise a new shop has taken over the handle
                    del self._by_handle[tenant.shop.handle]


def _domain_of(tenant: Tenant) -> tuple[str, str]:
    """Return a shop's platform, and its domain there in lower case."""
    link = tenant.shop.platform
    return link.kind, (link.domain or "").lower()


class Shops:
    """Reads the shop settings that storefronts may see."""

    def __init__(self, shops: ShopStore, platform: Platform) -> None:
        self._shops = shops
        self._platform = platform

    async def settings(self, tenant: Tenant, deadline: RequestDeadline) -> ShopSettings:
        """Return the shop's settings on its platform. Raises the same errors as `Platform`."""
        return await self._platform.shop(tenant, deadline)

    async def check_database(self) -> None:
        """Check that the database can be read and written. Raises StorageUnavailable."""
        await self._shops.ping()
