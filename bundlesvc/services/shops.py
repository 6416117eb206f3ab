"""The shops of the database in memory, a shop's settings, and whether the database can be used."""

from collections.abc import Mapping

from bundlesvc.domain.shop import ShopSettings, Tenant
from bundlesvc.ports import Platform, ShopStore
from bundlesvc.request_deadline import RequestDeadline


def changed_shops(before: Mapping[int, int], after: Mapping[int, int]) -> set[int]:
    """The shops that have another revision, are new, or gone."""
    return {shop_id for shop_id, _ in before.items() ^ after.items()}


class Tenants:
    """Every shop as of the `revisions` that this process has seen. Call `refresh` once a second."""

    def __init__(self, shops: ShopStore) -> None:
        self._shops = shops
        self._by_id: Mapping[int, Tenant] = {}
        self.revisions: Mapping[int, int] = {}

    async def refresh(self) -> None:
        """Read the shops again whose revision changed. Raises StorageUnavailable."""
        revisions = dict(await self._shops.revisions())
        changed = changed_shops(self.revisions, revisions)
        if not changed:
            return
        tenants = await self._shops.tenants(changed)
        others = {id_: tenant for id_, tenant in self._by_id.items() if id_ not in changed}
        self._by_id = others | {tenant.id: tenant for tenant in tenants}
        self.revisions = {id_: tenant.revision for id_, tenant in self._by_id.items()}

    def get(self, shop_id: int) -> Tenant | None:
        """The shop with this row id."""
        return self._by_id.get(shop_id)

    def with_handle(self, handle: str) -> Tenant | None:
        return next((tenant for tenant in self._by_id.values() if tenant.shop.handle == handle), None)

    def on_platform(self, kind: str, domain: str) -> list[Tenant]:
        """The shops with this domain on a platform, whatever its case."""
        named = (kind, domain.lower())
        links = ((tenant, tenant.shop.platform) for tenant in self._by_id.values())
        return [tenant for tenant, link in links if (link.kind, (link.domain or "").lower()) == named]


class Shops:
    """The use case."""

    def __init__(self, shops: ShopStore, platform: Platform) -> None:
        self._shops = shops
        self._platform = platform

    async def settings(self, tenant: Tenant, deadline: RequestDeadline) -> ShopSettings:
        """The shop's settings on its platform. Raises what `Platform` raises."""
        return await self._platform.shop(tenant, deadline)

    async def check_database(self) -> None:
        """Raises StorageUnavailable while the database cannot be read or written."""
        await self._shops.ping()
