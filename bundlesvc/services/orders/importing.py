"""Imports the orders of a live platform from a given day on (docs/orders.md#import)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from bundlesvc.batches import batches
from bundlesvc.domain.errors import PlatformTimeout, PlatformUnavailable
from bundlesvc.domain.orders.judged import WITHOUT_BUNDLE
from bundlesvc.domain.orders.refusals import OrderInvalid
from bundlesvc.domain.orders.waiting import ImportProgress
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports.orders import ImportStore, PlatformOrders
from bundlesvc.services.orders.intake import OrderIntake

T = TypeVar("T")

AT_ONCE = 4
"""The number of orders to read at the same time."""

PATIENCE, LONGEST_WAIT = 10, 30
"""The maximum number of attempts at a read that the platform does not answer, and the longest wait between two attempts, in
seconds. A shop that is out of points says how long to wait. A longer wait, such as for a closed shop, ends the import."""


@dataclass(frozen=True, slots=True)
class Reports:
    """Callbacks through which an import reports its progress, and each order that was refused."""

    progress: Callable[[ImportProgress], None]
    refused: Callable[[str], None]


class OrderImport:
    """Imports the orders of a shop. Stores its progress after each page, and resumes from there."""

    def __init__(
        self,
        store: ImportStore,
        reader: PlatformOrders,
        intake: OrderIntake,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store = store
        self._reader = reader
        self._intake = intake
        self._sleep = sleep

    async def run(self, tenant: Tenant, since: int, reports: Reports) -> ImportProgress:
        """Import the orders placed since the given time. An interrupted import with the same start time is resumed. When the
        platform stays unavailable for a long time, raises what `PlatformOrders` raises."""
        stored = await self._store.progress(tenant)
        progress = ImportProgress(since) if stored is None or stored.done or stored.since != since else stored
        reports.progress(progress)
        while not progress.done:
            part = await self._patiently(partial(self._reader.order_ids, tenant, since, progress.cursor))
            taken = await self._take_all(tenant, part.ids, reports)
            progress = replace(
                progress,
                cursor=part.cursor,
                read=progress.read + len(part.ids),
                stored=progress.stored + taken,
                done=part.cursor is None,
            )
            await self._store.save(tenant, progress)
            reports.progress(progress)
        return progress

    async def _take_all(self, tenant: Tenant, ids: Sequence[str], reports: Reports) -> int:
        """Import orders from the platform, and return how many of them contain a bundle."""
        taken = 0
        for few in batches(ids, AT_ONCE):
            reads = [asyncio.create_task(self._take(tenant, order_id, reports)) for order_id in few]
            try:
                taken += sum(await asyncio.gather(*reads))
            finally:
                for read in reads:
                    read.cancel()
                await asyncio.gather(*reads, return_exceptions=True)
        return taken

    async def _take(self, tenant: Tenant, order_id: str, reports: Reports) -> bool:
        order = await self._patiently(partial(self._reader.order, tenant, order_id))
        if order is None:
            return False
        try:
            return (await self._intake.take_read(tenant, order)).result != WITHOUT_BUNDLE
        except OrderInvalid as refused:
            reports.refused(f"order {order_id}: {' '.join(fault.message for fault in refused.faults)}")
            return False

    async def _patiently(self, read: Callable[[], Awaitable[T]]) -> T:
        """Return the result of a read, retrying it during short outages of the platform."""
        for _ in range(PATIENCE - 1):
            try:
                return await read()
            except (PlatformUnavailable, PlatformTimeout) as error:
                if error.retry_after > LONGEST_WAIT:
                    raise
                await self._sleep(error.retry_after)
        return await read()
