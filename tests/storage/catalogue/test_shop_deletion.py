"""A shop is deleted in batches, together with everything stored for it, and its id is not reused."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import Connection, Delete, Table, func, select

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.shop import SHOPIFY, PlatformLink, Tenant
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue import shop_deletion
from bundlesvc.storage.catalogue.shop_deletion import ShopConnected, delete_shop, shop_contents
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts import deletion
from bundlesvc.storage.database.tables import metadata, shops
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.token_cipher import credentials_cipher, new_secret_key
from tests.process.shop import BOX_VARIANT
from tests.storage.configured_bundles import MONTHLY, NOW, configured, ghost, idempotency_key, render_response
from tests.storage.methods import KEY, WRITES
from tests.storage.prepared import the_shop


async def rows(database: Database, shop_id: int) -> dict[str, int]:
    """Count the rows that each table contains for a shop."""

    async def count(table: Table) -> int:
        query = select(func.count()).select_from(table).where(table.c.shop_id == shop_id)
        return await database.read(lambda connection: connection.execute(query).scalar_one())

    return {table.name: await count(table) for table in metadata.sorted_tables if "shop_id" in table.c}


async def other_shop(database: Database) -> Tenant:
    shop_file = the_shop()
    await SqlShopFileStore(database).replace(replace(shop_file, shop=replace(shop_file.shop, handle="other")))
    found = await SqlKeyStore(database).tenant("other")
    assert found
    return found


async def fill(store: SqlConfiguredStore, tenant: Tenant, first: int, count: int) -> None:
    for number in range(first, first + count):
        subscription = MONTHLY if number % 2 else None
        key = idempotency_key(f"order-{number}")
        await store.record(tenant, configured(number, subscription=subscription), BOX_VARIANT, key, render_response)
    await store.record(tenant, configured(first + count), ghost(f"identity-{first}", first), None, render_response)


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delete in batches of three rows."""
    monkeypatch.setattr(deletion, "FIRST_PART", 3)
    monkeypatch.setattr(deletion, "SMALLEST_PART", 3)
    monkeypatch.setattr(deletion, "LARGEST_PART", 3)


@pytest.mark.usefixtures("small_parts")
async def test_everything_of_a_shop_is_deleted_and_nothing_of_others(
    tenant: Tenant, database: Database, configured_store: SqlConfiguredStore
) -> None:
    other = await other_shop(database)
    await fill(configured_store, tenant, 1, 10)
    await fill(configured_store, other, 100, 10)
    await SqlKeyStore(database).add_key(replace(KEY, shop_id=tenant.id))
    before = await rows(database, other.id)

    contents = await shop_contents(database, "demo")
    assert contents
    assert (contents["configured bundles"], contents["subscriptions"], contents["keys"]) == (11, 5, 1)
    assert await delete_shop(database, "demo")

    assert set((await rows(database, tenant.id)).values()) == {0}
    assert await rows(database, other.id) == before
    assert await SqlKeyStore(database).tenant("demo") is None
    assert await shop_contents(database, "demo") is None
    assert not await delete_shop(database, "demo")


async def test_no_table_is_forgotten(
    tenant: Tenant, database: Database, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Deleting a shop leaves none of its rows in any table, even after every method that writes has been called once."""
    for name, write in WRITES.items():
        if not name.endswith("delete_shop") and "Credential" not in name:
            await write(database, tenant, tmp_path_factory.getbasetemp())
    assert await delete_shop(database, "demo")
    assert set((await rows(database, tenant.id)).values()) == {0}


@pytest.mark.usefixtures("small_parts")
async def test_an_interrupted_deletion_is_finished_by_the_next(
    tenant: Tenant, database: Database, configured_store: SqlConfiguredStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupted deletion is finished by the next one. In the meantime the shop still exists, disabled and without keys."""
    await fill(configured_store, tenant, 1, 10)
    await SqlKeyStore(database).add_key(replace(KEY, shop_id=tenant.id))

    async def interrupted(*_: object) -> int:
        raise asyncio.CancelledError

    with monkeypatch.context() as patched:
        patched.setattr(shop_deletion, "delete_all", interrupted)
        with pytest.raises(asyncio.CancelledError):
            await delete_shop(database, "demo")

    found = await SqlKeyStore(database).tenant("demo")
    assert found
    assert not found.shop.headless_enabled
    assert found.revision > tenant.revision
    assert await SqlKeyStore(database).keys() == []
    assert await delete_shop(database, "demo")
    assert await SqlKeyStore(database).tenant("demo") is None


@pytest.mark.usefixtures("small_parts")
async def test_each_part_is_a_small_transaction(
    tenant: Tenant, database: Database, configured_store: SqlConfiguredStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each batch is deleted in a small transaction, so that no other writer has to wait long."""
    await fill(configured_store, tenant, 1, 20)
    parts: list[int] = []
    execute = deletion._execute

    def recorded(part: Delete, connection: Connection) -> int:
        parts.append(execute(part, connection))
        return parts[-1]

    monkeypatch.setattr(deletion, "_execute", recorded)
    assert await delete_shop(database, "demo")
    assert max(parts) == 3
    assert sum(parts) > 40


async def connect(tenant: Tenant, database: Database) -> SqlCredentialStore:
    connections = SqlCredentialStore(database, credentials_cipher([new_secret_key()]))
    await connections.connect(tenant, PlatformConnection("a.example", "token", "secret"), NOW)
    return connections


async def test_a_connected_shop_is_not_deleted(tenant: Tenant, database: Database) -> None:
    shop_file, link = the_shop(), PlatformLink(SHOPIFY, "a.example")
    await SqlShopFileStore(database).replace(replace(shop_file, shop=replace(shop_file.shop, platform=link)))
    connections = await connect(tenant, database)
    before = await rows(database, tenant.id)

    with pytest.raises(ShopConnected):
        await delete_shop(database, "demo")

    assert await rows(database, tenant.id) == before
    assert await connections.disconnect(tenant)
    assert await delete_shop(database, "demo")


async def test_credentials_that_an_embedded_shop_has_left_are_deleted_with_it(
    tenant: Tenant, database: Database
) -> None:
    """Credentials that an embedded shop still has, because its products once came from a live platform, are deleted together with
    the shop."""
    await connect(tenant, database)
    assert await delete_shop(database, "demo")
    assert sum((await rows(database, tenant.id)).values()) == 0


async def test_a_new_shop_never_has_the_id_of_a_deleted_one(tenant: Tenant, database: Database) -> None:
    """A new shop never gets the id of a deleted shop, because running processes still hold objects of the deleted shop in
    memory."""
    used = {tenant.id}
    for _ in range(2):
        assert await delete_shop(database, "demo")
        await SqlShopFileStore(database).replace(the_shop())
        [shop_id] = await database.read(lambda connection: list(connection.execute(select(shops.c.id)).scalars()))
        assert shop_id not in used
        used.add(shop_id)
