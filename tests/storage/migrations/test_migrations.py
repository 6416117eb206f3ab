"""Migrations upgrade and downgrade a database, and create exactly the tables that `storage.database.tables` defines."""

import re

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, insert, inspect

from bundlesvc.domain.access.key import digest, new_key
from bundlesvc.domain.idempotency import StoredResponse
from bundlesvc.domain.shop import Tenant
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.tables import metadata
from bundlesvc.storage.migrations import schema
from bundlesvc.storage.migrations.schema import downgrade, upgrade, version
from tests.storage.configured_bundles import CART_VARIANT, NOW, configured, idempotency_key, render_response
from tests.storage.conftest import ON_SQLITE


def _tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


def _script() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(schema._MIGRATIONS))
    return ScriptDirectory.from_config(config)


@pytest.mark.parametrize(
    ("table", "column"),
    sorted((table.name, key.parent.name) for table in metadata.sorted_tables for key in table.foreign_keys),
)
def test_every_foreign_key_has_an_index(table: str, column: str) -> None:
    """Every foreign key has an index. Without one, deleting a row would require a full scan of each table that refers to it."""
    indexed = metadata.tables[table]
    first_columns = [next(iter(index.columns)).name for index in indexed.indexes]
    assert column in [
        *first_columns,
        *(c.name for c in indexed.columns if c.unique),
        indexed.primary_key.columns[0].name,
    ]


def test_head_is_the_newest_migration() -> None:
    assert _script().get_heads() == [schema.HEAD]


async def test_upgrade_after_a_downgrade_restores_every_table(bare: Settings) -> None:
    ours = set(metadata.tables)
    async with open_database(bare.database) as database:
        assert await database.read(version) is None

        assert await database.write(upgrade)
        assert await database.read(version) == schema.HEAD
        assert await database.read(_tables) == {*ours, "alembic_version"}

        await database.write(lambda connection: downgrade(connection, "base"))
        assert await database.read(version) is None
        assert await database.read(_tables) == {"alembic_version"}

        assert await database.write(upgrade)
        assert await database.read(_tables) == {*ours, "alembic_version"}


async def test_a_key_from_before_visitor_limits_has_none(bare: Settings) -> None:
    made = new_key("x" * 43, test=False)

    def fill(connection: Connection) -> None:
        upgrade(connection, "0002")
        before = MetaData()
        before.reflect(connection)
        shop = {"id": 1, "handle": "demo", "revision": 1, "headless_enabled": True, "document": "{}"}
        connection.execute(insert(before.tables["shops"]).values(shop))
        key = {"digest": digest(made), "prefix": made[:16], "label": "web", "test": False, "scopes": '["embed"]'}
        rest = {"shop_id": 1, "origins": "[]", "rate_limit": 7, "active": True, "created_at": 1}
        connection.execute(insert(before.tables["api_keys"]).values({**key, **rest}))

    async with open_database(bare.database) as database:
        await database.write(fill)
        assert await database.write(upgrade)
        (found,) = await SqlKeyStore(database).active_keys()
    assert (found.label, found.rate_limit, found.visitor_limit) == ("web", 7, None)


async def test_upgrading_an_up_to_date_database_does_nothing(database: Database) -> None:
    assert not await database.write(upgrade)


async def test_a_failed_upgrade_creates_no_table(bare: Settings) -> None:
    class PowerCutError(Exception):
        pass

    def work(connection: Connection) -> None:
        upgrade(connection)
        raise PowerCutError

    async with open_database(bare.database) as database:
        with pytest.raises(PowerCutError):
            await database.write(work)
        assert await database.read(_tables) == set()


async def test_migrated_tables_equal_the_metadata(database: Database) -> None:
    def differences(connection: Connection) -> list[object]:
        options = {"compare_type": True, "compare_server_default": True}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), metadata))

    assert await database.read(differences) == []


@ON_SQLITE
async def test_migrated_statements_equal_those_of_the_metadata(settings: Settings, database: Database) -> None:
    """The SQL statements that define the migrated tables equal those of the metadata. Alembic does not compare AUTOINCREMENT, the
    conditions of partial indexes, or primary and foreign keys."""

    def words(connection: Connection) -> dict[str, list[str]]:
        rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return {row.name: sorted(filter(None, map(bare_words, re.split(r",\s|\n", row.sql)))) for row in rows}

    def bare_words(
        part: str,
    ) -> str:  # a column added later is on the line of the closing bracket; the name of a recreated table is quoted
        return part.strip(" ,\t)").replace('"', "")

    async with open_database(f"{settings.database}.made") as made:
        await made.write(metadata.create_all)
        wanted = await made.read(words)
    found = await database.read(words)
    assert {name: found.get(name) for name in wanted} == wanted


async def test_stored_response_and_demo_key_survive_the_upgrade(
    settings: Settings, database: Database, tenant: Tenant, configured_store: SqlConfiguredStore
) -> None:
    """A response stored by the previous version is returned unchanged. The demo key of the previous version is marked as a demo
    key, and no other key is."""
    keys = SqlKeyStore(database, demo=True)
    await database.write(lambda connection: downgrade(connection, "0004"))
    await database.write(lambda connection: _write_as_before(connection, tenant.id))

    await database.write(upgrade)

    assert await configured_store.stored_response(tenant, idempotency_key(), NOW) == StoredResponse(
        b"as it was", replayed=True
    )
    assert {key.label: key.demo for key in await keys.active_keys()} == {"demo": True, "web": False}
    assert [key.label for key in await SqlKeyStore(database).active_keys()] == ["web"]


async def test_downgrade_deletes_responses_that_the_older_version_cannot_read(
    database: Database, tenant: Tenant, configured_store: SqlConfiguredStore
) -> None:
    await configured_store.record(tenant, configured(), CART_VARIANT, idempotency_key(), render_response)

    await database.write(lambda connection: downgrade(connection, "0004"))
    await database.write(upgrade)

    assert await configured_store.stored_response(tenant, idempotency_key(), NOW) is None


def _write_as_before(connection: Connection, shop_id: int) -> None:
    """Insert two API keys and a stored response, in the columns of the previous schema version."""
    common = {"shop_id": shop_id, "test": False, "created_at": NOW}
    before = MetaData()
    before.reflect(connection, only=["api_keys", "idempotency_keys", "configured_bundles"])
    for label, limit in (("demo", 6000), ("web", 6000)):
        key = {"label": label, "digest": label, "prefix": label, "scopes": "[]", "origins": "[]", "rate_limit": limit}
        connection.execute(insert(before.tables["api_keys"]).values(**common, **key, active=True))
    bundle = {
        "number": 1,
        "id": 1,
        "bundle_id": 42,
        "bundle_type": "native",
        "title": "",
        "product_id": 1,
        "variant_id": 1,
    }
    prices = {"original": "1", "discounted": "1", "discount_type": "none", "discount_value": "0", "currency": "EUR"}
    made = {"shop_id": shop_id, "test": False, "unique_id": "", "items": "[]", "configured_at": NOW}
    connection.execute(insert(before.tables["configured_bundles"]).values(**bundle, **prices, **made))
    key_of_call = {name: getattr(idempotency_key(), name) for name in ("method", "path", "key", "body_digest")}
    stored = {**common, **key_of_call, "answer": b"as it was", "configured_bundle_id": 1}
    connection.execute(insert(before.tables["idempotency_keys"]).values(stored))
