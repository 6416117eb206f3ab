"""The ports of orders: stored ones, those on live platforms, and the notices of those that are still to be read."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from bundlesvc.domain.orders.contract import Contract
from bundlesvc.domain.orders.judged import JudgedOrder, OrderFilter
from bundlesvc.domain.orders.kept_promises import PromiseCounts
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.promises import Promises
from bundlesvc.domain.orders.refunds.refund_comparison import SuggestedLine
from bundlesvc.domain.orders.waiting import ImportProgress, OrderIds, Waiting
from bundlesvc.domain.shop import ShopSettings, Tenant
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline


class OrderStore(Protocol):
    """Orders with bundles, and the promises behind them. Raises StorageUnavailable."""

    async def promises(
        self,
        tenant: Tenant,
        configured_ids: Collection[int],
        variant_ids: Collection[int],
        contracts: Collection[str] = (),
    ) -> Promises:
        """The promises of these configured bundles, of the ghost variants among these variants, and the subscriptions of these
        contracts."""

    async def record(self, tenant: Tenant, judged: JudgedOrder, bundles: str | None) -> str:
        """Store an order, unless this version or a higher one is stored. Returns which of these it was, one of `RESULTS`. Of an
        order without a bundle only the total is stored.
        `bundles` is the attribute that the order was sent with: only a digest of it is stored. Raises OrderVersionReused when
        the version was stored with other content."""

    async def order(self, tenant: Tenant, order_id: str) -> JudgedOrder | None: ...

    async def promise_counts(self, tenant: Tenant, since: int, *, test: bool) -> PromiseCounts:
        """The orders placed at `since` or later, real ones or test orders, by what became of their promises."""

    async def orders(self, tenant: Tenant, wanted: OrderFilter) -> Sequence[JudgedOrder]:
        """The orders of a filter, newest first."""


class ShopSettingsReader(Protocol):
    """The part of the port `Platform` that orders need."""

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings: ...


class PlatformOrders(Protocol):
    """The orders of shops on a live platform, without anything about the shopper but the country. Raises
    PlatformNotConnected, PlatformUnavailable, PlatformFailed, PlatformTimeout, StorageUnavailable.

    The webhooks of the platform name orders as `Delivery.notices`; the service reads them here, after it has answered.
    """

    async def order(self, tenant: Tenant, order_id: str) -> Order | None:
        """The order as it is now, with its rate, and a version that grows with every change of it. None when the platform has
        no such order, or does not show it to the app."""

    async def contract(self, tenant: Tenant, contract_id: str) -> Contract | None:
        """A subscription contract as it is now. None when the platform has no such contract, or does not show it to the app."""

    async def order_ids(self, tenant: Tenant, since: int, cursor: str | None) -> OrderIds:
        """The ids of a part of the orders that were placed at `since` (seconds since 1970) or later, oldest first. The first
        part has no cursor."""

    async def hidden(self, tenant: Tenant, since: int) -> str | None:
        """A sentence about the orders since then that the platform does not show to the app, and what to do; None when it shows
        all."""


class RefundSuggestions(Protocol):
    """A live platform that calculates refunds itself. Raises PlatformNotConnected, PlatformUnavailable, PlatformFailed,
    PlatformTimeout, StorageUnavailable."""

    async def suggested(
        self, tenant: Tenant, order: Order, returns: Mapping[str, int]
    ) -> Sequence[SuggestedLine] | None:
        """The refund that the platform would suggest for units of these lines. None when the platform has no such order."""


class OrderInbox(Protocol):
    """The notices of orders that are still to be read. Raises StorageUnavailable."""

    async def claim(self, now: int, until: int, limit: int) -> Sequence[Waiting]:
        """Notices that are due, the longest waiting first. No other process gets them before `until`."""

    async def close(self, waiting: Waiting, now: int) -> None:
        """Delete a notice that was dealt with. If it has come again since the claim, it is due at once."""

    async def postpone(self, waiting: Waiting, due_at: int) -> None:
        """Have a notice claimed again later."""

    async def counts(self) -> tuple[int, int | None]:
        """The number of notices, and the time of the oldest."""


class ImportStore(Protocol):
    """How far the import of a shop's orders has come. Raises StorageUnavailable."""

    async def progress(self, tenant: Tenant) -> ImportProgress | None: ...

    async def save(self, tenant: Tenant, progress: ImportProgress) -> None: ...


class SubscriptionStates(Protocol):
    """The states of subscriptions, which follow the stored orders. Raises StorageUnavailable."""

    async def record_contract(self, tenant: Tenant, contract: Contract) -> int:
        """Record the state of a contract for the subscriptions that it belongs to. Returns how many there are."""

    async def expire(self, created_before: int) -> int:
        """End the subscriptions that were made before a time and never ordered, in shops whose orders come in. Returns their
        number."""
