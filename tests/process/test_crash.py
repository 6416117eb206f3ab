"""Pulling the plug: what was answered is there, whole, and nothing is there by halves (design 9)."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import orjson
import pytest

from tests.process.serving import BASE, Server, database_of, prepare, selection, serving
from tests.process.shop import BOX, BOX_VARIANT, MUG, PAIR, PLAIN_MUG, SHIRT, SHIRT_M

CLIENTS = 40
ENOUGH = 400
"""So many answers, and the plug is pulled."""
ROUNDS = 2

MONTHLY = {"id": 7, "email": "mira@mail.example", "frequency": 1, "unit": "month"}


@dataclass(frozen=True)
class Call:
    """A configure call; equal keys come with equal bodies."""

    bundle: int
    body: bytes
    key: str | None

    @property
    def path(self) -> str:
        return f"{BASE}/bundles/{self.bundle}/configure"

    @property
    def headers(self) -> dict[str, str]:
        return {} if self.key is None else {"Idempotency-Key": self.key}


@dataclass
class Storm:
    """Many clients that configure at once, until the server is gone."""

    server: Server
    key: str
    random: Random
    answered: list[tuple[Call, bytes, bool]] = field(default_factory=list)
    """What was asked, the answer, and whether it was a replay."""
    _numbers: Iterator[int] = field(default_factory=count)

    def call(self) -> Call:
        """A native bundle, with a subscription or without, or one of fifty ghosts; every second with a key, shared by a few."""
        number = next(self._numbers)
        key = f"{self.server.port}-{number // 4}" if self.random.random() < 0.5 else None
        choice = self.random if key is None else Random(key)
        mugs = choice.randint(1, 50)
        if choice.random() < 0.5:
            return Call(PAIR, orjson.dumps(selection("multiple-products", *[(PLAIN_MUG, MUG, 1)] * mugs)), key)
        items = [(SHIRT_M, SHIRT, 1), *[(PLAIN_MUG, MUG, 2)] * mugs]
        others: dict[str, Any] = {"subscription": MONTHLY} if choice.random() < 0.3 else {}
        return Call(BOX, orjson.dumps(selection("native", *items, **others)), key)

    async def rage(self) -> None:
        headers = {"Authorization": f"Bearer {self.key}"}
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(self.server.address, headers=headers, connector=connector) as session:
            await asyncio.gather(*(self._configure_on(session) for _ in range(CLIENTS)))

    async def _configure_on(self, session: aiohttp.ClientSession) -> None:
        while True:
            call = self.call()
            try:
                async with session.post(call.path, data=call.body, headers=call.headers) as response:
                    body = await response.read()
            except (aiohttp.ClientError, ConnectionError):
                return
            assert response.status == 200, body
            self.answered.append((call, body, response.headers.get("Idempotent-Replayed") == "true"))
            if len(self.answered) == ENOUGH:
                self.server.process.kill()


@contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(database_of(folder))) as connection:
        connection.row_factory = sqlite3.Row
        yield connection


def rows(connection: sqlite3.Connection, table: str, key: str) -> dict[Any, sqlite3.Row]:
    return {row[key]: row for row in connection.execute(f"SELECT * FROM {table}")}


def check_file(connection: sqlite3.Connection) -> None:
    assert [tuple(row) for row in connection.execute("PRAGMA integrity_check")] == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def check_answers(connection: sqlite3.Connection, storm: Storm) -> None:
    """Everything that was answered is stored, with all that belongs to it."""
    configured = rows(connection, "configured_bundles", "id")
    subscriptions = rows(connection, "subscriptions", "configured_bundle_id")
    kept = rows(connection, "idempotency_keys", "key")
    ghosts = rows(connection, "ghost_variants", "variant_id")
    sold = rows(connection, "catalogue_ghosts", "variant_id")
    for call, body, _ in storm.answered:
        answer = orjson.loads(body)
        row = configured[answer["configured_bundle_id"]]
        assert (row["bundle_id"], str(row["variant_id"]), str(row["product_id"])) == (
            call.bundle,
            answer["variant_id"],
            answer["product_id"],
        )
        assert sum(item["count"] for item in orjson.loads(row["items"])) == len(orjson.loads(call.body)["products"])
        assert row["discounted"] == answer["pricing"]["discountedPrice"]
        if call.bundle == BOX:
            assert row["variant_id"] == BOX_VARIANT
        else:
            assert ghosts[row["variant_id"]]["retired_at"] is None
            assert not sold[row["variant_id"]]["retired"]
        if answer["subscription_id"] is not None:
            assert subscriptions[row["id"]]["id"] == answer["subscription_id"]
        if call.key is not None:
            assert (kept[call.key]["answer"], kept[call.key]["configured_bundle_id"]) == (body, row["id"])


def check_nothing_is_there_by_halves(connection: sqlite3.Connection) -> None:
    """Also of the calls that were never answered."""
    configured = rows(connection, "configured_bundles", "id")
    ghosts = rows(connection, "ghost_variants", "variant_id")
    for row in configured.values():
        assert (row["variant_id"] == BOX_VARIANT) == (row["bundle_id"] == BOX)
        assert row["bundle_id"] == BOX or row["variant_id"] in ghosts
    for kept in rows(connection, "idempotency_keys", "key").values():
        answer = orjson.loads(kept["answer"])
        assert answer["configured_bundle_id"] == kept["configured_bundle_id"]
        assert kept["configured_bundle_id"] in configured
    for row in rows(connection, "subscriptions", "configured_bundle_id").values():
        assert configured[row["configured_bundle_id"]]["bundle_id"] == BOX
    identities = [row["identity"] for row in ghosts.values() if row["retired_at"] is None]
    assert len(identities) == len(set(identities))


def check_keys(storm: Storm) -> dict[str, tuple[Call, bytes]]:
    """Every key has one answer, however often it was used; the answers by key."""
    by_key: dict[str, tuple[Call, bytes]] = {}
    created = 0
    for call, body, replayed in storm.answered:
        if call.key is not None:
            assert by_key.setdefault(call.key, (call, body))[1] == body
            created += not replayed
    assert created <= len(by_key)
    return by_key


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_what_was_answered_survives_kill_9(seed: int, tmp_path: Path) -> None:
    key = prepare(tmp_path)
    with serving(tmp_path) as server:
        storm = Storm(server, key, Random(seed))
        asyncio.run(storm.rage())
        assert server.wait() == -9
    assert len(storm.answered) >= ENOUGH

    with opened(tmp_path) as connection:
        check_file(connection)
        check_answers(connection, storm)
        check_nothing_is_there_by_halves(connection)
        before = len(rows(connection, "configured_bundles", "id"))
    by_key = check_keys(storm)
    assert len(by_key) > ENOUGH / 20
    assert any(replayed for _, _, replayed in storm.answered)

    with serving(tmp_path) as server:
        for call, body in by_key.values():
            answer = server.post(call.path, key, call.body, call.headers)
            assert (answer.status, answer.body) == (200, body)
            assert answer.headers["Idempotent-Replayed"] == "true"
        again = server.post(f"{BASE}/bundles/{BOX}/configure", key, selection("native", (SHIRT_M, SHIRT, 1)))
        assert again.status == 200
        assert server.stop() == 0

    with opened(tmp_path) as connection:
        check_file(connection)
        assert len(rows(connection, "configured_bundles", "id")) == before + 1
