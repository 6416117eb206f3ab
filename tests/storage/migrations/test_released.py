"""Databases of all released versions, and one from before the first release, can be upgraded and continue to work."""

import re
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, MetaData, Row, select

from bundlesvc import __version__
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.tables import metadata
from bundlesvc.storage.maintenance.integrity import check_integrity
from bundlesvc.storage.migrations.schema import HEAD, upgrade, version
from tests.storage.release_dump import FOLDER, restore_postgresql, restore_sqlite

GUIDES = Path(__file__).parents[3] / "docs"
DUMPS = sorted({path.name.rsplit(".", 2)[0] for path in FOLDER.iterdir()})
RELEASES = [name for name in DUMPS if not name.startswith("unreleased")]


@pytest.fixture(params=DUMPS)
async def released(request: pytest.FixtureRequest, bare: Settings) -> AsyncIterator[Database]:
    """A database created by a released version of the service, or by a version from before the first release, and not yet
    upgraded."""
    dump = FOLDER / f"{request.param}.{'sqlite' if bare.database_file else 'postgresql'}.sql"
    if bare.database_file:
        restore_sqlite(dump, bare.database_file)
    else:
        await restore_postgresql(dump, bare.database)
    async with open_database(bare.database) as database:
        yield database


def test_this_version_has_a_dump() -> None:
    """This version has a database dump, which `python -m tests.storage.release_dump` writes."""
    assert __version__ in RELEASES


@pytest.mark.parametrize("release", RELEASES)
def test_operations_names_the_schema_of_each_release(release: str) -> None:
    """The guide to running the service states the schema of each release. The dump of this version is written once its tables are
    final; until then the tables may be newer than the dump."""
    dump = (FOLDER / f"{release}.sqlite.sql").read_text("utf-8")
    (dumped,) = re.findall(r"""INSERT INTO "?alembic_version"? VALUES\('(\w+)'\)""", dump)
    schema = HEAD if release == __version__ else dumped
    assert f"\n| {release} | {schema} | " in (GUIDES / "running.md").read_text("utf-8")


async def test_a_database_of_a_released_version_is_upgraded(released: Database) -> None:
    before = await released.read(version)
    assert before is not None
    responses = await released.read(_responses)
    assert responses
    await released.write(upgrade)
    assert await released.read(version) == HEAD
    assert await released.read(_differences) == []
    assert await check_integrity(released) == []
    assert await SqlShopFileStore(released).stored("demo") is not None
    assert len(await SqlKeyStore(released).active_keys()) == 1
    tenant = await SqlKeyStore(released).tenant("demo")
    assert tenant is not None
    store = SqlConfiguredStore(released)
    for row in responses:
        key = IdempotencyKey(row.test, row.method, row.path, row.key, row.body_digest)
        found = await store.stored_response(tenant, key, row.created_at)
        assert found == StoredResponse(zlib.decompress(row.answer), replayed=True)
        assert await store.selection(tenant, row.configured_bundle_id) is not None


def _responses(connection: Connection) -> list[Row[Any]]:
    stored = MetaData()
    stored.reflect(connection, only=["idempotency_keys"])
    return list(connection.execute(select(stored.tables["idempotency_keys"])))


def _differences(connection: Connection) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata))
