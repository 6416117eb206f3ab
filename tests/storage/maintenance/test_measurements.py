"""The size of a database and the row counts of its tables are measured on both engines without reading a table."""

from functools import partial
from typing import Any

import pytest
from prometheus_client import generate_latest
from sqlalchemy import Connection, delete, select

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.health.replica_lag import Lag
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts.whole_tables import row_counts
from bundlesvc.storage.database.tables import metadata, usage_days
from bundlesvc.storage.maintenance.measurements import DatabaseMeasurements, Sizes
from tests.scrape import samples
from tests.storage.conftest import ON_POSTGRESQL, ON_SQLITE
from tests.storage.filled import Filler


@pytest.fixture
async def measurements(database: Database) -> DatabaseMeasurements:
    """Measurements of a database with a few rows in every table. On PostgreSQL, statistics have been gathered, in the same
    transaction: a later one could count the rows twice, because a connection may report its insertions only after a second."""

    def fill(connection: Connection) -> None:
        Filler(seed=1).fill(connection, per_table=3)
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("ANALYZE")

    await database.write(fill)
    return DatabaseMeasurements(database)


async def test_rows_of_every_table(measurements: DatabaseMeasurements, database: Database) -> None:
    await measurements.measure_sizes()
    assert measurements.sizes is not None
    assert measurements.sizes.rows == await database.read(row_counts)


async def test_the_rows_of_an_empty_table_are_zero(database: Database) -> None:
    measurements = DatabaseMeasurements(database)
    await measurements.measure_sizes()
    assert measurements.sizes is not None
    assert measurements.sizes.rows.keys() == metadata.tables.keys()
    assert set(measurements.sizes.rows.values()) == {0}


@ON_SQLITE
async def test_deleted_rows_between_others_are_counted_on_sqlite(
    measurements: DatabaseMeasurements, database: Database
) -> None:
    """On SQLite, a deleted row is still counted as long as older rows remain. Retention deletes the oldest rows first, so the
    rows that it has deleted are no longer counted."""
    days = usage_days.c.day
    first, second, _ = await database.read(lambda connection: connection.scalars(select(days).order_by(days)).all())
    for day, counted in ((second, 3), (first, 1)):
        await database.write(partial(_delete_day, day))
        await measurements.measure_sizes()
        assert measurements.sizes is not None
        assert measurements.sizes.rows["usage_days"] == counted


def _delete_day(day: int, connection: Connection) -> None:
    connection.execute(delete(usage_days).where(usage_days.c.day == day))


@ON_SQLITE
async def test_the_size_of_a_sqlite_database_is_that_of_its_pages(
    measurements: DatabaseMeasurements, database: Database, settings: Settings
) -> None:
    await measurements.measure_sizes()
    await database.overwrite_deleted()  # copies the `-wal` file into the database
    assert settings.database_file is not None
    assert measurements.sizes is not None
    assert measurements.sizes.database == settings.database_file.stat().st_size
    assert measurements.sizes.bytes == {}


@ON_POSTGRESQL
async def test_the_sizes_of_tables_on_postgresql(measurements: DatabaseMeasurements) -> None:
    await measurements.measure_sizes()
    assert measurements.sizes is not None
    assert measurements.sizes.bytes.keys() == metadata.tables.keys()
    assert 0 < sum(measurements.sizes.bytes.values()) < measurements.sizes.database


async def test_metrics_are_those_of_the_last_measurement(measurements: DatabaseMeasurements) -> None:
    assert samples(generate_latest(measurements).decode()) == {}
    await measurements.measure_sizes()
    assert measurements.sizes is not None
    measurements.standbys = {"second": Lag(1.5, 2048)}
    found = samples(generate_latest(measurements).decode())
    assert found["bundlesvc_database_bytes"] == measurements.sizes.database
    assert found['bundlesvc_table_rows{table="shops"}'] == measurements.sizes.rows["shops"] > 0
    assert found['bundlesvc_standby_lag_seconds{standby="second"}'] == 1.5
    assert found['bundlesvc_standby_lag_bytes{standby="second"}'] == 2048


async def test_without_standby_servers_there_is_no_lag(measurements: DatabaseMeasurements) -> None:
    await measurements.measure_standbys()
    assert measurements.standbys == {}


class Failing:
    """A database that cannot be read."""

    async def read(self, _: object) -> None:
        raise StorageUnavailable


async def test_what_cannot_be_measured_has_no_value() -> None:
    failing: Any = Failing()
    measurements = DatabaseMeasurements(failing)
    measurements.sizes, measurements.standbys = Sizes(1, {"shops": 1}, {}), {"second": Lag(1, 1)}
    await measurements.measure_sizes()
    await measurements.measure_standbys()
    assert samples(generate_latest(measurements).decode()) == {}
