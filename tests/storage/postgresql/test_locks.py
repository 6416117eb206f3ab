"""Work that looks first and then acts, stopped in between, while another process does its part (`storage/turns.py`)."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

import pytest
from sqlalchemy import Connection, update
from sqlalchemy.util import await_only

from bundlesvc.domain.configured import RecordedIds
from bundlesvc.domain.platform_change import PRODUCT, Change
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import GhostRetired
from bundlesvc.storage.change_log import SqlChangeLog
from bundlesvc.storage.configured import SqlConfiguredStore
from bundlesvc.storage.database import Database
from bundlesvc.storage.tables import ghost_variants
from bundlesvc.storage.transaction import Work
from tests.fakes import delivery
from tests.process.shop import BOX_VARIANT, PAIR_PRODUCT
from tests.storage.configured_bundles import DAY, NOW, answer, configured, ghost, kept_key, retire
from tests.storage.postgresql.transactions import Held, until_one_waits

T = TypeVar("T")

MONTH = 30 * DAY


class HeldAnswer:
    """Renders an answer, inside the transaction of a configure call, once it is released."""

    def __init__(self) -> None:
        self.started = asyncio.Event()
        self.released = asyncio.Event()

    def __call__(self, recorded: RecordedIds) -> bytes:
        self.started.set()
        await_only(asyncio.wait_for(self.released.wait(), 10))
        return answer(recorded)


class Stopped:
    """The database of a process that stops when its work is done, just before it commits, until it is released."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.health = database.health
        self.started = asyncio.Event()
        self.released = asyncio.Event()

    async def write(self, work: Work[T]) -> T:
        def stopped(connection: Connection) -> T:
            result = work(connection)
            self.started.set()
            await_only(asyncio.wait_for(self.released.wait(), 10))
            return result

        return await self._database.write(stopped)

    async def read(self, query: Callable[[Connection], T]) -> T:
        return await self._database.read(query)

    async def try_writing(self) -> None: ...

    def start(self) -> None: ...

    async def close(self) -> None: ...


async def test_a_key_that_another_used_meanwhile_keeps_its_answer(
    tenant: Tenant, configured_store: SqlConfiguredStore
) -> None:
    held = HeldAnswer()
    slow = asyncio.create_task(configured_store.record(tenant, configured(1), BOX_VARIANT, kept_key(), held))
    await held.started.wait()
    quick = await configured_store.record(tenant, configured(2), BOX_VARIANT, kept_key(), lambda _: b"quick")
    held.released.set()
    found = await slow
    assert (quick.replayed, found.replayed) == (False, True)
    assert found.body == b"quick"


async def test_a_ghost_that_is_being_used_is_not_retired(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    mine = ghost("identity", 5)
    await configured_store.record(tenant, configured(1, configured_at=NOW - 2 * MONTH), mine, None, answer)
    held = HeldAnswer()
    using = asyncio.create_task(configured_store.record(tenant, configured(2), mine, None, held))
    await held.started.wait()
    retiring = asyncio.create_task(retire(configured_store, tenant, PAIR_PRODUCT, 0, NOW - MONTH, NOW))
    await until_one_waits(database)
    held.released.set()
    await using
    assert await retiring == []


async def test_a_ghost_that_is_being_retired_is_not_used(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    mine = ghost("identity", 5)
    await configured_store.record(tenant, configured(1, configured_at=NOW - 2 * MONTH), mine, None, answer)
    retire = update(ghost_variants).values(retired_at=NOW)
    held = Held(lambda connection: connection.execute(retire).rowcount)
    retiring = asyncio.create_task(database.write(held))
    await held.started.wait()
    using = asyncio.create_task(configured_store.record(tenant, configured(2), mine, None, answer))
    await until_one_waits(database)
    held.released.set()
    await retiring
    with pytest.raises(GhostRetired):
        await using


async def test_many_that_use_one_ghost_in_one_second_do_not_wait_for_each_other(
    tenant: Tenant, configured_store: SqlConfiguredStore
) -> None:
    mine = ghost("identity", 5)
    await configured_store.record(tenant, configured(1), mine, None, answer)
    held = HeldAnswer()
    slow = asyncio.create_task(configured_store.record(tenant, configured(2), mine, None, held))
    await held.started.wait()
    async with asyncio.timeout(5):
        await configured_store.record(tenant, configured(3), mine, None, answer)
    held.released.set()
    await slow


async def test_of_two_that_retire_only_one_lets_go_of_a_ghost(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    bundle = configured(1, configured_at=NOW - 2 * MONTH)
    await configured_store.record(tenant, bundle, ghost("identity", 5), None, answer)
    stopped = Stopped(database)
    store = SqlConfiguredStore(stopped)
    first = asyncio.create_task(retire(store, tenant, PAIR_PRODUCT, 0, NOW - MONTH, NOW))
    await stopped.started.wait()
    second = asyncio.create_task(retire(configured_store, tenant, PAIR_PRODUCT, 0, NOW - MONTH, NOW))
    await until_one_waits(database)
    stopped.released.set()
    assert [len(retired) for retired in await asyncio.gather(first, second)] == [1, 0]


async def test_a_lower_number_never_comes_to_light_after_a_higher_one(tenant: Tenant, database: Database) -> None:
    """Who follows the log remembers the highest number that it has seen."""
    stopped, log = Stopped(database), SqlChangeLog(database)
    slow = asyncio.create_task(SqlChangeLog(stopped).record(tenant, delivery("d-1", [Change(PRODUCT, 1)]), NOW))
    await stopped.started.wait()
    quick = asyncio.create_task(log.record(tenant, delivery("d-2", [Change(PRODUCT, 2)]), NOW))
    await until_one_waits(database)
    assert await log.after(0) == []
    stopped.released.set()
    await asyncio.gather(slow, quick)
    assert [change.number for change in await log.after(0)] == [1, 2]
