"""Many clients send configure calls concurrently while something fails, and the database is checked afterwards."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

import aiohttp
import orjson
from sqlalchemy import Connection, Table, select

from bundlesvc.storage.configured.response_encoding import decode_response
from bundlesvc.storage.database import tables
from tests.process.serving import BASE, Server, in_database, selection
from tests.process.shop import BOX, BOX_VARIANT, MUG, PAIR, PLAIN_MUG, SHIRT, SHIRT_M

CLIENTS = 40
MONTHLY = {"id": 7, "email": "mira@mail.example", "frequency": 1, "unit": "month"}

Rows = dict[Any, Any]


@dataclass(frozen=True)
class Call:
    """A configure call. Calls with the same idempotency key have the same body."""

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
    """Many clients, each connected to one server. A client that loses its server retries the call on another one; with
    `failures`, it also retries after a 503. The storm ends when no server is left, or after `target` responses in total (0: no
    limit). `on_response` is called after each response with the number of responses so far.
    """

    servers: list[Server]
    key: str
    random: Random
    target: int
    on_response: Callable[[int], Awaitable[None]]
    clients: int = CLIENTS
    failures: bool = False
    reconnect: bool = False
    """Whether clients reconnect to the same server, because only one of its processes was killed."""
    responses: list[tuple[Call, bytes, bool]] = field(default_factory=list)
    """Each call with the body of its response, and whether the response was a replay."""
    failed: int = 0
    _numbers: Iterator[int] = field(default_factory=count)

    def call(self) -> Call:
        """Generate a call for a native bundle, with or without a subscription, or for one of fifty ghost variants. Half of the
        calls share an idempotency key with other calls."""
        number = next(self._numbers)
        key = f"{self.servers[0].port}-{number // 4}" if self.random.random() < 0.5 else None
        choice = self.random if key is None else Random(key)
        mugs = choice.randint(1, 50)
        if choice.random() < 0.5:
            return Call(PAIR, orjson.dumps(selection("multiple-products", *[(PLAIN_MUG, MUG, 1)] * mugs)), key)
        items = [(SHIRT_M, SHIRT, 1), *[(PLAIN_MUG, MUG, 2)] * mugs]
        others: dict[str, Any] = {"subscription": MONTHLY} if choice.random() < 0.3 else {}
        return Call(BOX, orjson.dumps(selection("native", *items, **others)), key)

    async def run(self) -> None:
        headers = {"Authorization": f"Bearer {self.key}"}
        async with aiohttp.ClientSession(headers=headers, connector=aiohttp.TCPConnector(limit=0)) as session:
            await asyncio.gather(*(self._configure_on(session, number) for number in range(self.clients)))

    async def _configure_on(self, session: aiohttp.ClientSession, number: int) -> None:
        gone: set[int] = set()
        call = self.call()
        while len(self.responses) < self.target or self.target == 0:
            left = [server for server in self.servers if server.port not in gone]
            if not left:
                return
            server = left[number % len(left)]
            try:
                done = await self._configure(session, server, call)
            except (aiohttp.ClientError, ConnectionError):
                if self.reconnect:
                    await asyncio.sleep(0.05)
                else:
                    gone.add(server.port)
                continue
            if done:
                call = self.call()

    async def _configure(self, session: aiohttp.ClientSession, server: Server, call: Call) -> bool:
        async with session.post(f"{server.address}{call.path}", data=call.body, headers=call.headers) as response:
            body = await response.read()
        if self.failures and response.status == 503:
            assert "Retry-After" in response.headers
            self.failed += 1
            await asyncio.sleep(0.05)
            return False
        assert response.status == 200, body
        self.responses.append((call, body, response.headers.get("Idempotent-Replayed") == "true"))
        await self.on_response(len(self.responses))
        return True


@dataclass(frozen=True)
class Stored:
    """All data that configure calls have stored, by primary key."""

    configured: Rows
    subscriptions: Rows
    responses: Rows
    ghosts: Rows
    sold: Rows

    @classmethod
    def at(cls, address: str, shop: int | None = None) -> "Stored":
        """Read the content of the database at an address, for one shop or for all shops."""

        def read(connection: Connection) -> Stored:
            def rows(table: Table, key: str) -> Rows:
                wanted = select(table) if shop is None else select(table).where(table.c.shop_id == shop)
                return {row[key]: row for row in connection.execute(wanted).mappings()}

            return cls(
                configured=rows(tables.configured_bundles, "id"),
                subscriptions=rows(tables.subscriptions, "configured_bundle_id"),
                responses=rows(tables.idempotency_keys, "key"),
                ghosts=rows(tables.ghost_variants, "variant_id"),
                sold=rows(tables.catalogue_ghosts, "variant_id"),
            )

        return in_database(address, lambda database: database.read(read))


def check_responses(stored: Stored, storm: Storm) -> None:
    """Check that every response is stored completely."""
    for call, body, _ in storm.responses:
        result = orjson.loads(body)
        row = stored.configured[result["configured_bundle_id"]]
        assert (row["bundle_id"], str(row["variant_id"]), str(row["product_id"])) == (
            call.bundle,
            result["variant_id"],
            result["product_id"],
        )
        assert sum(item["count"] for item in orjson.loads(row["items"])) == len(orjson.loads(call.body)["products"])
        assert row["discounted"] == result["pricing"]["discountedPrice"]
        if call.bundle == BOX:
            assert row["variant_id"] == BOX_VARIANT
        else:
            assert stored.ghosts[row["variant_id"]]["retired_at"] is None
            assert not stored.sold[row["variant_id"]]["retired"]
        if result["subscription_id"] is not None:
            assert stored.subscriptions[row["id"]]["id"] == result["subscription_id"]
        if call.key is not None:
            response = stored.responses[call.key]
            assert (decode_response(response["answer"], response["encoding"]), response["configured_bundle_id"]) == (
                body,
                row["id"],
            )


def check_nothing_is_incomplete(stored: Stored) -> None:
    """Check that each call without a response stored its data either completely or not at all."""
    for row in stored.configured.values():
        assert (row["variant_id"] == BOX_VARIANT) == (row["bundle_id"] == BOX)
        assert row["bundle_id"] == BOX or row["variant_id"] in stored.ghosts
    for stored_response in stored.responses.values():
        response = orjson.loads(decode_response(stored_response["answer"], stored_response["encoding"]))
        assert response["configured_bundle_id"] == stored_response["configured_bundle_id"]
        assert response["configured_bundle_id"] in stored.configured
    for row in stored.subscriptions.values():
        assert stored.configured[row["configured_bundle_id"]]["bundle_id"] == BOX
    identities = [row["identity"] for row in stored.ghosts.values() if row["retired_at"] is None]
    assert len(identities) == len(set(identities))


def check_keys(storm: Storm) -> dict[str, tuple[Call, bytes]]:
    """Check that every idempotency key has a single response, wherever and however many times the key was used. Returns the calls
    and responses by key."""
    by_key: dict[str, tuple[Call, bytes]] = {}
    created = 0
    for call, body, replayed in storm.responses:
        if call.key is not None:
            assert by_key.setdefault(call.key, (call, body))[1] == body
            created += not replayed
    assert created <= len(by_key)
    return by_key


def check_replays(storm: Storm, server: Server) -> None:
    """Check that the response to every request with an idempotency key is replayed byte for byte."""
    for call, body in check_keys(storm).values():
        response = server.post(call.path, storm.key, call.body, call.headers)
        assert (response.status, response.body) == (200, body)
        assert response.headers["Idempotent-Replayed"] == "true"
