"""The migrations go up, down and up again, and end where the tables are."""

import re

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from bundlesvc.settings import Settings
from bundlesvc.storage import schema
from bundlesvc.storage.database import Database, open_database
from bundlesvc.storage.schema import downgrade, upgrade, version
from bundlesvc.storage.tables import metadata
from tests.storage.conftest import ON_SQLITE


def _tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


def _script() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(schema._MIGRATIONS))
    return ScriptDirectory.from_config(config)


def test_head_is_the_newest_migration() -> None:
    assert _script().get_heads() == [schema.HEAD]


async def test_up_down_up(bare: Settings) -> None:
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


async def test_an_upgrade_of_what_is_up_to_date_does_nothing(database: Database) -> None:
    assert not await database.write(upgrade)


async def test_a_failed_upgrade_leaves_nothing(bare: Settings) -> None:
    class PowerCutError(Exception):
        pass

    def work(connection: Connection) -> None:
        upgrade(connection)
        raise PowerCutError

    async with open_database(bare.database) as database:
        with pytest.raises(PowerCutError):
            await database.write(work)
        assert await database.read(_tables) == set()


async def test_migrated_tables_are_the_tables(database: Database) -> None:
    def differences(connection: Connection) -> list[object]:
        options = {"compare_type": True, "compare_server_default": True}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), metadata))

    assert await database.read(differences) == []


@ON_SQLITE
async def test_what_alembic_does_not_compare_is_the_same_too(settings: Settings, database: Database) -> None:
    """AUTOINCREMENT, the conditions of partial indexes, primary and foreign keys: the words that SQLite itself keeps."""

    def words(connection: Connection) -> dict[str, list[str]]:
        rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return {row.name: sorted(filter(None, map(bare_words, re.split(r",\s|\n", row.sql)))) for row in rows}

    def bare_words(
        part: str,
    ) -> str:  # a column that was added later stands behind the others, on the line of the last bracket
        return part.strip(" ,\t)")

    async with open_database(f"{settings.database}.made") as made:
        await made.write(metadata.create_all)
        wanted = await made.read(words)
    found = await database.read(words)
    assert {name: found.get(name) for name in wanted} == wanted
