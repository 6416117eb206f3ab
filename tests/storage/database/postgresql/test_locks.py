"""A unit of work that reads and then writes is paused between the two steps while another process writes."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

import pytest
from sqlalchemy import Connection, update
from sqlalchemy.util import await_only

from bundlesvc.domain.configured import RecordedIds
from bundlesvc.domain.live_platform.platform_change import PRODUCT, Change
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import GhostRetired
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import ghost_variants
from bundlesvc.storage.database.transaction import Insertion, Read, Work
from bundlesvc.storage.live_platforms.change_log import SqlChangeLog
from tests.fakes import delivery
from tests.process.shop import BOX_VARIANT, PAIR_PRODUCT
from tests.storage.configured_bundles import (
    DAY,
    MONTHLY,
    NOW,
    configured,
    ghost,
    idempotency_key,
    render_response,
    retire,
)
from tests.storage.database.postgresql.transactions import Held, scalar, until_one_waits

T = TypeVar("T")

MONTH = 30 * DAY

_LOCKED_TABLES = scalar(
    "SELECT relation::regclass::text FROM pg_locks WHERE locktype = 'relation' AND database = "
    "(SELECT oid FROM pg_database WHERE datname = current_database()) AND mode LIKE 'Share%' LIMIT 1"
)


class HeldResponse:
    """A callable that renders the response of a configure call inside the call's transaction, but only after `released` is
    set."""

    def __init__(self) -> None:
        self.started = asyncio.Event()
        self.released = asyncio.Event()

    def __call__(self, recorded: RecordedIds) -> bytes:
        self.started.set()
        await_only(asyncio.wait_for(self.released.wait(), 10))
        return render_response(recorded)


class Stopped:
    """A database that pauses each write just before the commit, until `released` is set."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.health = database.health
        self.started = asyncio.Event()
        self.released = asyncio.Event()

    async def write(self, work: Work[T], insertion: Callable[[], Insertion[T]] | None = None) -> T:
        def stopped(connection: Connection) -> T:
            result = work(connection)
            self.started.set()
            await_only(asyncio.wait_for(self.released.wait(), 10))
            return result

        return await self._database.write(stopped)

    async def read(self, query: Callable[[Connection], T]) -> T:
        return await self._database.read(query)

    def snapshot(self) -> AbstractAsyncContextManager[Read]:
        return self._database.snapshot()

    async def read_shop(self, tenant: Tenant, query: Callable[[Connection], T]) -> T:
        return await self._database.read(query)

    async def try_writing(self) -> None: ...

    async def overwrite_deleted(self) -> bool:
        return await self._database.overwrite_deleted()

    def start(self) -> None: ...

    async def close(self) -> None: ...


async def test_a_key_used_by_another_process_meanwhile_keeps_its_response(
    tenant: Tenant, configured_store: SqlConfiguredStore
) -> None:
    held = HeldResponse()
    mine = configured(1, subscription=MONTHLY)
    slow = asyncio.create_task(configured_store.record(tenant, mine, BOX_VARIANT, idempotency_key(), held))
    await held.started.wait()
    quick = await configured_store.record(tenant, configured(2), BOX_VARIANT, idempotency_key(), lambda _: b"quick")
    held.released.set()
    found = await slow
    assert (quick.replayed, found.replayed) == (False, True)
    assert found.body == b"quick"


async def test_a_ghost_being_used_is_not_retired(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    mine = ghost("identity", 5)
    await configured_store.record(tenant, configured(1, configured_at=NOW - 2 * MONTH), mine, None, render_response)
    held = HeldResponse()
    using = asyncio.create_task(configured_store.record(tenant, configured(2), mine, None, held))
    await held.started.wait()
    retiring = asyncio.create_task(retire(configured_store, tenant, PAIR_PRODUCT, 0, NOW - MONTH, NOW))
    await until_one_waits(database)
    held.released.set()
    await using
    assert await retiring == []


async def test_a_ghost_being_retired_is_not_used(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    mine = ghost("identity", 5)
    await configured_store.record(tenant, configured(1, configured_at=NOW - 2 * MONTH), mine, None, render_response)
    retire = update(ghost_variants).values(retired_at=NOW)
    held = Held(lambda connection: connection.execute(retire).rowcount)
    retiring = asyncio.create_task(database.write(held))
    await held.started.wait()
    using = asyncio.create_task(configured_store.record(tenant, configured(2), mine, None, render_response))
    await until_one_waits(database)
    held.released.set()
    await retiring
    with pytest.raises(GhostRetired):
        await using


async def test_uses_of_one_ghost_within_a_second_do_not_wait_for_each_other(
    tenant: Tenant, configured_store: SqlConfiguredStore
) -> None:
    mine = ghost("identity", 5)
    await configured_store.record(tenant, configured(1), mine, None, render_response)
    held = HeldResponse()
    slow = asyncio.create_task(configured_store.record(tenant, configured(2), mine, None, held))
    await held.started.wait()
    async with asyncio.timeout(5):
        await configured_store.record(tenant, configured(3), mine, None, render_response)
    held.released.set()
    await slow


async def test_one_of_two_processes_retires_a_ghost(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    bundle = configured(1, configured_at=NOW - 2 * MONTH)
    await configured_store.record(tenant, bundle, ghost("identity", 5), None, render_response)
    stopped = Stopped(database)
    store = SqlConfiguredStore(stopped)
    first = asyncio.create_task(retire(store, tenant, PAIR_PRODUCT, 0, NOW - MONTH, NOW))
    await stopped.started.wait()
    second = asyncio.create_task(retire(configured_store, tenant, PAIR_PRODUCT, 0, NOW - MONTH, NOW))
    await until_one_waits(database)
    stopped.released.set()
    assert [len(retired) for retired in await asyncio.gather(first, second)] == [1, 0]


async def test_a_test_write_does_not_wait_for_a_webhook(tenant: Tenant, database: Database) -> None:
    """A test write does not wait for a webhook, although both use the row that contains the schema version."""
    stopped = Stopped(database)
    slow = asyncio.create_task(SqlChangeLog(stopped).record(tenant, delivery("d-1", [Change(PRODUCT, 1)]), NOW))
    await stopped.started.wait()
    async with asyncio.timeout(30):
        await database.try_writing()
    stopped.released.set()
    assert await slow


async def test_numbers_of_the_change_log_appear_in_order(tenant: Tenant, database: Database) -> None:
    """Numbers in the change log become visible in order, because a reader remembers only the highest number that it has seen."""
    stopped, log = Stopped(database), SqlChangeLog(database)
    slow = asyncio.create_task(SqlChangeLog(stopped).record(tenant, delivery("d-1", [Change(PRODUCT, 1)]), NOW))
    await stopped.started.wait()
    quick = asyncio.create_task(log.record(tenant, delivery("d-2", [Change(PRODUCT, 2)]), NOW))
    await until_one_waits(database)
    assert await log.after(0) == []
    assert await database.read(_LOCKED_TABLES) is None, "not every engine locks tables"
    stopped.released.set()
    await asyncio.gather(slow, quick)
    assert [change.number for change in await log.after(0)] == [1, 2]
