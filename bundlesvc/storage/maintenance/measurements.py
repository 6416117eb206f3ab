"""Measures the database regularly: its size, the number of rows in each table, and the lag of standby servers."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from prometheus_client.core import GaugeMetricFamily, Metric
from sqlalchemy import Connection, bindparam, text

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.database.health.replica_lag import Lag, lag_metrics, standbys
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import metadata


class Sizes(NamedTuple):
    """The size of the whole database in bytes, the estimated number of rows in each table, and, where it can be measured cheaply,
    the size of each table including its indexes."""

    database: int
    rows: Mapping[str, int]
    bytes: Mapping[str, int]


_TABLES = text("""
    SELECT relname, coalesce(nullif(pg_stat_get_live_tuples(oid), 0), greatest(reltuples, 0)), pg_total_relation_size(oid)
    FROM pg_class WHERE relkind = 'r' AND pg_table_is_visible(oid) AND relname IN :names
""").bindparams(bindparam("names", expanding=True))


class DatabaseMeasurements:
    """Exposes the latest measurements as metrics. A metric has no value when the database fails, or when the database user lacks
    the required permission."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.sizes: Sizes | None = None
        self.standbys: Mapping[str, Lag] = {}

    async def measure_sizes(self) -> None:
        """Measure the sizes of the database and its tables from statistics and from the first and last index entries, without
        reading whole tables."""
        try:
            self.sizes = await self._database.read(_sizes)
        except StorageUnavailable:
            self.sizes = None

    async def measure_standbys(self) -> None:
        """Measure the lag of PostgreSQL's standby servers."""
        try:
            self.standbys = await self._database.read(_standbys)
        except StorageUnavailable:
            self.standbys = {}

    def collect(self) -> Iterator[Metric]:
        """Yield the latest measurements (the collector interface of prometheus_client). Does not measure anything itself."""
        size = GaugeMetricFamily("bundlesvc_database_bytes", "Size of the database.", labels=[])
        rows = GaugeMetricFamily("bundlesvc_table_rows", "Rows of a table, estimated.", labels=["table"])
        tables = GaugeMetricFamily("bundlesvc_table_bytes", "Size of a table with its indexes.", labels=["table"])
        if self.sizes is not None:
            size.add_metric([], self.sizes.database)
            for family, values in ((rows, self.sizes.rows), (tables, self.sizes.bytes)):
                for table, value in values.items():
                    family.add_metric([table], value)
        yield from (size, rows, tables)
        yield from lag_metrics("standby", {(name,): lag for name, lag in self.standbys.items()}, ("standby",))


def _sizes(connection: Connection) -> Sizes:
    return _of_sqlite(connection) if connection.dialect.name == "sqlite" else _of_postgresql(connection)


def _standbys(connection: Connection) -> Mapping[str, Lag]:
    return {} if connection.dialect.name == "sqlite" else standbys(connection)


def _of_sqlite(connection: Connection) -> Sizes:
    pages, size = (connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "page_size"))
    return Sizes(pages * size, {name: _rows(connection, name) for name in metadata.tables}, {})


def _rows(connection: Connection, table: str) -> int:
    """Estimate the number of rows in a table as the difference between the last and the first row number. SQLite only looks up
    both ends, whereas counting would read the whole table. The estimate includes deleted rows in between."""
    query = f"SELECT (SELECT max(rowid) FROM {table}) - (SELECT min(rowid) FROM {table}) + 1"  # noqa: S608 - our own names
    return connection.exec_driver_sql(query).scalar() or 0


def _of_postgresql(connection: Connection) -> Sizes:
    total = connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one()
    found = connection.execute(_TABLES, {"names": list(metadata.tables)}).all()
    return Sizes(total, {name: int(rows) for name, rows, _ in found}, {name: size for name, _, size in found})
