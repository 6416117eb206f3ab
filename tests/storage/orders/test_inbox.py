"""Notices of orders that are still to be read, on SQLite and PostgreSQL: none is lost, and no two processes read the same order
at the same time."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bundlesvc.domain.live_platform.platform_change import CONTRACT, ORDER, Notice
from bundlesvc.domain.orders.waiting import ImportProgress, Waiting
from bundlesvc.domain.shop import Tenant
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.live_platforms.change_log import SqlChangeLog
from bundlesvc.storage.orders.imports import SqlImportStore
from bundlesvc.storage.orders.inbox import SqlOrderInbox, record_notices
from tests.fakes import delivery
from tests.storage.configured_bundles import NOW

FIRST, SECOND = Notice(ORDER, "1"), Notice(CONTRACT, "1")


@pytest.fixture
def inbox(database: Database) -> SqlOrderInbox:
    return SqlOrderInbox(database)


@pytest.fixture
def log(database: Database) -> SqlChangeLog:
    log = SqlChangeLog(database)
    log.record_notices = record_notices
    return log


async def come(log: SqlChangeLog, tenant: Tenant, id_: str, *notices: Notice, now: int = NOW) -> bool:
    return await log.record(tenant, replace(delivery(id_, []), notices=notices), now)


def named(found: Sequence[Waiting]) -> list[Notice]:
    return [waiting.notice for waiting in found]


async def test_delivery_leaves_its_notices_in_the_inbox(
    tenant: Tenant, log: SqlChangeLog, inbox: SqlOrderInbox
) -> None:
    assert await inbox.counts() == (0, None)
    assert await come(log, tenant, "d-1", FIRST, SECOND)
    assert not await come(log, tenant, "d-1", Notice(ORDER, "2"))

    assert await inbox.counts() == (2, NOW)
    assert await inbox.claim(NOW - 1, NOW, 10) == ()
    found = await inbox.claim(NOW, NOW + 60, 10)
    assert sorted(named(found), key=lambda notice: notice.kind) == [SECOND, FIRST]
    assert {waiting.shop_id for waiting in found} == {tenant.id}
    assert await inbox.claim(NOW + 59, NOW + 100, 10) == ()


async def test_without_a_reader_of_notices_nothing_is_stored(
    tenant: Tenant, database: Database, inbox: SqlOrderInbox
) -> None:
    assert await come(SqlChangeLog(database), tenant, "d-1", FIRST)
    assert await inbox.counts() == (0, None)


async def test_closed_notice_is_gone_and_a_process_that_dies_loses_its_claim(
    tenant: Tenant, log: SqlChangeLog, inbox: SqlOrderInbox
) -> None:
    await come(log, tenant, "d-1", FIRST)
    await inbox.claim(NOW, NOW + 60, 10)
    (waiting,) = await inbox.claim(NOW + 60, NOW + 120, 10)
    await inbox.close(waiting, NOW + 61)
    assert await inbox.counts() == (0, None)


async def test_order_that_is_named_again_while_it_is_read_is_read_again(
    tenant: Tenant, log: SqlChangeLog, inbox: SqlOrderInbox
) -> None:
    """An order is read again if another notification about it arrives during the read, because the read may have preceded the
    change that caused the notification."""
    await come(log, tenant, "d-1", FIRST)
    (waiting,) = await inbox.claim(NOW, NOW + 60, 10)
    await come(log, tenant, "d-2", FIRST, now=NOW + 1)
    assert await inbox.claim(NOW + 2, NOW + 62, 10) == ()

    await inbox.close(waiting, NOW + 3)
    (again,) = await inbox.claim(NOW + 3, NOW + 63, 10)
    assert again.number == 2
    await inbox.close(again, NOW + 4)
    assert await inbox.counts() == (0, None)


async def test_failed_reading_is_postponed_ever_longer(tenant: Tenant, log: SqlChangeLog, inbox: SqlOrderInbox) -> None:
    await come(log, tenant, "d-1", FIRST)
    now, pauses = NOW, []
    for _ in range(12):
        (waiting,) = await inbox.claim(now, now + 60, 10)
        pauses.append(waiting.pause)
        await inbox.postpone(waiting, now + waiting.pause)
        assert await inbox.claim(now + waiting.pause - 1, NOW, 10) == ()
        now += waiting.pause
    assert pauses == [15, 30, 60, 120, 240, 480, *(900 for _ in range(6))]


async def test_each_notice_is_claimed_by_one_process(tenant: Tenant, log: SqlChangeLog, settings: Settings) -> None:
    notices = [Notice(ORDER, str(number)) for number in range(30)]
    await come(log, tenant, "d-1", *notices)

    async def claim() -> Sequence[Waiting]:
        async with open_database(settings.database) as own:
            return await SqlOrderInbox(own).claim(NOW, NOW + 60, 5)

    found = [waiting.notice for part in await asyncio.gather(*(claim() for _ in range(6))) for waiting in part]
    assert len(found) == len(set(found))
    assert set(found) <= set(notices)
    assert len(found) >= 5


async def test_progress_of_an_import_is_stored_for_each_shop(tenant: Tenant, database: Database) -> None:
    store, begun = SqlImportStore(database), ImportProgress(NOW, "next", 100, 7)
    assert await store.progress(tenant) is None
    await store.save(tenant, begun)
    assert await store.progress(tenant) == begun
    await store.save(tenant, replace(begun, cursor=None, done=True))
    assert await store.progress(tenant) == replace(begun, cursor=None, done=True)
    assert await store.progress(replace(tenant, id=tenant.id + 1)) is None
