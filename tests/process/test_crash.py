"""A killed process loses nothing that it confirmed, and stores nothing incomplete."""

import asyncio
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.postgres_server import PostgresServer
from tests.process.serving import BASE, database_of, prepare, selection, serving
from tests.process.shop import BOX, SHIRT, SHIRT_M
from tests.process.storm import (
    Stored,
    Storm,
    check_answers,
    check_keys,
    check_nothing_is_there_by_halves,
    check_replays,
)

ENOUGH = 400
"""So many answers, and the plug is pulled."""
ROUNDS = 2


def check_file(folder: Path) -> None:
    with closing(sqlite3.connect(database_of(folder))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_what_was_answered_survives_kill_9(seed: int, tmp_path: Path) -> None:
    key, address = prepare(tmp_path), str(database_of(tmp_path))
    with serving(tmp_path) as server:

        async def pull_the_plug(answers: int) -> None:
            if answers == ENOUGH:
                server.process.kill()

        storm = Storm([server], key, Random(seed), 0, pull_the_plug)
        asyncio.run(storm.rage())
        assert server.wait() == -9
    assert len(storm.answered) >= ENOUGH

    check_file(tmp_path)
    stored = Stored.at(address)
    check_answers(stored, storm)
    check_nothing_is_there_by_halves(stored)
    assert len(check_keys(storm)) > ENOUGH / 20
    assert any(replayed for _, _, replayed in storm.answered)

    with serving(tmp_path) as server:
        check_replays(storm, server)
        again = server.post(f"{BASE}/bundles/{BOX}/configure", key, selection("native", (SHIRT_M, SHIRT, 1)))
        assert again.status == 200
        assert server.stop() == 0

    check_file(tmp_path)
    assert len(Stored.at(address).configured) == len(stored.configured) + 1


def test_two_workers_share_a_file_and_one_is_killed(tmp_path: Path) -> None:
    """Its clients go to the other one and to its successor; nobody is told that the database is busy."""
    key, address = prepare(tmp_path), str(database_of(tmp_path))
    with serving(tmp_path, settings={"WEB_CONCURRENCY": "2"}) as server:

        async def kill_a_worker(answers: int) -> None:
            if answers == ENOUGH:
                os.kill(server.workers()[0], signal.SIGKILL)

        storm = Storm([server], key, Random(1), ENOUGH * 2, kill_a_worker, lasting=True)
        asyncio.run(storm.rage())
        assert len(storm.answered) >= ENOUGH * 2
        check_replays(storm, server)
        assert server.stop() == 0
    check_file(tmp_path)
    stored = Stored.at(address)
    check_answers(stored, storm)
    check_nothing_is_there_by_halves(stored)


def test_two_servers_share_a_postgresql_and_one_is_killed(tmp_path: Path, postgres: PostgresServer) -> None:
    """While every connection to the database is broken off again and again."""
    with postgres.lent(postgres.new_database()) as address:
        key = prepare(address)
        settings = {"DATABASE_URL": address}
        with serving(tmp_path, settings=settings) as first, serving(tmp_path, settings=settings) as second:

            async def strike(answers: int) -> None:
                if answers % 100 == 0:
                    await asyncio.to_thread(postgres.break_off, address.rpartition("/")[2])
                if answers == ENOUGH:
                    first.process.kill()

            storm = Storm([first, second], key, Random(2), ENOUGH * 2, strike, failures=True)
            asyncio.run(storm.rage())
            assert first.wait() == -9
            assert len(storm.answered) >= ENOUGH * 2
            check_replays(storm, second)
            assert second.stop() == 0
        stored = Stored.at(address)
        check_answers(stored, storm)
        check_nothing_is_there_by_halves(stored)
        assert len(check_keys(storm)) > ENOUGH / 20


def test_a_postgresql_that_is_started_anew_in_a_storm(tmp_path: Path, postgres: PostgresServer) -> None:
    """Who is told to try later tries later, and is served."""
    with postgres.lent(postgres.new_database()) as address:
        key = prepare(address)
        with serving(tmp_path, settings={"DATABASE_URL": address}) as server:

            async def start_anew(answers: int) -> None:
                if answers == ENOUGH:
                    await asyncio.to_thread(postgres.crash)
                    await asyncio.to_thread(postgres.start)

            storm = Storm([server], key, Random(3), ENOUGH * 2, start_anew, failures=True)
            asyncio.run(storm.rage())
            assert len(storm.answered) >= ENOUGH * 2
            check_replays(storm, server)
            assert server.get("/readyz").status == 200
            assert server.stop() == 0
        stored = Stored.at(address)
        check_answers(stored, storm)
        check_nothing_is_there_by_halves(stored)
