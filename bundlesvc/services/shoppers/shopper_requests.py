"""Carries out the platforms' requests about shoppers' data."""

import logging

from bundlesvc.domain.errors import PlatformFailed, PlatformTimeout, PlatformUnavailable
from bundlesvc.domain.live_platform.connection import UNKNOWN_KEY
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shopper import DELETE_SHOP, ERASE, GRACE, ReceivedRequest, Shopper
from bundlesvc.ports import AppInstallation, Clock, CredentialKeys, ShopperRequestStore, ShopperStore
from bundlesvc.services.shops import Tenants

logger = logging.getLogger(__name__)


class ShopperRequests:
    """Carries out the platforms' requests about shoppers' data: erases the data of shoppers, and deletes shops. Requests for
    exports wait for the operator."""

    def __init__(
        self,
        store: ShopperRequestStore,
        shoppers: ShopperStore,
        tenants: Tenants,
        app: AppInstallation,
        credentials: CredentialKeys,
        clock: Clock,
    ) -> None:
        self._store = store
        self._shoppers = shoppers
        self._tenants = tenants
        self._app = app
        self._credentials = credentials
        self._clock = clock

    async def run(self) -> None:
        """Carry out all open requests about shoppers' data, except exports. If the platform fails while a request is being
        carried out, the request is retried at the next call. Raises StorageUnavailable."""
        for received in await self._store.open():
            tenant = self._tenants.get(received.shop_id)
            if tenant and received.request.kind == ERASE:
                await self._erase(tenant, received)
            elif tenant and received.request.kind == DELETE_SHOP:
                await self._delete(tenant, received)

    async def _erase(self, tenant: Tenant, received: ReceivedRequest) -> None:
        """Erase the shopper's data from every shop in this service that is connected to the same platform shop."""
        link, shop_ids = tenant.shop.platform, {tenant.id}
        if link.domain:
            shop_ids.update(same.id for same in self._tenants.on_platform(link.kind, link.domain))
        erased = await self._shoppers.erase(Shopper(received.request.subject, shop_ids))
        counts = ", ".join(f"{name}: {count}" for name, count in erased.items())
        logger.info("%s: a shopper's data was erased, as the platform requested; %s", tenant.shop.handle, counts)
        await self._store.close(received.id)

    async def _delete(self, tenant: Tenant, received: ReceivedRequest) -> None:
        """Delete a shop whose app was uninstalled, unless the app is reinstalled within the grace period."""
        if (tenant.shop.platform.domain or "").lower() != received.request.subject.lower():
            await self._keep(tenant, received, "its file names another domain")
        elif self._clock.now() >= received.received_at + GRACE:
            await self._delete_unless_installed(tenant, received)

    async def _delete_unless_installed(self, tenant: Tenant, received: ReceivedRequest) -> None:
        if await self._credentials.encrypted_with(tenant) == UNKNOWN_KEY:
            return
        try:
            installed = await self._app.is_installed(tenant)
        except (PlatformUnavailable, PlatformFailed, PlatformTimeout):
            return
        if installed:
            await self._keep(tenant, received, "its app is installed again")
            return
        await self._shoppers.delete_shop(tenant)
        logger.warning("%s: deleted with all its data, as the platform requested.", tenant.shop.handle)

    async def _keep(self, tenant: Tenant, received: ReceivedRequest, reason: str) -> None:
        logger.warning("%s: not deleted, although the platform requested it: %s.", tenant.shop.handle, reason)
        await self._store.close(received.id)
