"""`bundlesvc db copy` is killed before it has finished."""

import asyncio
from asyncio.subprocess import DEVNULL
from pathlib import Path

import asyncpg

from tests.process.serving import (
    BASE,
    COMMAND,
    TIMEOUT,
    command,
    environment,
    in_database,
    prepare,
    selection,
    serving,
)
from tests.process.shop import BOX, MUG, PLAIN_MUG, SHIRT, SHIRT_M
from tests.servers.postgres_server import PostgresServer
from tests.storage.filled import all_rows

HELD = "idempotency_keys"
"""The table at which the copy pauses until it is killed."""


def test_a_copy_that_was_killed_continues(postgres: PostgresServer, tmp_path: Path) -> None:
    key = prepare(tmp_path)
    body, header = selection("native", (SHIRT_M, SHIRT, 1), (PLAIN_MUG, MUG, 2)), {"Idempotency-Key": "order-1"}
    with serving(tmp_path) as server:
        before = server.post(f"{BASE}/bundles/{BOX}/configure", key, body, header)
        assert before.status == 200
        assert server.stop() == 0
    with postgres.lent(postgres.new_database()) as address:
        assert command(tmp_path, "db", "upgrade", settings={"DATABASE_URL": address}).returncode == 0
        asyncio.run(kill_at(HELD, address, tmp_path))
        refused = command(tmp_path, "serve", settings={"DATABASE_URL": address})
        assert (refused.returncode, "unfinished copy" in refused.stderr) == (1, True)

        again = command(tmp_path, "db", "copy", "--to", address)
        assert again.returncode == 0, again.stderr
        assert "configured_bundles" not in again.stderr, "it was copied before"
        assert in_database(address, all_rows) == in_database(tmp_path, all_rows)
        for settings in ({}, {"DATABASE_URL": address}):
            checked = command(tmp_path, "db", "check", settings=settings)
            assert checked.stdout == "Nothing is wrong.\n", checked.stderr
        with serving(tmp_path, settings={"DATABASE_URL": address}) as server:
            assert server.post(f"{BASE}/bundles/{BOX}/configure", key, body, header).body == before.body
            assert server.stop() == 0


async def kill_at(table: str, address: str, folder: Path) -> None:
    """Start `db copy`, and kill its process once it waits for the lock on this table."""
    connection = await asyncpg.connect(address)
    try:
        async with asyncio.timeout(TIMEOUT), connection.transaction():
            await connection.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
            copying = await asyncio.create_subprocess_exec(
                *COMMAND, "db", "copy", "--to", address, cwd=folder, env=environment(folder), stderr=DEVNULL
            )
            try:
                waiting = f"SELECT count(*) FROM pg_locks WHERE relation = '{table}'::regclass AND NOT granted"
                while not await connection.fetchval(waiting):
                    assert copying.returncode is None
                    await asyncio.sleep(0.05)
            finally:
                copying.kill()
                await copying.wait()
    finally:
        await connection.close()
