"""A read replica for the contents of shop files (docs/decisions/0029-postgresql-in-production.md)."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from sqlalchemy import Connection, select

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.health.replica_health import PRIMARY, REPLICA, ReplicaHealth
from bundlesvc.storage.database.health.replica_lag import lag_behind, position
from bundlesvc.storage.database.postgresql.failures import breaks_server
from bundlesvc.storage.database.postgresql.server import PostgresqlDatabase
from bundlesvc.storage.database.tables import shops
from bundlesvc.storage.database.transaction import Insertion, Read, Work

T = TypeVar("T")

REPLICA_SECONDS = 2.0
"""Seconds after which a replica that does not respond counts as unavailable."""

RETRY_SECONDS = 1.0
"""Seconds between two attempts to reach an unavailable replica."""

LAG_SECONDS = 15.0
"""Seconds between two measurements of the replica's lag."""


class ReplicatedDatabase:
    """A `Database` that reads shop files from a replica, or from the primary server while the replica is unavailable or too
    far behind."""

    def __init__(self, primary: PostgresqlDatabase, replica: PostgresqlDatabase) -> None:
        self._primary = primary
        self._replica = replica
        self._task: asyncio.Task[None] | None = None
        self._state = ReplicaHealth()
        self.health = primary.health
        self.health.replica = self._state

    async def read(self, query: Callable[[Connection], T]) -> T:
        return await self._primary.read(query)

    def snapshot(self) -> AbstractAsyncContextManager[Read]:
        return self._primary.snapshot()

    async def read_shop(self, tenant: Tenant, query: Callable[[Connection], T]) -> T:
        found = await self._at_replica(tenant, query) if self._state.up else None
        self._state.reads[PRIMARY if found is None else REPLICA] += 1
        return await self._primary.read(query) if found is None else found.result

    async def _at_replica(self, tenant: Tenant, query: Callable[[Connection], T]) -> "_Found[T] | None":
        try:
            return await self._replica.read(partial(_find, tenant, query))
        except StorageUnavailable as failure:
            if breaks_server(failure):  # the whole server has failed, not only this query
                self._state.failed(failure)
            return None

    async def write(self, work: Work[T], insertion: Callable[[], Insertion[T]] | None = None) -> T:
        return await self._primary.write(work, insertion)

    async def try_writing(self) -> None:
        await self._primary.try_writing()

    async def overwrite_deleted(self) -> bool:
        return await self._primary.overwrite_deleted()

    def start(self) -> None:
        self._primary.start()
        self._task = asyncio.create_task(self._observe(), name="read replica")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._replica.close()
        await self._primary.close()

    async def _observe(self) -> None:
        """Detect when the replica is available again, and measure its lag."""
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            if not self._state.up:
                with suppress(StorageUnavailable):
                    await self._replica.read(lambda connection: connection.execute(select(1)).scalar())
                    self._state.recovered()
            if self._state.up and loop.time() >= due:
                due = loop.time() + LAG_SECONDS
                await self.measure_lag()
            await asyncio.sleep(RETRY_SECONDS)

    async def measure_lag(self) -> None:
        """Measure the lag of the replica. The lag is unknown while either server does not respond."""
        try:
            end = await self._primary.read(position)
            self._state.lag = await self._replica.read(partial(lag_behind, end))
        except StorageUnavailable:
            self._state.lag = None


class _Found(NamedTuple, Generic[T]):
    result: T


def _find(tenant: Tenant, query: Callable[[Connection], T], connection: Connection) -> _Found[T] | None:
    """Run a query on the replica if the replica contains the tenant's revision of the shop or a later one; otherwise, return
    None. The shop is looked up by id and handle, so that another shop with the same id is not mistaken for it."""
    mine = (shops.c.id == tenant.id) & (shops.c.handle == tenant.shop.handle)
    revision = connection.execute(select(shops.c.revision).where(mine)).scalar()
    return None if revision is None or revision < tenant.revision else _Found(query(connection))
