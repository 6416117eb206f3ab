"""The stores of platform connections and of the change log, on a real database."""

import asyncio
from dataclasses import replace

import pytest

from bundlesvc.domain.errors import SignatureInvalid
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.live_platform.platform_change import (
    INVENTORY_ITEM,
    MARKETS,
    PRODUCT,
    Change,
    NumberedChange,
    ProductUpdate,
)
from bundlesvc.domain.shop import PlatformLink, Tenant
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import platform_connections
from bundlesvc.storage.live_platforms.change_log import CHANGES_KEPT, DELIVERIES_KEPT, SqlChangeLog
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.storage.live_platforms.own_updates import SqlOwnUpdates
from bundlesvc.token_cipher import credentials_cipher, new_secret_key
from tests.fakes import delivery

NOW = 1_800_000_000
KEY = new_secret_key()
CONNECTION = PlatformConnection("roaster.example", "token-of-the-shop", "secret-of-the-app")


def linked(tenant: Tenant, domain: str) -> Tenant:
    """Return the tenant of a shop whose products are on a live platform."""
    return replace(tenant, shop=replace(tenant.shop, platform=PlatformLink("live", domain)))


@pytest.fixture
def connections(database: Database) -> SqlCredentialStore:
    return SqlCredentialStore(database, credentials_cipher([KEY]))


async def test_connecting_again_replaces_the_connection(connections: SqlCredentialStore, tenant: Tenant) -> None:
    shop = linked(tenant, "roaster.example")
    assert await connections.of(shop) is None
    await connections.connect(shop, PlatformConnection("roaster.example", "old", "old"), NOW)
    await connections.connect(shop, CONNECTION, NOW)
    assert await connections.of(shop) == CONNECTION


async def test_credentials_are_encrypted_in_the_database(
    connections: SqlCredentialStore, database: Database, tenant: Tenant
) -> None:
    await connections.connect(linked(tenant, "roaster.example"), CONNECTION, NOW)
    row = await database.read(lambda connection: connection.execute(platform_connections.select()).one())
    assert not {"token-of-the-shop", "secret-of-the-app"} & set(map(str, row))
    assert "token-of-the-shop" not in row.sealed
    assert "token" not in repr(CONNECTION).replace("access_token", "")


async def test_credentials_are_not_used_for_another_domain(connections: SqlCredentialStore, tenant: Tenant) -> None:
    await connections.connect(linked(tenant, "roaster.example"), CONNECTION, NOW)
    assert await connections.of(linked(tenant, "elsewhere.example")) is None


async def test_a_connection_that_no_key_decrypts_is_absent(
    connections: SqlCredentialStore, database: Database, tenant: Tenant
) -> None:
    shop = linked(tenant, "roaster.example")
    await connections.connect(shop, CONNECTION, NOW)
    assert await SqlCredentialStore(database, credentials_cipher([new_secret_key()])).of(shop) is None
    assert await SqlCredentialStore(database, credentials_cipher([new_secret_key(), KEY])).of(shop) == CONNECTION


@pytest.fixture
def log(database: Database) -> SqlChangeLog:
    return SqlChangeLog(database)


async def test_a_delivery_is_recorded_once(log: SqlChangeLog, tenant: Tenant) -> None:
    changes = [Change(PRODUCT, 7), Change(MARKETS)]
    assert await log.record(tenant, delivery("d-1", changes), NOW)
    assert not await log.record(tenant, delivery("d-1", changes), NOW + 60)
    assert await log.record(tenant, delivery("d-2", [Change(INVENTORY_ITEM, 9)]), NOW)
    assert await log.record(tenant, delivery("d-3", []), NOW)
    assert await log.after(0) == [
        NumberedChange(1, tenant.id, Change(PRODUCT, 7), NOW),
        NumberedChange(2, tenant.id, Change(MARKETS), NOW),
        NumberedChange(3, tenant.id, Change(INVENTORY_ITEM, 9), NOW),
    ]
    assert await log.after(2) == [NumberedChange(3, tenant.id, Change(INVENTORY_ITEM, 9), NOW)]


async def test_numbers_continue_after_all_changes_expired(log: SqlChangeLog, tenant: Tenant) -> None:
    assert await log.after(0) == []
    await log.record(tenant, delivery("d-1", [Change(PRODUCT, 7)]), NOW)
    await log.expire(NOW + CHANGES_KEPT - 1)
    assert [one.number for one in await log.after(0)] == [1]
    await log.expire(NOW + CHANGES_KEPT)
    assert await log.after(0) == []
    await log.record(tenant, delivery("d-2", [Change(PRODUCT, 8)]), NOW)
    assert [one.number for one in await log.after(0)] == [2]


async def test_a_delivery_is_remembered_until_it_expires(log: SqlChangeLog, tenant: Tenant) -> None:
    await log.record(tenant, delivery("d-1", []), NOW)
    await log.expire(NOW + DELIVERIES_KEPT - 1)
    assert not await log.record(tenant, delivery("d-1", []), NOW)
    await log.expire(NOW + DELIVERIES_KEPT)
    assert await log.record(tenant, delivery("d-1", []), NOW)


async def test_a_repeated_signature_records_nothing(log: SqlChangeLog, tenant: Tenant) -> None:
    assert await log.record(tenant, delivery("d-1", [Change(PRODUCT, 7)], "s"), NOW)
    assert not await log.record(tenant, delivery("d-2", [Change(PRODUCT, 7)], "s"), NOW)
    assert [one.change.id for one in await log.after(0)] == [7]


async def test_a_signature_is_valid_for_one_subject(log: SqlChangeLog, tenant: Tenant) -> None:
    assert await log.record(tenant, delivery("d-1", [Change(PRODUCT, 7)], "s"), NOW)
    for changes in ([Change(INVENTORY_ITEM, 7)], []):
        with pytest.raises(SignatureInvalid):
            await log.record(tenant, delivery("d-2", changes, "s", "inventory_items"), NOW)
    assert [one.change for one in await log.after(0)] == [Change(PRODUCT, 7)]


async def test_a_delivery_without_changes_does_not_block_its_signature(log: SqlChangeLog, tenant: Tenant) -> None:
    """The signature of a delivery without changes is accepted again, because an inventory_items/create delivery may have the same
    body as an inventory_items/update delivery."""
    assert await log.record(tenant, delivery("d-1", [], "s", "inventory_items"), NOW)
    assert await log.record(tenant, delivery("d-2", [Change(INVENTORY_ITEM, 7)], "s", "inventory_items"), NOW)
    assert [one.change for one in await log.after(0)] == [Change(INVENTORY_ITEM, 7)]


async def test_simultaneous_replays_are_recorded_once(log: SqlChangeLog, tenant: Tenant) -> None:
    new = await asyncio.gather(
        *(log.record(tenant, delivery(f"d-{number}", [Change(PRODUCT, 7)], "s"), NOW) for number in range(6))
    )
    assert sorted(new) == [False] * 5 + [True]
    assert len(await log.after(0)) == 1


async def test_our_own_updates_expire_with_the_changes(database: Database, tenant: Tenant) -> None:
    store, update = SqlOwnUpdates(database), ProductUpdate(7, NOW)
    for _ in range(2):
        await store.add(tenant, update, NOW)
    await SqlChangeLog(database).expire(NOW + CHANGES_KEPT - 1)
    assert await store.includes(tenant, update)
    await SqlChangeLog(database).expire(NOW + CHANGES_KEPT)
    assert not await store.includes(tenant, update)


async def test_our_own_update_is_a_delivery_without_a_change(database: Database, tenant: Tenant) -> None:
    """A delivery about the service's own update counts as a delivery without a change. Its signature is stored, so the signature
    cannot be used for another subject."""
    log, ours = SqlChangeLog(database), replace(delivery("d-1", [Change(PRODUCT, 7)]), our_own=True)
    assert await log.record(tenant, ours, NOW)
    assert not await log.record(tenant, replace(ours, id="d-2", our_own=False), NOW)
    with pytest.raises(SignatureInvalid):
        await log.record(tenant, replace(ours, id="d-3", subject="shop"), NOW)
    assert await log.after(0) == []
