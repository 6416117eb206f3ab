"""Stock reminders are stored once per variant and address, and can be listed and deleted."""

import asyncio
from dataclasses import replace

import pytest

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.shoppers.reminders import SqlReminders, StoredReminder
from tests.storage.configured_bundles import NOW
from tests.storage.prepared import the_shop

MIRA = "mira@mail.example"


async def test_a_reminder_is_stored_once(tenant: Tenant, database: Database) -> None:
    """A reminder is stored once. Addresses are compared case-insensitively."""
    store = SqlReminders(database)
    assert await store.add_reminder(tenant, 1001, "Mira@Mail.example", "Box", NOW)
    assert not await store.add_reminder(tenant, 1001, MIRA, "Other", NOW + 1)
    assert not await store.add_reminder(tenant, 1001, MIRA.upper(), "Box", NOW + 2)
    assert await store.add_reminder(tenant, 1002, MIRA, "Box", NOW + 3)
    assert await store.all() == [
        StoredReminder("demo", 1001, MIRA, "Box", NOW),
        StoredReminder("demo", 1002, MIRA, "Box", NOW + 3),
    ]


async def test_one_of_simultaneous_reminders_is_new(tenant: Tenant, database: Database) -> None:
    store = SqlReminders(database)
    new = await asyncio.gather(*(store.add_reminder(tenant, 1001, MIRA, "Box", NOW) for _ in range(50)))
    assert sorted(new) == [False] * 49 + [True]


async def test_a_reminder_for_a_shop_that_was_deleted_meanwhile_is_refused(tenant: Tenant, database: Database) -> None:
    with pytest.raises(StorageUnavailable):
        await SqlReminders(database).add_reminder(replace(tenant, id=999), 1001, MIRA, "Box", NOW)
    assert database.health.failure is None


async def test_shops_have_separate_reminders(tenant: Tenant, database: Database) -> None:
    shop = the_shop()
    await SqlShopFileStore(database).replace(replace(shop, shop=replace(shop.shop, handle="other")))
    store = SqlReminders(database)
    assert await store.add_reminder(tenant, 1001, MIRA, "Box", NOW)
    assert await store.add_reminder(replace(tenant, id=tenant.id + 1), 1001, MIRA, "Box", NOW)
    assert [reminder.shop for reminder in await store.all()] == ["demo", "other"]


async def test_an_address_is_deleted_from_every_shop(tenant: Tenant, database: Database) -> None:
    store = SqlReminders(database)
    for variant in (1001, 1002):
        await store.add_reminder(tenant, variant, MIRA, "Box", NOW)
    await store.add_reminder(tenant, 1001, "other@mail.example", "Box", NOW)
    assert await store.forget("MIRA@mail.example") == 2
    assert await store.forget(MIRA) == 0
    assert [reminder.email for reminder in await store.all()] == ["other@mail.example"]


async def test_loading_a_shop_keeps_its_reminders(tenant: Tenant, database: Database) -> None:
    store = SqlReminders(database)
    await store.add_reminder(tenant, 1001, MIRA, "Box", NOW)
    await SqlShopFileStore(database).replace(the_shop())
    assert len(await store.all()) == 1
