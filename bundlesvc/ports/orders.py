"""The ports for orders: stored orders, orders on live platforms, and notices of orders that still have to be read."""

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
    """Stores orders that contain bundles, and finds the promises made for these bundles. Raises StorageUnavailable."""

    async def promises(
        self,
        tenant: Tenant,
        configured_ids: Collection[int],
        variant_ids: Collection[int],
        contracts: Collection[str] = (),
    ) -> Promises:
        """Find the promises made for these configured bundles and for the ghost variants among `variant_ids`, and the
        subscriptions that belong to these contracts."""

    async def record(self, tenant: Tenant, judged: JudgedOrder, bundles: str | None) -> str:
        """Store an order, unless the same or a higher version of it is already stored. Returns the outcome, one of `RESULTS`. For
        an order without a bundle, only the total is stored.

        `bundles` is the attribute that was sent with the order; only a digest of it is stored. Raises OrderVersionReused when
        this version was stored with different content."""

    async def order(self, tenant: Tenant, order_id: str) -> JudgedOrder | None: ...

    async def promise_counts(self, tenant: Tenant, since: int, *, test: bool) -> PromiseCounts:
        """Count the orders placed at `since` or later, grouped by whether their promises were kept and, if not, why they were
        broken. With `test`, counts test orders, otherwise real orders."""

    async def orders(self, tenant: Tenant, wanted: OrderFilter) -> Sequence[JudgedOrder]:
        """Return the orders that match a filter, newest first."""


class ShopSettingsReader(Protocol):
    """The part of the `Platform` port that orders need."""

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings: ...


class PlatformOrders(Protocol):
    """The orders of shops on a live platform. They contain nothing about the shopper except the country. Raises
    PlatformNotConnected, PlatformUnavailable, PlatformFailed, PlatformTimeout, StorageUnavailable.

    The platform's webhooks contain only the ids of orders, as `Delivery.notices`; the service reads the orders through this port
    after it has responded to the webhook.
    """

    async def order(self, tenant: Tenant, order_id: str) -> Order | None:
        """Fetch the current state of an order, including its exchange rate and a version that increases with every change to the
        order. Returns None when the platform has no such order, or does not show it to the app."""

    async def contract(self, tenant: Tenant, contract_id: str) -> Contract | None:
        """Fetch the current state of a subscription contract. Returns None when the platform has no such contract, or does not
        show it to the app."""

    async def order_ids(self, tenant: Tenant, since: int, cursor: str | None) -> OrderIds:
        """Fetch one page of the ids of orders placed at `since` (seconds since 1970) or later, oldest first. Pass None as
        `cursor` for the first page."""

    async def hidden(self, tenant: Tenant, since: int) -> str | None:
        """Return a message that describes the orders placed at `since` or later that the platform hides from the app, and says
        how to make them visible. Returns None when no orders are hidden."""


class RefundSuggestions(Protocol):
    """A live platform that calculates refunds itself. Raises PlatformNotConnected, PlatformUnavailable, PlatformFailed,
    PlatformTimeout, StorageUnavailable."""

    async def suggested(
        self, tenant: Tenant, order: Order, returns: Mapping[str, int]
    ) -> Sequence[SuggestedLine] | None:
        """Fetch the refund that the platform would suggest if these units of the order's lines were returned. Returns None when
        the platform has no such order."""


class OrderInbox(Protocol):
    """The queue of order notices that still have to be read. Raises StorageUnavailable."""

    async def claim(self, now: int, until: int, limit: int) -> Sequence[Waiting]:
        """Claim up to `limit` due notices, longest waiting first. No other process can claim them before `until`."""

    async def close(self, waiting: Waiting, now: int) -> None:
        """Delete a notice that has been processed, unless the same notice has arrived again since it was claimed: then the
        notice stays, and is due immediately."""

    async def postpone(self, waiting: Waiting, due_at: int) -> None:
        """Make a notice due again at a later time."""

    async def counts(self) -> tuple[int, int | None]:
        """Return the number of notices, and the time of the oldest one."""


class ImportStore(Protocol):
    """Stores the progress of the import of a shop's orders. Raises StorageUnavailable."""

    async def progress(self, tenant: Tenant) -> ImportProgress | None: ...

    async def save(self, tenant: Tenant, progress: ImportProgress) -> None: ...


class SubscriptionStates(Protocol):
    """Stores the states of subscriptions, which are derived from the stored orders. Raises StorageUnavailable."""

    async def record_contract(self, tenant: Tenant, contract: Contract) -> int:
        """Record the state of a contract for the subscriptions that it belongs to. Returns the number of these subscriptions."""

    async def expire(self, created_before: int) -> int:
        """Expire the subscriptions that were created before the given time and have no order, in shops that have sent orders.
        Returns the number of expired subscriptions."""
