"""The usage of keys: daily totals, batches that are counted only once, and processes that update the same rows."""

import asyncio
from datetime import date

import pytest
from sqlalchemy import select

from bundlesvc.domain.access.usage import KeyUsage, UsageBatch
from bundlesvc.domain.retention import Retention
from bundlesvc.domain.shop import Tenant
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.usage import SqlUsageStore
from bundlesvc.storage.catalogue.shop_deletion import delete_shop
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.tables import usage_writers
from bundlesvc.storage.maintenance.housekeeping import WRITER_SECONDS, prune
from tests.storage.configured_bundles import DAY

FIRST, SECOND, THIRD = date(2026, 11, 21), date(2026, 11, 22), date(2026, 11, 23)
NOON = 1_795_435_200
"""Noon of the third day, in seconds since 1970."""

ONE = (1, 2, 3, 4, 5, 6)
LARGE = 2**40


def usage(day: date, shop: str = "demo", key: str = "bnd_live_1", requests: tuple[int, ...] = ONE) -> KeyUsage:
    return KeyUsage(day, shop, key, requests)


def batch(number: int, *rows: KeyUsage, writer: str = "w" * 32) -> UsageBatch:
    return UsageBatch(writer, number, rows)


@pytest.fixture
def store(database: Database) -> SqlUsageStore:
    return SqlUsageStore(database)


async def test_batches_are_added_up(store: SqlUsageStore) -> None:
    large = (LARGE, 0, 0, 0, 0, 0)
    await store.add(batch(1, usage(FIRST), usage(FIRST, key="bnd_live_2"), usage(SECOND)), NOON)
    await store.add(batch(2, usage(FIRST), usage(THIRD, requests=large)), NOON)
    await store.add(batch(3, usage(THIRD, requests=large)), NOON)
    assert await store.usage(None, None, None) == [
        usage(FIRST, requests=(2, 4, 6, 8, 10, 12)),
        usage(FIRST, key="bnd_live_2"),
        usage(SECOND),
        usage(THIRD, requests=(2 * LARGE, 0, 0, 0, 0, 0)),
    ]


async def test_a_batch_that_is_sent_again_adds_nothing(store: SqlUsageStore) -> None:
    for number in (1, 1, 2, 2, 1):
        await store.add(batch(number, usage(FIRST)), NOON)
    await store.add(batch(1, usage(FIRST), writer="x" * 32), NOON)
    assert await store.usage(None, None, None) == [usage(FIRST, requests=(3, 6, 9, 12, 15, 18))]


async def test_usage_of_a_shop_and_of_days(store: SqlUsageStore) -> None:
    days = [usage(day, shop) for day in (FIRST, SECOND, THIRD) for shop in ("cafe", "demo")]
    await store.add(batch(1, *days), NOON)
    assert await store.usage("cafe", None, None) == [usage(day, "cafe") for day in (FIRST, SECOND, THIRD)]
    assert await store.usage("cafe", SECOND, SECOND) == [usage(SECOND, "cafe")]
    assert await store.usage(None, SECOND, None) == days[2:]
    assert await store.usage(None, None, SECOND) == days[:4]
    assert await store.usage("nobody", None, None) == []


async def test_several_processes_add_to_the_same_rows(settings: Settings, store: SqlUsageStore) -> None:
    """Several processes can update the same rows at the same time, even in opposite orders."""
    rows = [usage(FIRST, key=f"bnd_live_{number}") for number in range(20)]

    async def process(number: int) -> None:
        async with open_database(settings.database) as own:
            for part in range(1, 6):
                await SqlUsageStore(own).add(batch(part, *rows, writer=f"{number:032}"), NOON)

    await asyncio.gather(*map(process, range(4)))
    assert {one.requests for one in await store.usage(None, None, None)} == {tuple(20 * count for count in ONE)}


async def test_usage_outlives_its_shop(tenant: Tenant, database: Database, store: SqlUsageStore) -> None:
    await store.add(batch(1, usage(FIRST)), NOON)
    assert await delete_shop(database, "demo")
    await store.add(batch(2, usage(FIRST)), NOON)
    assert [one.requests for one in await store.usage("demo", None, None)] == [(2, 4, 6, 8, 10, 12)]


async def test_old_usage_and_processes_that_have_ended_are_deleted(database: Database, store: SqlUsageStore) -> None:
    await store.add(batch(1, usage(FIRST), usage(SECOND), usage(THIRD), writer="old"), NOON - WRITER_SECONDS)
    await store.add(batch(1, usage(THIRD), writer="new"), NOON - WRITER_SECONDS + 1)
    assert await prune(database, NOON, Retention()) == {"stored responses": 0, "seen arms": 0}
    writers = await database.read(lambda connection: connection.execute(select(usage_writers.c.writer)).all())
    assert [one.writer for one in writers] == ["new"]
    deleted = await prune(database, NOON, Retention(usage=DAY))
    assert deleted == {"stored responses": 0, "seen arms": 0, "usage records": 2}
    assert [one.day for one in await store.usage(None, None, None)] == [THIRD]
