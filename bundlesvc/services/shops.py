"""A shop's settings, and whether shops can be read."""

from bundlesvc.domain.shop import ShopSettings, Tenant
from bundlesvc.ports import Platform, ShopStore
from bundlesvc.request_deadline import RequestDeadline


class Shops:
    """The use case."""

    def __init__(self, shops: ShopStore, platform: Platform) -> None:
        self._shops = shops
        self._platform = platform

    async def settings(self, tenant: Tenant, deadline: RequestDeadline) -> ShopSettings:
        """What the platform says of the shop. Raises what `Platform` raises."""
        return await self._platform.shop(tenant, deadline)

    async def check_readable(self) -> None:
        """Raises StorageUnavailable while shops cannot be read."""
        await self._shops.ping()
