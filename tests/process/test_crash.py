"""A killed process loses no data that it confirmed, and stores no incomplete data."""

import asyncio
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.process.serving import BASE, database_of, prepare, selection, serving
from tests.process.shop import BOX, SHIRT, SHIRT_M
from tests.process.storm import (
    Stored,
    Storm,
    check_keys,
    check_nothing_is_incomplete,
    check_replays,
    check_responses,
)
from tests.servers.postgres_server import PostgresServer

RESPONSES = 400
"""The number of responses before a process is killed."""
ROUNDS = 2


def check_file(folder: Path) -> None:
    with closing(sqlite3.connect(database_of(folder))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_every_response_survives_kill_9(seed: int, tmp_path: Path) -> None:
    key, address = prepare(tmp_path), str(database_of(tmp_path))
    with serving(tmp_path) as server:

        async def kill_the_server(responses: int) -> None:
            if responses == RESPONSES:
                server.process.kill()

        storm = Storm([server], key, Random(seed), 0, kill_the_server)
        asyncio.run(storm.run())
        assert server.wait() == -9
    assert len(storm.responses) >= RESPONSES

    check_file(tmp_path)
    stored = Stored.at(address)
    check_responses(stored, storm)
    check_nothing_is_incomplete(stored)
    assert len(check_keys(storm)) > RESPONSES / 20
    assert any(replayed for _, _, replayed in storm.responses)

    with serving(tmp_path) as server:
        check_replays(storm, server)
        again = server.post(f"{BASE}/bundles/{BOX}/configure", key, selection("native", (SHIRT_M, SHIRT, 1)))
        assert again.status == 200
        assert server.stop() == 0

    check_file(tmp_path)
    assert len(Stored.at(address).configured) == len(stored.configured) + 1


def test_killing_one_of_two_workers_loses_no_response(tmp_path: Path) -> None:
    """The clients of the killed worker reconnect to a running worker, and no request fails because the database is busy."""
    key, address = prepare(tmp_path), str(database_of(tmp_path))
    with serving(tmp_path, settings={"WEB_CONCURRENCY": "2"}) as server:

        async def kill_a_worker(responses: int) -> None:
            if responses == RESPONSES:
                os.kill(server.workers()[0], signal.SIGKILL)

        storm = Storm([server], key, Random(1), RESPONSES * 2, kill_a_worker, reconnect=True)
        asyncio.run(storm.run())
        assert len(storm.responses) >= RESPONSES * 2
        check_replays(storm, server)
        assert server.stop() == 0
    check_file(tmp_path)
    stored = Stored.at(address)
    check_responses(stored, storm)
    check_nothing_is_incomplete(stored)


def test_killing_one_of_two_servers_loses_no_response(tmp_path: Path, postgres: PostgresServer) -> None:
    """No response is lost when a server is killed, even though the database connections are also broken repeatedly during the
    test."""
    with postgres.lent(postgres.new_database()) as address:
        key = prepare(address)
        settings = {"DATABASE_URL": address}
        with serving(tmp_path, settings=settings) as first, serving(tmp_path, settings=settings) as second:

            async def fail(responses: int) -> None:
                if responses % 100 == 0:
                    await asyncio.to_thread(postgres.break_off, address.rpartition("/")[2])
                if responses == RESPONSES:
                    first.process.kill()

            storm = Storm([first, second], key, Random(2), RESPONSES * 2, fail, failures=True)
            asyncio.run(storm.run())
            assert first.wait() == -9
            assert len(storm.responses) >= RESPONSES * 2
            check_replays(storm, second)
            assert second.stop() == 0
        stored = Stored.at(address)
        check_responses(stored, storm)
        check_nothing_is_incomplete(stored)
        assert len(check_keys(storm)) > RESPONSES / 20


def test_a_restart_of_postgresql_loses_no_response(tmp_path: Path, postgres: PostgresServer) -> None:
    """Clients that get a 503 during a restart of PostgreSQL retry their requests, and succeed."""
    with postgres.lent(postgres.new_database()) as address:
        key = prepare(address)
        with serving(tmp_path, settings={"DATABASE_URL": address}) as server:

            async def restart(responses: int) -> None:
                if responses == RESPONSES:
                    await asyncio.to_thread(postgres.crash)
                    await asyncio.to_thread(postgres.start)

            storm = Storm([server], key, Random(3), RESPONSES * 2, restart, failures=True)
            asyncio.run(storm.run())
            assert len(storm.responses) >= RESPONSES * 2
            check_replays(storm, server)
            assert server.get("/readyz").status == 200
            assert server.stop() == 0
        stored = Stored.at(address)
        check_responses(stored, storm)
        check_nothing_is_incomplete(stored)
