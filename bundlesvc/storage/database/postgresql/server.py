"""A PostgreSQL database: connections, reads and writes (docs/decisions/0011-postgresql.md)."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from random import random
from typing import Any, TypeVar

import asyncpg
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine

from bundlesvc.domain.errors import StorageBusy, StorageUnavailable
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.health.storage_health import StorageHealth
from bundlesvc.storage.database.postgresql import failures
from bundlesvc.storage.database.postgresql.connections import Connections
from bundlesvc.storage.database.postgresql.driver_inserts import DriverInserts
from bundlesvc.storage.database.postgresql.group_inserts import GroupInserts
from bundlesvc.storage.database.scheduling.connection_queue import ConnectionQueue, QueueTimeout
from bundlesvc.storage.database.scheduling.shielded import Shielded
from bundlesvc.storage.database.transaction import Conflict, Insertion, Read, Work, rows_by_statement, write_something
from bundlesvc.tracing.spans import span

T = TypeVar("T")

READERS, WRITERS = 3, 5
"""Connections per process, for reads and for writes. They are separate, so that reads never wait for writers that wait for each
other."""

QUEUE_SHARE = 0.8
"""The share of the timeout for which a request may wait for a connection. The rest is left for the server, which would otherwise
appear to hang."""

CLOSE_SECONDS = 2.0

PAUSES = (0.0, 0.01, 0.03, 0.1, 0.3)
"""The longest pause before each retry after a lost race or a lost connection, in seconds. The actual pauses are random."""

_LOST_A_RACE = frozenset(("40001", "40P01", "23505"))
"""Codes of a lost race (serialization failure, deadlock, unique violation). A retry sees what the other transaction wrote."""


class PostgresqlDatabase:
    """A `Database` on a server that several processes share. The server counts as unavailable after `timeout` seconds without a
    response. Each write is a separate READ COMMITTED transaction, except that a group of insertions shares one;
    `storage/database/transaction.py` explains what this means for units of work."""

    def __init__(self, url: str, timeout: float) -> None:
        self._timeout = timeout
        connections = Connections(url, timeout)
        self._reading = connections.engine(pool_size=READERS, isolation_level="AUTOCOMMIT")
        self._writing = connections.engine(pool_size=WRITERS, isolation_level="READ COMMITTED")
        self._read_queue, self._write_queue = ConnectionQueue(READERS), ConnectionQueue(WRITERS)
        self._driver_inserts = DriverInserts(self._writing, connections)
        self._inserts = GroupInserts(self._insert)
        self._writes = Shielded()
        self.health = StorageHealth()
        self._closing = False

    async def read(self, query: Callable[[Connection], T]) -> T:
        return await self._persist(self._read_queue, lambda: _queried(self._reading, query))

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Read]:
        async with AsyncExitStack() as opened:
            with self._failures_named():
                connection = await opened.enter_async_context(self._writing.connect())
                await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

            async def read(query: Callable[[Connection], T]) -> T:
                with self._failures_named():
                    return await connection.run_sync(query)

            yield read

    async def read_shop(self, tenant: Tenant, query: Callable[[Connection], T]) -> T:
        return await self.read(query)

    async def write(self, work: Work[T], insertion: Callable[[], Insertion[T]] | None = None) -> T:
        if self._closing:
            raise StorageUnavailable
        with span("commit", {"db.system.name": "postgresql"}):
            result = await self._write(work, insertion)
        self.health.wrote()
        return result

    async def _write(self, work: Work[T], insertion: Callable[[], Insertion[T]] | None) -> T:
        if insertion is not None:
            made = insertion()
            if await self._inserts.insert(made):
                return made.result
        commit = self._persist(self._write_queue, lambda: self._commit(work))
        return await self._writes.run(commit, name="write")

    async def _insert(self, insertions: Sequence[Insertion[Any]]) -> bool:
        """Make the insertions of a group. Returns False, with nothing stored, when a statement failed."""
        rows = rows_by_statement(insertions)

        async def attempt() -> bool:
            began = time.perf_counter()
            is_stored = await self._driver_inserts.commit(rows)
            if is_stored:
                self.health.commits.committed(len(insertions), time.perf_counter() - began)
            return is_stored

        return await self._persist(self._write_queue, attempt)

    async def _commit(self, work: Work[T]) -> T:
        began = time.perf_counter()
        result = await _committed(self._writing, work)
        self.health.commits.committed(1, time.perf_counter() - began)
        return result

    async def try_writing(self) -> None:
        await self.write(write_something)
        self.health.recovered()

    async def overwrite_deleted(self) -> bool:
        return False  # the server's vacuum frees the space of deleted rows, and later writes fill it

    def start(self) -> None:
        """Do nothing: the engines exist already, and connections are opened when they are first needed."""

    async def close(self) -> None:
        self._closing = True
        await self._inserts.finish()
        # By now, every caller whose group failed has started a write of its own.
        await self._writes.finish()
        with suppress(TimeoutError):  # a server that does not respond cannot be notified
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._reading.dispose()
                await self._writing.dispose()

    async def _persist(self, queue: ConnectionQueue, attempt: Callable[[], Awaitable[T]]) -> T:
        end = asyncio.get_running_loop().time() + self._timeout
        try:
            with self._failures_named():
                async with queue.one(self._timeout * QUEUE_SHARE), asyncio.timeout_at(end):
                    return await _until_done(attempt)
        except QueueTimeout as error:
            raise (StorageBusy if error.served else self.health.failure or StorageUnavailable) from error

    @contextmanager
    def _failures_named(self) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, PoolTimeout, OSError, StorageUnavailable) as error:
            refusal = error if isinstance(error, StorageUnavailable) else _refusal(error)
            if failures.breaks_server(refusal):
                self.health.failed(refusal)
            raise refusal from refusal.__cause__


async def _until_done(attempt: Callable[[], Awaitable[T]]) -> T:
    """Run `attempt`, and return its result. Retries a few times after a lost race or a lost connection."""
    for pause in PAUSES:
        try:
            return await attempt()
        except DBAPIError as error:
            if not _may_succeed_next(error):
                raise
        await asyncio.sleep(pause * random())  # noqa: S311 - not a secret
    return await attempt()


async def _queried(engine: AsyncEngine, query: Callable[[Connection], T]) -> T:
    async with engine.connect() as connection:
        return await connection.run_sync(query)


async def _committed(engine: AsyncEngine, work: Work[T]) -> T:
    async with engine.connect() as connection:
        result = await connection.run_sync(work)
        try:
            await connection.commit()
        except DBAPIError as error:  # the write may or may not be on disk: do not retry
            raise failures.failure_of(error) from error
        return result


def _refusal(error: Exception) -> StorageUnavailable:
    if not isinstance(error, IntegrityError):
        return failures.failure_of(error)
    conflict = Conflict()
    conflict.__cause__ = error
    return conflict


def _may_succeed_next(error: DBAPIError) -> bool:
    """Whether a retry may succeed because the cause of the error was a lost connection, a lost race, or a statement that was
    prepared before the tables were upgraded."""
    cause = error.orig and error.orig.__cause__
    lost_a_race = getattr(cause, "sqlstate", None) in _LOST_A_RACE
    return error.connection_invalidated or lost_a_race or isinstance(cause, asyncpg.InvalidCachedStatementError)
