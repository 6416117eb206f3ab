"""The port of stored orders."""

from collections.abc import Collection, Sequence
from typing import Protocol

from bundlesvc.domain.orders.judged import JudgedOrder, OrderFilter
from bundlesvc.domain.orders.promises import Promises
from bundlesvc.domain.shop import Tenant


class OrderStore(Protocol):
    """Orders with bundles, and the promises behind them. Raises StorageUnavailable."""

    async def promises(self, tenant: Tenant, configured_ids: Collection[int], variant_ids: Collection[int]) -> Promises:
        """The promises of these configured bundles, and of the ghost variants among these variants."""

    async def record(self, tenant: Tenant, judged: JudgedOrder, bundles: str | None) -> str:
        """Store an order, unless this version or a higher one is stored. Returns which of these it was, one of `RESULTS`.
        `bundles` is the attribute that the order was sent with: only a digest of it is stored. Raises OrderVersionReused when
        the version was stored with other content."""

    async def order(self, tenant: Tenant, order_id: str) -> JudgedOrder | None: ...

    async def orders(self, tenant: Tenant, wanted: OrderFilter) -> Sequence[JudgedOrder]:
        """The orders of a filter, newest first."""
