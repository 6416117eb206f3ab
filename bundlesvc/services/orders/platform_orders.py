"""Receives the orders of live platforms. A webhook provides only the id of an order; the order itself is read from the platform
after the webhook has been answered."""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping

from bundlesvc.domain.errors import Unavailable
from bundlesvc.domain.live_platform.platform_change import CONTRACT
from bundlesvc.domain.orders.refusals import OrderInvalid
from bundlesvc.domain.orders.waiting import Waiting
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Clock
from bundlesvc.ports.orders import OrderInbox, PlatformOrders, SubscriptionStates
from bundlesvc.services.orders.intake import OrderIntake
from bundlesvc.services.shops import Tenants

logger = logging.getLogger(__name__)

LEASE = 120
"""Seconds for which a claimed notice belongs to one process. If the process dies, another process handles the notice
afterwards."""

AT_ONCE = 8
"""The maximum number of notices that a process handles at the same time. The platform's own limits are lower."""

READ, NOT_FOUND, REFUSED, FAILED = "read", "not_found", "refused", "failed"

READINGS = (READ, NOT_FOUND, REFUSED, FAILED)
"""The results of reading an order: read; not shown by the platform; refused, because the order contradicts itself; failed,
because the platform did not respond (the order is read again later)."""


class PlatformOrderIntake:
    """Reads the orders that webhooks reported, and stores them. `readings` counts the outcomes of these reads by shop."""

    def __init__(
        self,
        inbox: OrderInbox,
        readers: Mapping[str, PlatformOrders],
        tenants: Tenants,
        intake: OrderIntake,
        subscriptions: SubscriptionStates,
        clock: Clock,
    ) -> None:
        self._inbox = inbox
        self._readers = readers
        self._tenants = tenants
        self._intake = intake
        self._subscriptions = subscriptions
        self._clock = clock
        self.readings: Counter[tuple[str, str]] = Counter()
        self.waiting: tuple[int, int | None] = 0, None
        """The number of notices and the time of the oldest, at the last count."""

    async def run(self) -> None:
        """Read orders from the platforms until none is due. Raises StorageUnavailable."""
        while claimed := await self._claimed():
            await asyncio.gather(*map(self._deal_with, claimed))

    async def count(self) -> None:
        """Count the waiting notices, and store the result in `waiting`. Raises StorageUnavailable."""
        self.waiting = await self._inbox.counts()

    async def _claimed(self) -> list[Waiting]:
        now = int(self._clock.now())
        return [*await self._inbox.claim(now, now + LEASE, AT_ONCE)]

    async def _deal_with(self, waiting: Waiting) -> None:
        """Read the order or contract that a notice reports. When the platform fails, the notice is retried later; any other
        outcome closes it."""
        tenant = self._tenants.get(waiting.shop_id)
        reader = None if tenant is None else self._readers.get(tenant.shop.platform.kind)
        if tenant is not None and reader is not None:
            try:
                reading = await self._read(tenant, reader, waiting)
            except Unavailable as error:
                self.readings[FAILED, tenant.shop.handle] += 1
                pause = max(waiting.pause, error.retry_after)
                await self._inbox.postpone(waiting, int(self._clock.now()) + pause)
                return
            self.readings[reading, tenant.shop.handle] += 1
        await self._inbox.close(waiting, int(self._clock.now()))

    async def _read(self, tenant: Tenant, reader: PlatformOrders, waiting: Waiting) -> str:
        if waiting.notice.kind == CONTRACT:
            return await self._read_contract(tenant, reader, waiting.notice.id)
        order = await reader.order(tenant, waiting.notice.id)
        if order is None:
            return NOT_FOUND
        try:
            await self._intake.take_read(tenant, order)
        except OrderInvalid as refused:
            faults = " ".join(fault.message for fault in refused.faults)
            logger.warning("%s: order %s was not accepted: %s", tenant.shop.handle, order.id, faults)
            return REFUSED
        for contract in sorted({line.contract for line in order.lines if line.contract is not None}):
            await self._read_contract(tenant, reader, contract)  # the contract may have ended before its order was read
        return READ

    async def _read_contract(self, tenant: Tenant, reader: PlatformOrders, contract_id: str) -> str:
        """Fetch a subscription contract, and record its state. If the subscription is not known here yet, the contract is fetched
        again when the order of that subscription is read."""
        contract = await reader.contract(tenant, contract_id)
        if contract is None:
            return NOT_FOUND
        await self._subscriptions.record_contract(tenant, contract)
        return READ
