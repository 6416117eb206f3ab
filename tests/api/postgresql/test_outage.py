"""While PostgreSQL is down, reads are served from memory and writes are refused with 503 within a bounded time; afterwards, the
service recovers."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.util import await_only

from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import create_database
from bundlesvc.storage.database.tables import configured_bundles
from tests.api.conftest import Api, MakeApi
from tests.api.selection import configure_body
from tests.api.stored import rows
from tests.servers.postgres_server import PostgresServer
from tests.storage.database.postgresql.wire import Wire, wire_to

TIMEOUT = 0.5
SLOWEST = 5.0
"""The maximum time until a refusal, in seconds: our timeout plus the time to close a silent connection."""

BACK_WITHIN = 10.0
KEY = {"Idempotency-Key": "order-1"}
BODY = configure_body("1001@1")


@pytest.fixture
async def wire(postgres: PostgresServer) -> AsyncIterator[Wire]:
    async with wire_to(postgres.port) as wire:
        yield wire


@pytest.fixture
async def api(
    make_api: MakeApi, settings: Settings, postgres: PostgresServer, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> Api:
    """The service with warm caches, a short timeout, and a database that it reaches through `wire`."""
    monkeypatch.setattr("bundlesvc.mounting.adapters.create_database", partial(create_database, timeout=TIMEOUT))
    address = postgres.url(settings.database.rpartition("/")[2], port=wire.port)
    api = await make_api(settings=replace(settings, database=address))
    for path in ("/bundles", "/bundles/20", "/bundles/20/products"):
        (await api.get(path)).held()
    (await api.post("/bundles/20/price", BODY)).held()
    return api


@asynccontextmanager
async def silent(wire: Wire, *_: object) -> AsyncIterator[None]:
    wire.go_silent()
    yield
    wire.flow_again()


@asynccontextmanager
async def gone(_: Wire, postgres: PostgresServer, __: Database) -> AsyncIterator[None]:
    await asyncio.to_thread(postgres.stop)
    yield
    await asyncio.to_thread(postgres.start)


@asynccontextmanager
async def locked(_: Wire, __: PostgresServer, database: Database) -> AsyncIterator[None]:
    held, released = asyncio.Event(), asyncio.Event()

    def lock(connection: Connection) -> None:
        connection.execute(text("LOCK TABLE shops, configured_bundles, idempotency_keys IN ACCESS EXCLUSIVE MODE"))
        held.set()
        await_only(released.wait())

    locking = asyncio.create_task(database.write(lock))
    await held.wait()
    yield
    released.set()
    await locking


async def status_of(api: Api, path: str) -> int:
    async with api.client.get(path) as response:
        return response.status


@pytest.mark.parametrize("away", [silent, gone, locked])
async def test_during_an_outage_and_afterwards(
    away: Callable[..., AbstractAsyncContextManager[None]],
    api: Api,
    wire: Wire,
    postgres: PostgresServer,
    database: Database,
) -> None:
    async with away(wire, postgres, database):
        begun = time.monotonic()
        for path in ("/bundles", "/bundles/20", "/bundles/20/products"):
            assert (await api.get(path)).status == 200, "it is in memory"
        assert (await api.post("/bundles/20/price", BODY)).status == 200
        assert await status_of(api, "/healthz") == 200
        assert time.monotonic() - begun < 1

        for _ in range(2):
            begun = time.monotonic()
            refused = (await api.post("/bundles/20/configure", BODY, KEY)).held(503)
            assert (refused.code, refused.headers["Retry-After"]) == ("storage_unavailable", "2")
            assert await status_of(api, "/readyz") == 503
            assert time.monotonic() - begun < SLOWEST

    back_at = time.monotonic()
    response = await api.post("/bundles/20/configure", BODY, KEY)
    while response.status == 503:
        assert time.monotonic() - back_at < BACK_WITHIN
        await asyncio.sleep(0.1)
        response = await api.post("/bundles/20/configure", BODY, KEY)
    response.held(200)
    assert (await api.post("/bundles/20/configure", BODY, KEY)).held().body == response.body
    assert await status_of(api, "/readyz") == 200
    assert len(await rows(database, configured_bundles)) == 1
