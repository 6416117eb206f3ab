"""Reads stored orders."""

from collections.abc import Sequence

from bundlesvc.domain.errors import NotFound
from bundlesvc.domain.orders.judged import JudgedOrder, OrderFilter
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports.orders import OrderStore


class Orders:
    """Reads the orders of a shop, with their verdicts."""

    def __init__(self, store: OrderStore) -> None:
        self._store = store

    async def find(self, tenant: Tenant, order_id: str) -> JudgedOrder:
        """Find an order. Raises NotFound when the shop has no such order, even if another shop has one."""
        found = await self._store.order(tenant, order_id)
        if found is None:
            raise NotFound
        return found

    async def list(self, tenant: Tenant, wanted: OrderFilter) -> Sequence[JudgedOrder]:
        """Return the orders that match a filter, newest first."""
        return await self._store.orders(tenant, wanted)
