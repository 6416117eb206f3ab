"""Dumps of a populated database, in the form in which each released version stores it: one for SQLite and one for PostgreSQL.

`python -m tests.storage.release_dump` writes the dumps of the current version to `tests/storage/released`, once its tables are
final. The dumps of older versions remain unchanged: `test_released.py` upgrades all of them.
"""

import asyncio
import re
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

import asyncpg
from sqlalchemy import Connection, Table, insert

from bundlesvc import __version__
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts.whole_tables import row_counts
from bundlesvc.storage.database.tables import (
    own_updates,
    platform_changes,
    platform_connections,
    shopper_requests,
    stock_reminders,
    webhook_deliveries,
)
from tests.process.serving import BASE, command, database_of, in_database, prepare, selection, serving
from tests.process.shop import BOX, MUG, PAIR, PLAIN_MUG, SHIRT, SHIRT_M
from tests.process.storm import MONTHLY
from tests.servers.postgres_server import PostgresServer, postgres_server

FOLDER = Path(__file__).with_name("released")

_NATIVE = selection("native", (SHIRT_M, SHIRT, 1), (PLAIN_MUG, MUG, 2), subscription=MONTHLY)
_PAIRED = selection("multiple-products", (SHIRT_M, SHIRT, 1), (PLAIN_MUG, MUG, 1), countryCode="JP")

_NOT_SQL = re.compile(r"^(--|\\).*\n", re.MULTILINE)
"""The lines of a dump that are not SQL: comments and psql commands."""


def dump_sqlite(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return "".join(f"{line}\n" for line in connection.iterdump())


def restore_sqlite(dump: Path, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text("utf-8"))


def dump_postgresql(server: PostgresServer, database: str) -> str:
    options = ("--inserts", "--no-owner", "--no-privileges", server.url(database))
    done = subprocess.run([server.programs / "pg_dump", *options], capture_output=True, text=True, check=True)
    return re.sub(r"\n{2,}", "\n", _NOT_SQL.sub("", done.stdout))


async def restore_postgresql(dump: Path, address: str) -> None:
    statements = await asyncio.to_thread(dump.read_text, "utf-8")
    connection = await asyncpg.connect(address)
    try:
        await connection.execute(statements)
    finally:
        await connection.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as name, postgres_server() as server:
        folder = Path(name)
        _use(folder)
        database = server.new_database()
        copied = command(folder, "db", "copy", "--to", server.url(database))
        assert copied.returncode == 0, copied.stderr
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{__version__}.sqlite.sql").write_text(dump_sqlite(database_of(folder)), "utf-8")
        (FOLDER / f"{__version__}.postgresql.sql").write_text(dump_postgresql(server, database), "utf-8")


def _use(folder: Path) -> None:
    """Fill every table by using the service, or by inserting rows that would otherwise be created only with a live platform."""
    key = prepare(folder)
    with serving(folder) as server:
        for name, bundle, body in (("order-1", BOX, _NATIVE), ("order-2", PAIR, _PAIRED)):
            made = server.post(f"{BASE}/bundles/{bundle}/configure", key, body, {"Idempotency-Key": name})
            assert made.status == 200, made.body
        assert server.stop() == 0
    in_database(folder, _add_rows)
    empty = [
        name for name, count in in_database(folder, lambda database: database.read(row_counts)).items() if not count
    ]
    assert empty == []


async def _add_rows(database: Database) -> None:
    rows: dict[Table, dict[str, object]] = {
        stock_reminders: {"variant_id": PLAIN_MUG, "email": "mira@mail.example", "bundle_name": "Box", "created_at": 1},
        platform_connections: {"sealed": "sealed", "connected_at": 1},
        webhook_deliveries: {"delivery": "1", "received_at": 1, "signature": "0" * 64, "subject": "products/update"},
        platform_changes: {"kind": "product", "subject_id": SHIRT, "recorded_at": 1},
        own_updates: {"product_id": SHIRT, "updated_at": 1, "recorded_at": 1},
        shopper_requests: {"kind": "erase", "subject": "mira@mail.example", "reference": "1", "received_at": 1},
    }

    def work(connection: Connection) -> None:
        for table, row in rows.items():
            connection.execute(insert(table).values(shop_id=1, **row))

    await database.write(work)


if __name__ == "__main__":
    main()
